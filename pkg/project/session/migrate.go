package session

import (
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Migrate makes findings of what versions without a journal left unsaved: what ended sessions left,
// and in a hook also what lies on this session's own desk. With nothing to do it reads one folder.
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
	in  *Session
	now time.Time
}

// Earlier is the cue of a finding from a version without a journal, which did not keep how it was
// noticed.
const Earlier = "earlier version"

// Statements implements stage.Adopter. The old context says who made a statement. Nothing proves
// that any more, so its origin is the agent.
func (a adopter) Statements(session string, c stage.Context, at time.Time) ([]int, error) {
	var found []finding.Finding
	for _, s := range c.Snippets {
		f := a.unplaced(session, s.Text, at)
		f.Category, f.Score = c.Category, c.Score
		f.Context, f.By = saidAround(c.Excerpt, s.Text)
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

// unplaced returns a finding of which only the text and the session are known.
func (a adopter) unplaced(session, statement string, at time.Time) finding.Finding {
	if at.IsZero() {
		at = a.now
	}
	statement = text.OneLine(secret.Redact(statement))
	return finding.Finding{
		Text: statement, By: finding.Agent, Session: session, Offset: -1, Time: at, Cue: Earlier,
		Level: finding.Sure, Origin: finding.FromAgent, Digest: finding.Digest(statement),
	}
}

// adopt puts findings into the journal, durably, and returns the numbers of all. Those that the
// journal has, or had, are not added.
func (a adopter) adopt(found []finding.Finding) (numbers []int, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	ctx, cancel := a.in.lockContext()
	defer cancel()
	_, err = a.in.Journal().Append(ctx, true, func(last []byte) ([]byte, error) {
		book, err := a.in.Whole()
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

// saidAround returns the messages of an excerpt that lead to a statement, and who made it, by the
// label above it. It is the agent's where it stands under no label or under both. Speakers can
// write labels themselves, so they prove nothing.
func saidAround(excerpt, statement string) (all []finding.Line, by finding.Speaker) {
	type message struct {
		by   finding.Speaker
		text string
	}
	messages := []message{}
	statement = text.OneLine(statement)
	for line := range strings.SplitSeq(excerpt, "\n") {
		switch {
		case line == "[user]":
			messages = append(messages, message{finding.Typed, line})
		case line == "[assistant]", len(messages) == 0:
			messages = append(messages, message{finding.Agent, line})
		default:
			messages[len(messages)-1].text += " " + line
		}
	}
	at, typed, said := -1, false, false
	for i, m := range messages {
		if statement == "" || !strings.Contains(text.OneLine(m.text), statement) {
			continue
		}
		if at < 0 {
			at = i
		}
		typed, said = typed || m.by == finding.Typed, said || m.by == finding.Agent
	}
	by = finding.Agent
	if typed && !said {
		by = finding.Typed
	}
	if at < 0 { // the middle of a long excerpt is left out
		at = min(len(messages), around) - 1
	}
	for _, m := range messages[max(0, at-around+1) : at+1] {
		l := text.OneLine(m.text)
		if len(l) > maxAround {
			l = strings.ToValidUTF8(l[:maxAround], "") + "…"
		}
		all = append(all, finding.Line{By: finding.Agent, Text: l})
	}
	return all, by
}
