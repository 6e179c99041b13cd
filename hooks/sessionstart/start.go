package main

import (
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// A start is one call of the hook.
type start struct {
	*session.Session
	source string // startup, resume, clear, compact
	now    time.Time
}

// brief begins the session's state and returns what the session is told. A step
// that fails is put into the ledger and costs nothing but itself.
func (s start) brief() string {
	if err := s.Sweep(); err != nil {
		s.Fault("sessionstart", "unsaved work of an ended session could not be put aside", err)
	}
	news, told := s.NewsAtStart(s.now)
	if err := s.begin(told); err != nil {
		s.Fault("sessionstart", "the session's state could not be written", err)
	}
	o := brief.Opening{News: news}
	if s.source == "startup" || s.source == "clear" {
		// One that goes on has its own past before it, whole or summarised.
		var err error
		if o.Last, o.Count, err = s.last(); err != nil {
			s.Fault("sessionstart", "the last session's summary could not be read", err)
		}
	}
	return brief.Start(o)
}

// begin writes the session's state. A new session is read from its beginning;
// one that is resumed goes on where it was, in a new client; after a compaction
// the model has forgotten what it was shown.
func (s start) begin(told func(*stage.State)) error {
	return s.Update(func(st *stage.State) error {
		switch s.source {
		case "startup", "clear":
			st.Fresh = !s.Known || st.Fresh
		case "compact":
			st.Compacted(s.now)
		}
		st.Client = session.Client()
		if st.Looked.IsZero() {
			st.Looked = s.now
		}
		if told != nil {
			told(st)
		}
		return nil
	})
}

// last is the newest session summary, nil when there is none, and the number of
// memories in the store.
func (s start) last() (newest *memory.Stored, count int, err error) {
	if !s.Config.Retrieval.Enabled || !s.Config.Categories[memory.SessionSummary].Enabled {
		return nil, 0, nil
	}
	store := s.Store()
	// What was edited in place since the last session is found here: it takes a
	// look at each record.
	err = s.Sync(func(index *recall.Index) error {
		count = index.Len()
		sessions, err := index.List(memory.SessionSummary, 0)
		for _, h := range sessions {
			m, err := store.Read(h.Path)
			if err == nil && m.Status == memory.Active && (newest == nil || m.UpdatedAt > newest.UpdatedAt) {
				newest = &m
			}
		}
		return err
	})
	return newest, count, err
}
