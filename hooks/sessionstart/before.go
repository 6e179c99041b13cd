package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
)

// before adds what was heard before this session began, or before its conversation
// was compacted: what waits to be saved, which the model has forgotten, and what
// ended sessions heard for the Markdown memories, which is told once, where
// somebody sits at the terminal.
func (s start) before(o *brief.Opening) {
	var err error
	switch {
	case !s.Listens():
	case s.source == "compact":
		o.Unsaved, err = s.Unsaved()
	case session.Attended():
		o.Moments, err = s.EndedMoments(s.now)
	}
	if err != nil {
		s.Fault("sessionstart", "what was noticed before could not be told", err)
	}
}
