package explain

import (
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// rescore gives what was heard so far its probability of being worth keeping, in the place of what phrases
// made of it, and its category and level by that. A request is sure whatever the model says. A moment becomes
// a statement of a category only if it is surely one. Nothing that was heard is dropped.
func (l *listening) rescore() {
	l.units = l.cut()
	l.taken = make([]bool, len(l.units))
	for n := range l.heard {
		h := &l.heard[n]
		in, _ := l.inputOf(l.units, h)
		if h.Statement.Explicit {
			l.take(h)
			continue
		}
		c, p := score.Shipped().Judge(&in).Worth(l.o.Off)
		level := l.levelOf(c, p, &in)
		if h.Statement.Moment != "" && level != finding.Sure || c == "" {
			continue
		}
		l.take(h)
		h.Statement.Category, h.Statement.Moment = c, ""
		h.Statement.Score, h.Statement.Level = p, level
	}
}

// take notes that a statement is in what was heard.
func (l *listening) take(h *Heard) {
	for n, u := range l.units {
		if u.Entry == h.Entry && (strings.Contains(h.Statement.Text, u.Text) ||
			strings.Contains(u.Text, h.Statement.Text)) {
			l.taken[n] = true
		}
	}
}

// addLikely adds the statements that are likely worth keeping and that nothing else heard.
func (l *listening) addLikely() {
	m := score.Shipped()
	for n := range l.units {
		u := &l.units[n]
		if l.taken[n] {
			continue
		}
		odds := m.Judge(&u.Input)
		c, p := odds.Worth(l.o.Off)
		if c == "" || p < l.o.Cut() {
			continue
		}
		e := l.entries[u.Entry]
		by := triage.Assistant
		if u.By.Person() {
			by = triage.Person
		}
		l.heard = append(l.heard, Heard{
			Statement: triage.Statement{Text: u.Text, By: by, ID: e.UUID, Passage: u.Entry, Line: u.Line, Category: c,
				Score: p, Cue: m.Cue(&u.Input, c), Level: l.levelOf(c, p, &u.Input)},
			Entry: u.Entry, Text: u.Text, By: u.By, likely: true,
		})
	}
}

// leastSaid is how many words a statement has that is sure by itself.
const leastSaid = 4

// levelOf returns how sure a statement is. A heading, a question and what only leads to a list state nothing
// by themselves.
func (l *listening) levelOf(c memory.Category, p float64, in *score.Input) finding.Level {
	if p < l.o.Threshold(c) || in.Heading || in.Question && in.From != score.Answer ||
		strings.HasSuffix(strings.TrimRight(in.Text, " *_"), ":") || len(strings.Fields(in.Text)) < leastSaid {
		return finding.Candidate
	}
	return finding.Sure
}
