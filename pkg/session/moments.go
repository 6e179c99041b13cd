package session

import (
	"errors"

	"keepsake/pkg/brief"
	"keepsake/pkg/stage"
	"keepsake/pkg/triage"
)

// Moments are those of a notice, ready for the desk.
func Moments(n triage.Notice) (said []stage.Moment) {
	for _, m := range n.Moments {
		for _, q := range m.Quotes {
			said = append(said, stage.Moment{Kind: m.Kind, Text: q.Text, Person: q.By == triage.Person})
		}
	}
	return said
}

// Note lays moments on the desk, or where that can't be written among the pending
// work; told says whether the desk has them.
func (s *Session) Note(said []stage.Moment) (told bool, err error) {
	if len(said) == 0 {
		return false, nil
	}
	derr := s.Desk.Note(said...)
	if derr == nil {
		return true, nil
	}
	if err := s.Pending().Note(s.ID, said...); err != nil {
		return false, errors.Join(derr, err)
	}
	s.Fault("stage", "what belongs into the Markdown memories is kept for a later session, since the stage can't be written", derr)
	return false, nil
}

// Told are moments as the agent is told of them.
func Told(said []stage.Moment) (told []brief.Told) {
	for _, m := range said {
		by := triage.Assistant
		if m.Person {
			by = triage.Person
		}
		told = append(told, brief.Told{Kind: m.Kind, Text: m.Text, By: by})
	}
	return told
}

// shownSnippets is how many statements of one category are named as waiting.
const shownSnippets = 3

// Unsaved is what lies on the desk and waits to be saved or written down, one
// statement a line.
func (s *Session) Unsaved() (all []brief.Waiting, err error) {
	contexts, cerr := s.Desk.Contexts()
	for _, c := range contexts {
		for _, text := range c.Snippets[:min(len(c.Snippets), shownSnippets)] {
			all = append(all, brief.Waiting{Label: c.Category.Display(), Text: text})
		}
	}
	said, merr := s.Desk.Moments()
	for _, m := range said {
		all = append(all, brief.Waiting{Label: m.Kind.Display(), Text: m.Text})
	}
	return all, errors.Join(cerr, merr)
}
