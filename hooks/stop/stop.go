// Package stop answers Stop, the event when a turn has ended. It reads what is new in the transcript,
// stages what is worth keeping, and tells the agent of it in a few lines or not at all. When
// nothing is to be saved and there are notes that no memory-keeper has looked at, it names that
// agent. It never keeps the agent from stopping. It tells the person what appeared in a palace
// without an approval, and what a memory-keeper proposed.
package stop

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
)

// Run answers one Stop and returns the exit code.
func Run() int {
	return hook.RunStop(hook.Options{Fault: fault}, answer)
}

func answer(ctx context.Context, in hook.Stop) (hook.ContextAnswer, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.ContextAnswer{}, err
	}
	s.Over()
	if session.Off() {
		return hook.ContextAnswer{Message: s.Audit(ctx, mempalace.Turn)}, nil
	}
	defer s.Keep(time.Now())
	keeper := s.State.Keeper
	now := time.Now().UTC()
	spent := s.HoldToBudget(now)
	said, err := turn{Session: s, in: in, attended: s.Attended(), now: now}.end()
	if errors.Is(err, disk.ErrLocked) {
		return hook.ContextAnswer{}, nil // nothing is lost: the next turn looks again from the same place
	}
	if err != nil {
		return hook.ContextAnswer{}, err
	}
	reached := ""
	if spent.Over() && !spent.Told && s.Attended() {
		reached = brief.BudgetReached(spent.Tokens, spent.Limit)
		s.Log(event.Event{Type: event.BudgetReached, Hook: hookName, Took: event.Untimed,
			Data: event.Data{"limit": spent.Limit}})
	}
	return hook.ContextAnswer{Context: said.context, Message: joinLines(said.message, reached,
		brief.Proposed(keeper.Taken, keeper.Refused), s.Audit(ctx, mempalace.Turn))}, nil
}

// joinLines joins the texts that are not empty.
func joinLines(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "\n")
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		hookName, "this turn was not looked at", f.Err)
}
