package session

import (
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
)

// Form returns the form in which the agent writes findings up, or "" if it has it already or writes none up.
// A caller that says it sets Form in the session's state.
func (s *Session) Form() string {
	c := s.Config.Capture
	if s.State.Form || !s.Listens() || !s.Attended() || c.Drafters && !s.Codex() || c.MaxSaves <= 0 ||
		c.OnStop != config.Save && c.OnStop != config.Ride {
		return ""
	}
	return brief.Form(layout.CommandPath())
}

// FormFor returns Form if a prompt says something that the agent will be asked to write up. At Stop the form
// would stand on the person's screen; beside a prompt it is out of sight.
func (s *Session) FormFor(prompt string) string {
	form := s.Form()
	if form == "" {
		return ""
	}
	heard := explain.Listen(nil, []transcript.Entry{{Who: transcript.Person, Text: prompt, Offset: -1}},
		s.Config.TriageOptions())
	if !slices.ContainsFunc(heard, func(h explain.Heard) bool {
		return h.Statement.Level == finding.Sure && h.Statement.Moment == ""
	}) {
		return ""
	}
	return form
}
