package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
)

// quotesOf returns what a person said of a memory that is theirs, word for word.
func quotesOf(s *session.Session) func(memory.Stored) []string {
	return func(m memory.Stored) []string {
		if t := s.TrustOf(m); t.Origin == finding.FromPerson {
			return t.Quotes
		}
		return nil
	}
}

// marked says in a list whose words a memory has, "" where there is nothing to say.
func marked(t session.TrustLevel) string {
	switch {
	case t.Held:
		return "held: " + brief.Line(t.Why)
	case t.Known() && t.Origin == finding.FromAgent && !t.Accepted():
		return "said by the agent"
	case t.Accepted():
		return "accepted by the user"
	}
	return ""
}
