package sessionstart

import (
	"context"
	"errors"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/handoff"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
)

// A start is one call of the hook.
type start struct {
	*session.Session
	source string // startup, resume, clear, compact
	model  string // "" where the client names none
	now    time.Time
}

// brief begins the session's state and returns where the work stands, as the session is told. A step that
// fails is put into the ledger and costs nothing but itself.
func (s start) brief(ctx context.Context) string {
	if _, err := s.FollowMove(true); err != nil {
		s.Fault("sessionstart", "what is known of the project could not follow its folder", err)
	}
	if err := s.Migrate(s.now); err != nil {
		s.Fault("sessionstart", "what an earlier version left unsaved could not be taken over", err)
	}
	if err := s.Sweep(); err != nil {
		s.Fault("sessionstart", "unsaved work of an ended session could not be put aside", err)
	}
	if err := s.TidyFindings(s.now); err != nil && !errors.Is(err, disk.ErrLocked) {
		s.Fault("sessionstart", "what has waited for long could not be looked through", err)
	}
	s.check(ctx) // before a memory is told
	s.branches(ctx)
	news, told := s.NewsAtStart(s.now)
	if err := s.begin(told); err != nil {
		s.Fault("sessionstart", "the session's state could not be written", err)
	}
	// One that goes on has its own past before it, whole or summarised, but not
	// what happened beside it.
	fresh := s.source == "startup" || s.source == "clear"
	o, err := handoff.Look{Session: s.Session, Client: layout.Client(s.State.Transcript),
		Now: s.now}.Opening(ctx, fresh)
	if err != nil {
		s.Fault("sessionstart", "where the work stands could not be read whole", err)
	}
	o.News = news
	s.addUnsaved(&o)
	s.give(o)
	return brief.Start(o)
}

// give notes which memories the brief has.
func (s start) give(o brief.Opening) {
	paths := o.Given()
	if len(paths) == 0 {
		return
	}
	err := s.Update(func(st *stage.State) error {
		s.Give(st, usage.Start, s.now, paths...)
		return nil
	})
	if err != nil && !errors.Is(err, disk.ErrLocked) {
		s.Fault("sessionstart", "which memories a session began with could not be noted", err)
	}
}

// begin writes the session's state. A new session is read from its beginning. A resumed session goes on
// where it was, in a new client. After a compaction the model no longer knows what it was shown.
func (s start) begin(told func(*stage.State)) error {
	return s.Update(func(st *stage.State) error {
		switch s.source {
		case "startup", "clear":
			st.Fresh = !s.Known || st.Fresh
		case "compact":
			st.Compacted(s.now)
		}
		st.Client, st.Over = session.Client(), false
		if s.source != "compact" {
			st.Versions = stage.Versions{}
			session.NoteVersion(st)
		}
		s.Runs(st, s.model, s.source)
		if st.Looked.IsZero() {
			st.Looked = s.now
		}
		if told != nil {
			told(st)
		}
		return nil
	})
}
