// Command sessionend is the hook that runs when a session is over. The client
// gives all plugins together 1.5 s. It looks at what no Stop has seen (a turn
// that was interrupted), drafts a session summary without a model, and moves
// what was not saved to where a later session finds it. Last it looks at the
// palaces, in what is left of the time.
package main

import (
	"context"
	"os"
	"time"

	"keepsake/pkg/event"
	"keepsake/pkg/hook"
	"keepsake/pkg/palace"
	"keepsake/pkg/session"
)

func main() {
	os.Exit(hook.RunSessionEnd(hook.Options{Fault: fault}, answer))
}

func answer(ctx context.Context, in hook.SessionEnd) (hook.Silence, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.Silence{}, err
	}
	defer s.Audit(ctx, palace.End) // last: what was said matters more
	if session.Off() {
		return hook.Silence{}, nil
	}
	started := time.Now()
	err = s.Finish()
	s.Log(event.Event{Type: event.SessionEnd, Hook: "sessionend", Took: time.Since(started), Error: session.Class(err), Data: event.Data{"reason": in.Reason}})
	return hook.Silence{}, err
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Cwd: f.Common.Cwd}, "sessionend", "the end of this session was not looked at", f.Err)
}
