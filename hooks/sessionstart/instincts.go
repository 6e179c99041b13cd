package main

import "keepsake/pkg/brief"

// instincts tells a session that has not heard of them the rules that the person made.
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
