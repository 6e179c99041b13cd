package session

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/secret"
	"keepsake/pkg/stage"
)

// Migrate makes findings of what versions without a journal left unsaved: what ended
// sessions left, and in a hook also what lies on this session's own desk. With nothing
// to do it reads a folder.
func (s *Session) Migrate(now time.Time) error {
	if !s.Listens() || Off() {
		return nil
	}
	if err := s.Pending().Adopt(adopter{s, now}); err != nil || !s.hook {
		return err // an agent's drafters may be at work on the desk
	}
	return s.Desk.Adopt(s.ID, true, adopter{s, now})
}

// An adopter puts statements of earlier versions into the journal.
type adopter struct {
	*Session
	now time.Time
}

// Statements implements stage.Adopter. Who said them is not known any more.
func (a adopter) Statements(session string, c stage.Context, at time.Time) ([]int, error) {
	var found []finding.Finding
	for _, s := range c.Snippets {
		f := a.unplaced(session, s.Text, at)
		f.Category, f.Score, f.Context = c.Category, c.Score, saidAround(c.Excerpt, s.Text)
		found = append(found, f)
	}
	return a.adopt(found)
}

// Moments implements stage.Adopter.
func (a adopter) Moments(session string, said []stage.Moment, at time.Time) error {
	var found []finding.Finding
	for _, m := range said {
		f := a.unplaced(session, m.Text, at)
		f.Moment = m.Kind
		if m.Person {
			f.By = finding.Typed
		}
		found = append(found, f)
	}
	_, err := a.adopt(found)
	return err
}

// unplaced is a finding of which only its text and session are known.
func (a adopter) unplaced(session, text string, at time.Time) finding.Finding {
	if at.IsZero() {
		at = a.now
	}
	text = oneLine(secret.Redact(text))
	return finding.Finding{
		Text: text, By: finding.Agent, Session: session, Offset: -1, Time: at,
		Level: finding.Sure, Origin: finding.FromAgent, Digest: finding.Digest(text),
	}
}

// adopt puts findings into the journal, durably, but for those that it has or had, and
// returns the numbers of all.
func (a adopter) adopt(found []finding.Finding) (numbers []int, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	ctx, cancel := a.waitForJournal()
	defer cancel()
	_, err = a.Journal().Append(ctx, true, func(last []byte) ([]byte, error) {
		book, err := a.Whole()
		if err != nil {
			return nil, err
		}
		next := book.Next()
		if n, ok := finding.NextNumber(last); ok {
			next = max(next, n)
		}
		known := map[string]int{}
		for _, k := range book.Each(nil) {
			known[k.Digest] = k.Number
		}
		turn := finding.Turn{At: a.now}
		numbers = nil
		for _, f := range found {
			n, ok := known[f.Digest]
			if !ok {
				n = next
				next++
				f.Number = n
				known[f.Digest] = n
				turn.Findings = append(turn.Findings, f)
			}
			numbers = append(numbers, n)
		}
		if len(turn.Findings) == 0 {
			return nil, nil
		}
		return turn.Append(nil, next), nil
	})
	return numbers, err
}

// Bounds of what is kept of the conversation around a statement of an earlier version.
const (
	maxAround = 1000 // bytes of one message
	around    = 3    // messages: the one with the statement and those before it
)

// saidAround returns the messages of an excerpt that lead to a statement. Its labels
// stand in the words of whoever spoke, so that they say nothing sure of whose they are.
func saidAround(excerpt, text string) (all []finding.Line) {
	var messages []string
	for line := range strings.SplitSeq(excerpt, "\n") {
		switch {
		case line == "[user]", line == "[assistant]", len(messages) == 0:
			messages = append(messages, line)
		default:
			messages[len(messages)-1] += " " + line
		}
	}
	at := slices.IndexFunc(messages, func(m string) bool { return strings.Contains(oneLine(m), text) })
	if at < 0 { // the middle of a long excerpt is left out
		at = min(len(messages), around) - 1
	}
	for _, m := range messages[max(0, at-around+1) : at+1] {
		m = oneLine(m)
		if len(m) > maxAround {
			m = strings.ToValidUTF8(m[:maxAround], "") + "…"
		}
		all = append(all, finding.Line{By: finding.Agent, Text: m})
	}
	return all
}
