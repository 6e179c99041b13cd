package sessionstart

import "keepsake/pkg/brief"

// instincts returns the rules that the person made, if the session has not been told of them.
func (s start) instincts() string {
	if s.source == "resume" {
		return ""
	}
	all, err := s.Instincts()
	if err != nil {
		s.Fault("sessionstart", "an instinct could not be read", err)
	}
	return brief.Instincts(all)
}
