// Command pretooluse is the gate: the hook that runs before a tool call. A write that lasts is put
// to the person, or denied where nobody can be asked. A save's own steps are allowed, and are run
// here where the client has Bash in its sandbox. Everything else is left to the client. A call that
// cannot be judged is stopped.
package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
)

func main() {
	end(hook.RunPreToolUse(hook.Options{Fault: fault, Exit: end}, answer))
}

// end exits with the code given as the first argument. The launcher in
// hooks.json asks for one that nothing else exits with, and takes any other for
// a crash: a shell runs a truncated or empty program as a script that succeeds.
func end(code int) {
	if len(os.Args) > 1 {
		if n, err := strconv.Atoi(os.Args[1]); err == nil {
			code = n
		}
	}
	os.Exit(code)
}

func answer(ctx context.Context, in hook.PreToolUse) (hook.PreToolUseAnswer, error) {
	started := time.Now()
	e := rules.Event{
		Tool: in.Tool, Args: in.Args, Session: in.Session, Transcript: in.Transcript,
		Cwd: in.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"), Agent: in.AgentType, Mode: in.Mode,
		Prompt: in.PromptID, UseID: in.UseID,
	}
	c := host.Call(e)
	guards := host.OpenGuards(e)
	c.Watch = guards.Watch()
	v := host.Judge(e, c)
	added := guards.Weigh(v, func() bool { return c.Dialog && !c.Continued() }, started)
	guards.Note(added)
	if added.Decision != rules.Pass || added.Say != "" {
		logGuard(in, added, time.Since(started))
	}
	if v.Decision == rules.Pass {
		handedBack(in)
	}
	switch {
	case added.Decision == rules.Deny:
		return hook.PreToolUseAnswer{Decision: hook.Deny, Reason: added.Reason}, nil
	case added.Decision == rules.Ask:
		return hook.PreToolUseAnswer{Decision: hook.Ask, Reason: added.Reason}, nil
	case v.Decision == rules.Pass:
		return hook.PreToolUseAnswer{Context: join(ageNotice(in.Common, c, started), added.Say)}, nil
	}
	if reason, ok := inVain(e, v); ok {
		v.Decision = rules.Deny
		logVerdict(in, v, "", time.Since(started))
		return hook.PreToolUseAnswer{Decision: hook.Deny, Reason: reason}, nil
	}
	v, id := approval.Weigh(approval.Call{
		Tool: in.Tool, Args: in.Args, UseID: in.UseID, Session: in.Session,
		Transcript: in.Transcript, Cwd: in.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"),
		Agent: in.AgentType, AgentID: in.AgentID,
	}, v, host.Dialog(e), started)
	logVerdict(in, v, id, time.Since(started))
	if v.Save != nil {
		if a, ok := runSave(ctx, e, *v.Save); ok {
			return a, nil
		}
	}
	a := hook.PreToolUseAnswer{Reason: v.Reason, Input: v.Input}
	switch v.Decision {
	case rules.Allow:
		a.Decision = hook.Allow
	case rules.Ask:
		a.Decision = hook.Ask
	case rules.Deny:
		a.Decision = hook.Deny
	}
	return a, nil
}

// join returns two texts below each other, or the one that there is.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func fault(f hook.Fault) {
	place, id := layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), f.Common.Cwd),
		layout.Session(f.Common.Session)
	dirs := layout.DirsFor(place, f.Common.Transcript)
	_ = journal.AppendFailure(dirs.Of(place.Home).Ledger(), journal.Failure{
		Time: time.Now(), Where: hookName, Session: id,
		What: "a tool call could not be judged and was stopped", Why: f.Err.Error(),
	})
	class := "other"
	if errors.Is(f.Err, hook.ErrDeadline) {
		class = "deadline"
	}
	logEvent(dirs, place, event.Event{Type: event.Failure, Level: event.Error, Session: id,
		Took: event.Untimed, Error: class})
}
