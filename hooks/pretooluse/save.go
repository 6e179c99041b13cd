package main

import (
	"context"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
)

// runSave answers a save whose command the client would run in its sandbox, where nothing of ours can be
// written: it runs the save here, outside, and has the agent's shell print what that printed. ok reports
// whether it did. All other calls are left as they are.
func runSave(ctx context.Context, e rules.Event, save rules.Command) (a hook.PreToolUseAnswer, ok bool) {
	if !host.Sandboxed(e) {
		return a, false
	}
	ctx, cancel, ok := hook.Extend(ctx, host.SaveLimit)
	defer cancel()
	if !ok {
		return a, false
	}
	input, err := host.Save(ctx, e, save)
	switch {
	case err != nil:
		a = hook.PreToolUseAnswer{Decision: hook.Deny, Reason: "keepsake: " + err.Error() +
			"\nhint: run it once more; keepsake doctor in a terminal says what is wrong"}
	case input == nil:
		return a, false
	default:
		a = hook.PreToolUseAnswer{Decision: hook.Allow, Input: input}
	}
	return a, true
}
