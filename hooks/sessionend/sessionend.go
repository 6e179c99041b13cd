// Package sessionend answers SessionEnd, the event when a session is over. The client gives all plugins
// together 1.5 s. It reads what no Stop has seen (a turn that was interrupted), drafts a session
// summary without a model, and moves what was not saved to where a later session finds it. It
// leaves a handoff note where work is in flight, and keeps what the client's memory files say. Last
// it looks at the palaces, in what is left of the time.
package sessionend

import (
	"context"
	"errors"
	"os"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/disk"
	"keepsake/pkg/handoff"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
)

// Run answers one SessionEnd and returns the exit code.
func Run() int {
	return hook.RunSessionEnd(hook.Options{Fault: fault}, answer)
}

func answer(ctx context.Context, in hook.SessionEnd) (hook.Silence, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.Silence{}, err
	}
	s.Over()
	defer s.Audit(ctx, mempalace.End) // last, as what was said matters more
	if session.Off() {
		return hook.Silence{}, nil
	}
	started := time.Now()
	err = errors.Join(s.Finish(), leaveHandoff(ctx, s, in.Reason))
	s.Keep(started)
	if time.Since(started) < tidyUntil {
		err = errors.Join(err, unlessLocked(s.TidyFindings(time.Now().UTC())),
			unlessLocked(s.TidyUsage(time.Now().UTC())))
		s.SweepLeftovers(started)
	}
	s.Log(event.Event{Type: event.SessionEnd, Hook: "sessionend", Took: time.Since(started),
		Error: session.Class(err), Data: event.Data{"reason": in.Reason}})
	return hook.Silence{}, err
}

// How long the handoff note may take, and the card, of which several files are
// written through to the disk.
const (
	leaveFor = 300 * time.Millisecond
	cardFor  = 500 * time.Millisecond
)

// tidyUntil is how much time may have passed at most for waiting findings to be expired here. A session's
// start expires them too.
const tidyUntil = time.Second

// unlessLocked returns err, or nil if it only reports that another process holds the lock.
func unlessLocked(err error) error {
	if errors.Is(err, disk.ErrLocked) {
		return nil
	}
	return err
}

// cleared is the reason that the client gives when the conversation was cleared.
const cleared = "clear"

// leaveHandoff writes the handoff note of a session in which something was said, and after /clear
// puts what is open on the project's card.
func leaveHandoff(ctx context.Context, s *session.Session, reason string) error {
	if info, err := os.Stat(s.State.Transcript); err != nil || info.Size() == 0 {
		return nil
	}
	l := handoff.Look{Session: s, Now: time.Now()}
	within := func(d time.Duration, do func(context.Context) error) error {
		ctx, stop := context.WithTimeout(ctx, d)
		defer stop()
		return do(ctx)
	}
	err := within(leaveFor, l.Leave)
	if reason == cleared {
		err = errors.Join(err, within(cardFor, l.Clear))
	}
	return err
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		"sessionend", "the end of this session was not looked at", f.Err)
}
