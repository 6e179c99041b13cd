package sessionstart

import "keepsake/pkg/brief"

// addUnsaved adds what was noticed before this session began, or before its conversation was
// compacted. These are the findings that wait to be saved, which the model has forgotten, and the
// moments of ended sessions, which are told once, where somebody sits at the terminal.
func (s start) addUnsaved(o *brief.Opening) {
	var err error
	switch {
	case !s.Listens():
	case s.source == "compact":
		o.Unsaved, err = s.Unsaved()
	case s.Attended():
		o.Moments, err = s.EndedMoments(s.now)
	}
	if err != nil {
		s.Fault("sessionstart", "what was noticed before could not be told", err)
	}
}
