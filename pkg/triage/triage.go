// Package triage notices what is worth keeping in what was said: decisions,
// runbooks, constraints, technical debt and preferences by the words of single
// statements, session summaries by how much was done.
//
// A statement scores for a category when one of its primary phrases stands in
// it and nothing undoes that: a negation, a question, a condition, somebody
// else's choice. Boosters (a reason, a contrast, "for now") make it surer, and
// several statements add up. Code, quotations, tables, logs and Keepsake's own
// words do not count. What the person says weighs more than what the assistant
// says about its work, and what they ask to have remembered needs no score.
//
// Moments (progress, a person or an account that changed, a lesson, a
// correction) are heard the same way, by rows of the same table. They are no
// memories of their own and belong into the Markdown ones.
//
// The phrases are English (table, in phrases.go); in other languages only
// requests to /keepsake commands and activity are noticed. Matching is linear in
// the text: an Aho-Corasick automaton over words, no regular expressions.
//
// Scores read as follows: about 0.4 is one plain statement ("let's go with X"),
// about 0.6 one with its reason, above 0.8 several; 1, which is also the score
// of an explicit request, is the most there is in every category.
package triage

import (
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// Speaker is whose words a passage holds.
type Speaker uint8

const (
	Person Speaker = iota + 1
	Assistant
)

// Passage is one message of the conversation, in order.
type Passage struct {
	By   Speaker
	Text string
	ID   string // the caller's name for it, handed back in quotes
}

// Activity counts what happened since the last session summary.
type Activity struct {
	Tools, Distinct, Exchanges int
	Turns                      int // that the person opened
}

// Options are the settings of triage. The zero Options are every category at
// its default threshold.
type Options struct {
	Thresholds map[memory.Category]float64 // 0 to 1; a missing category has its default
	Off        map[memory.Category]bool    // categories that are never noticed
	NoMoments  bool                        // moments are not noticed
	Near       bool                        // also what comes near its threshold, marked as such
}

// Quote is a statement that counted.
type Quote struct {
	Text     string // as it was said, at most maxQuote bytes
	ID       string // of its passage
	By       Speaker
	Explicit bool // the person asked to have it remembered
	Boosted  bool // a booster made it surer: a reason, a contrast
	Score    float64

	passage, line int // where it was said, for Excerpt: the number of its passage from 1, 0 if not known
}

// Signal is a category whose threshold was reached.
type Signal struct {
	Category memory.Category
	Score    float64
	Quotes   []Quote // best first, at most maxQuotes
	Near     bool    // below the threshold, and there because Options.Near asked for it
}

// Notice is what a stretch of conversation holds.
type Notice struct {
	Signals  []Signal // in the order of memory.Categories
	Moments  []Moment // in the order of memory.Moments
	Explicit bool     // the person said remember, or update memory
}

const (
	maxQuotes = 8
	maxQuote  = 800
)

// A statement below audible is noise. One below clear is a weak sign: a few of
// them make one, many do not make certainty.
const (
	audible   = 0.25
	clearSign = 0.40
	weakShare = 0.4 // of a weak sign that counts
	maxWeak   = 4
)

// pasted is the length from which a passage of the person is not taken to be
// typed, in bytes, but for what stands at either end of it, within typed bytes.
const (
	pasted = 1500
	typed  = 300
)

// Defaults are the thresholds of seed 3.
func Defaults() map[memory.Category]float64 {
	return map[memory.Category]float64{
		memory.SessionSummary: 0.6,
		memory.Decision:       0.4,
		memory.Runbook:        0.5,
		memory.Constraint:     0.45,
		memory.TechDebt:       0.4,
		memory.Preference:     0.4,
	}
}

func (o Options) threshold(c memory.Category) float64 {
	if t, ok := o.Thresholds[c]; ok {
		return t
	}
	return Defaults()[c]
}

// nearShare is the share of a threshold that comes near it: a statement with a
// doubt in it, or a choice of the assistant's that nobody gave a reason for.
const nearShare = 0.75

// near is the share of a threshold that is enough.
func (o Options) near() float64 {
	if o.Near {
		return nearShare
	}
	return 1
}

// Max is the highest score of every category: a threshold up to it can be
// reached.
const Max = 1.0

// tally gathers the statements of one category.
type tally struct {
	quotes []Quote
	silent float64 // how likely it is that there is nothing: the product over statements
	weak   int
}

// Read returns the categories whose threshold the passages reach, and what the
// person asked to have remembered. session_summary is not among them; see
// Summary.
func Read(passages []Passage, o Options) Notice {
	l := listener{m: &theMatcher}
	var r reader
	var all [topics]tally
	for t := range all {
		all[t].silent = 1
	}
	var asked []Quote
	var askedBest []scores // of the passage each request stands in
	for i, p := range passages {
		head, tail := typedLines(p)
		l.block, l.parts = -1, [3]float64{}
		var best, held, heldBoost scores
		var heldQuote Quote
		settle := func() {
			for t := decision; t < topics; t++ {
				best[t] = max(best[t], held[t])
				if held[t] >= audible {
					heldQuote.Score, heldQuote.Boosted = held[t], heldBoost[t] > 0
					all[t].add(heldQuote)
				}
			}
			held = scores{}
		}
		requests, block := len(asked), -1
		r.read(p.Text, func(st statement) {
			by := p.By
			if by == Person && st.line > head && st.line < tail {
				by = Assistant
			}
			s, reason, request := l.hear(st, by)
			if s != (scores{}) && points(st.text) {
				s = scores{}
			}
			if st.block == block && held[decision] > 0 {
				held[decision], heldBoost[decision] = surer(held[decision], reason), max(heldBoost[decision], reason)
			}
			settle()
			if request {
				asked = append(asked, quote(p, i, st, Max))
				askedBest = append(askedBest, s)
			}
			block, held, heldBoost = st.block, s, l.boost
			if s != (scores{}) {
				heldQuote = quote(p, i, st, 0)
			}
		})
		settle()
		for n := requests; n < len(asked); n++ {
			if askedBest[n] == (scores{}) {
				askedBest[n] = best
			}
		}
	}
	var n Notice
	found := map[topic]*Signal{}
	for t := decision; t < firstMoment; t++ {
		c := t.category()
		if s := all[t].score(); len(all[t].quotes) > 0 && s >= o.threshold(c)*o.near() && !o.Off[c] {
			found[t] = &Signal{Category: c, Score: s, Quotes: all[t].best(), Near: s < o.threshold(c)}
		}
	}
	if !o.NoMoments {
		n.Moments = moments(all[firstMoment:])
	}
	for i, q := range asked {
		n.Explicit = true
		q.Explicit = true
		t, ok := home(askedBest[i], o)
		if !ok {
			continue
		}
		s := found[t]
		if s != nil && points([]byte(q.Text)) { // what it points at was noticed by itself
			s.Score, s.Near, s.Quotes[0].Explicit = Max, false, true
			continue
		}
		if s == nil {
			s = &Signal{Category: t.category()}
			found[t] = s
		}
		s.Score, s.Near = Max, false
		s.Quotes = slices.DeleteFunc(s.Quotes, func(x Quote) bool { return x.Text == q.Text })
		s.Quotes = slices.Insert(s.Quotes, 0, q)
		s.Quotes = s.Quotes[:min(len(s.Quotes), maxQuotes)]
	}
	for t := decision; t < firstMoment; t++ {
		if s := found[t]; s != nil {
			n.Signals = append(n.Signals, *s)
		}
	}
	return n
}

// typedLines returns the last line that certainly belongs to what was typed
// before something pasted, and the first one of what was typed after it.
func typedLines(p Passage) (head, tail int) {
	if len(p.Text) <= pasted {
		return math.MaxInt, math.MaxInt
	}
	return strings.Count(p.Text[:typed], "\n"), strings.Count(p.Text[:len(p.Text)-typed], "\n")
}

func quote(p Passage, i int, st statement, score float64) Quote {
	text := strings.ToValidUTF8(string(st.text[:min(len(st.text), maxQuote)]), "")
	return Quote{Text: strings.TrimSpace(text), ID: p.ID, By: p.By, Score: score, passage: i + 1, line: st.line}
}

// add counts a statement; one that repeats another is said once.
func (t *tally) add(q Quote) {
	if slices.ContainsFunc(t.quotes, func(x Quote) bool { return x.Text == q.Text }) {
		return
	}
	switch {
	case q.Score >= clearSign:
		t.silent *= 1 - q.Score
	case t.weak < maxWeak:
		t.silent *= 1 - weakShare*q.Score
		t.weak++
	}
	t.quotes = append(t.quotes, q)
	if len(t.quotes) >= 4*maxQuotes {
		t.quotes = t.best()
	}
}

// score is how likely it is that there is something to keep. What comes near
// enough to certainty is certain, so that every threshold can be reached.
func (t *tally) score() float64 {
	return min(Max, (1-t.silent)/0.98)
}

// best returns the best quotes, best first, in the order they were said where
// they are as good.
func (t *tally) best() []Quote {
	slices.SortStableFunc(t.quotes, func(a, b Quote) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return slices.Clone(t.quotes[:min(len(t.quotes), maxQuotes)])
}

// home returns where a request belongs: the category that the statements
// around it fit best, or a preference.
func home(s scores, o Options) (topic, bool) {
	best := topic(0)
	for t := decision; t < firstMoment; t++ {
		if s[t] > s[best] && !o.Off[t.category()] {
			best = t
		}
	}
	if best != 0 {
		return best, true
	}
	for _, t := range []topic{preference, decision, constraint, runbook, techDebt} {
		if !o.Off[t.category()] {
			return t, true
		}
	}
	return 0, false
}

// Summary scores activity by the formula of seed 3, and reports whether it
// reaches the threshold of session_summary.
func Summary(a Activity, o Options) (Signal, bool) {
	score := min(Max, 0.05*float64(a.Tools)+0.10*float64(a.Distinct)+0.02*float64(a.Exchanges))
	if o.Off[memory.SessionSummary] || score < o.threshold(memory.SessionSummary) {
		return Signal{}, false
	}
	return Signal{Category: memory.SessionSummary, Score: score}, true
}
