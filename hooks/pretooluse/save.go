package main

import (
	"context"
	"strings"

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

// inVain returns the reason to deny a command of Keepsake that would be put to the person although the
// client's sandbox would let it write nothing after their yes.
func inVain(e rules.Event, v rules.Verdict) (reason string, ok bool) {
	if v.Decision != rules.Ask || e.Tool != "Bash" || !isOwnCommand(v.Rule) || !host.Walled(e) {
		return "", false
	}
	what, _, _ := strings.Cut(v.Reason, "\n")
	return what + "\nNothing was done, and nobody was asked: in Claude Code's sandbox it could not be " +
		"written." +
		"\nhint: tell the person to run it in a terminal outside of Claude Code", true
}

// isOwnCommand reports whether a rule is about commands of Keepsake alone.
func isOwnCommand(rule string) bool {
	for _, r := range [...]rules.RuleID{rules.RulePromote, rules.RuleForget, rules.RuleBringBack,
		rules.RuleReorganise} {
		if rule == r.Rule().Name {
			return true
		}
	}
	return false
}
