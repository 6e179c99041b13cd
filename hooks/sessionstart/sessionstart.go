// Package sessionstart answers SessionStart, the event when a session begins, goes on or was compacted. It
// begins the session's state, puts the unsaved work of dead sessions where it can be found, and
// gives a short brief: where the work stands, how the last session ended and what waits.
package sessionstart

import (
	"context"
	"errors"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
)

// Run answers one SessionStart and returns the exit code.
func Run() int {
	return hook.RunSessionStart(hook.Options{Fault: fault}, answer)
}

func answer(ctx context.Context, in hook.SessionStart) (hook.ContextAnswer, error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if errors.Is(err, session.ErrNoState) && !session.Off() { // nor is there a ledger that could say so
		return hook.ContextAnswer{Message: "keepsake: " + err.Error()}, nil
	}
	if err != nil {
		return hook.ContextAnswer{}, err
	}
	if in.Source != "compact" { // no turn is under way, also where the client was killed in one
		s.Over()
	}
	defer s.Audit(ctx, mempalace.Start)
	if session.Off() {
		return hook.ContextAnswer{}, nil
	}
	begun := time.Now()
	s.Settle() // before the client's memory files are looked at
	s.ClearLeftovers(begun)
	if err := s.ReopenWritten(s.Book, begun.UTC()); err != nil {
		s.Fault("sessionstart", "what memory files had of the findings could not be looked at", err)
	}
	s.RenewGuards("sessionstart")
	st := start{Session: s, source: in.Source, model: in.Model, now: begun.UTC()}
	signed := st.takeSigned(ctx) // before anything is told
	opening, instincts, overgrown := st.brief(ctx), st.instincts(), st.overgrown()
	due, done := st.upkeep(ctx)
	row, digest := st.digest()
	said := join(opening, instincts, overgrown, due, digest)
	all := []event.Event{{Type: event.SessionStart, Hook: "sessionstart", Took: time.Since(begun),
		Data: event.Data{"source": in.Source, "bytes": len(said)}}}
	if said != "" {
		all = append(all, session.Added("sessionstart", said))
	}
	s.Log(all...)
	message := st.installation(join(st.waits(), signed, st.came(), st.merged(ctx), done, st.vanished(),
		st.lockless(), row))
	return hook.ContextAnswer{Context: said, Message: message}, nil
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		"sessionstart", "a session began without its brief", f.Err)
}
