// Package triage cuts a conversation into statements and scores them by a table of phrases. It finds
// decisions, runbooks, constraints, technical debt and preferences by the words of single statements, and
// session summaries by the amount of work done.
//
// A statement scores for a category if it has one of the category's primary phrases and nothing cancels it: a
// negation, a question, a condition, somebody else's choice. Boosters (a reason, a contrast, "for now") raise
// the score, and the scores of several statements add up. Code, quotations, tables, logs and Keepsake's own
// words do not count. A person's statement weighs more than the assistant's about its own work, and a
// person's request to remember something needs no score.
//
// Moments (progress, a person or an account that changed, a lesson, a correction) are found in the same way,
// by rows of the same table. They do not become memories of their own, but belong into the Markdown ones.
//
// The phrases are English (table, in phrases.go), and a few of them German: requests and statements of a
// cause. Other languages are heard by the cues of pkg/capture/cues, which this package does not read.
// Matching takes linear time: it is an Aho-Corasick automaton over words, without regular expressions.
//
// Scores are on the table's own scale: about 0.4 is a plain statement ("let's go with X"), about 0.6 a
// statement with its reason, above 0.8 several statements, and 1 an explicit request. They are no
// probabilities. pkg/capture/score makes those of everything that is known of a statement, this score among
// it, and it is probabilities on which a person's thresholds (Options) act. Probability puts a score of the
// table on their scale.
package triage

import (
	"math"
	"strings"

	"keepsake/pkg/capture/learn"
	"keepsake/pkg/memory"
)

// Speaker is the author of a passage.
type Speaker uint8

const (
	Person Speaker = iota + 1
	Assistant
)

// Passage is one message of the conversation.
type Passage struct {
	By   Speaker
	Text string
	ID   string // chosen by the caller, handed back in quotes
}

// Activity counts what happened since the last session summary.
type Activity struct {
	Tools, Distinct, Exchanges int
	Turns                      int // begun by the person
}

// Options are the settings of triage. The zero Options notice every category at its default threshold.
type Options struct {
	Thresholds map[memory.Category]float64 // 0 to 1; a missing category has its default
	Off        map[memory.Category]bool    // categories that are never noticed
	NoMoments  bool                        // moments are not noticed
	Eagerness  Eagerness
	Learned    *learn.Layer // what the person's answers taught; nil for nothing
}

// Eagerness is how much is noticed and offered.
type Eagerness uint8

// The levels, as capture.level names them.
const (
	Normal Eagerness = iota
	Quiet
	Eager
)

// LevelOf returns the level of a name; any other is Normal.
func LevelOf(name string) Eagerness {
	switch name {
	case "quiet":
		return Quiet
	case "eager":
		return Eager
	}
	return Normal
}

// Cut returns the least probability of being worth keeping with which a statement is a candidate. Under
// cross-validation Normal keeps about 25 candidates a session, which have four fifths of what is worth
// keeping.
func (o Options) Cut() float64 {
	switch o.Eagerness {
	case Quiet:
		return 0.16
	case Eager:
		return 0.04
	}
	return 0.08
}

// Quote is a statement that counted.
type Quote struct {
	Text     string // as it was said
	ID       string // of its passage
	By       Speaker
	Explicit bool // the person asked to have it remembered
	Boosted  bool // a booster made it surer: a reason, a contrast
	Score    float64

	passage, line int // for Excerpt: the number of its passage from 1, or 0 if unknown, and its line
}

// Signal is a category whose threshold was reached.
type Signal struct {
	Category memory.Category
	Score    float64
	Quotes   []Quote // best first
}

// Notice is the result of triage for a stretch of conversation.
type Notice struct {
	Signals  []Signal // in the order of memory.Categories
	Moments  []Moment // in the order of memory.Moments
	Explicit bool     // the person said "remember", or "update memory"
}

// A statement below audible is noise. One below clear is a weak sign: a few of them are enough, but even many
// do not make it certain.
const (
	audible   = 0.25
	clearSign = 0.40
	weakShare = 0.4 // how much of a weak sign counts
	maxWeak   = 4
)

// A passage of the person of more than pasted bytes was not typed, except for the typed bytes at either end.
const (
	pasted = 1500
	typed  = 300
)

// Defaults returns the default thresholds: of statements, the least probability of being worth keeping with
// which one is sure. Under cross-validation three in five of the sure ones state something that a reader
// would keep, and there is about one in a session.
func Defaults() map[memory.Category]float64 {
	return map[memory.Category]float64{
		memory.SessionSummary: 0.6,
		memory.Decision:       0.6,
		memory.Runbook:        0.6,
		memory.Constraint:     0.6,
		memory.TechDebt:       0.6,
		memory.Preference:     0.6,
	}
}

// Threshold returns the least score with which a category is noticed. A quiet level wants half of the doubt
// that the threshold leaves, an eager one half as much again.
func (o Options) Threshold(c memory.Category) float64 {
	t, ok := o.Thresholds[c]
	if !ok {
		t = Defaults()[c]
	}
	if c == memory.SessionSummary {
		return t
	}
	switch o.Eagerness {
	case Quiet:
		return 1 - (1-t)/2
	case Eager:
		return max(0, 1-(1-t)*1.5)
	}
	return t
}

// nearShare is the share of a threshold that comes near it, for a statement with a doubt in it or a choice of
// the assistant without a reason.
const nearShare = 0.8

// Max is the highest score that every category can reach, and so the highest useful threshold.
const Max = 1.0

// typedLines returns the last line that was certainly typed before pasted text, and the first that was typed
// after it.
func typedLines(p Passage) (head, tail int) {
	if len(p.Text) <= pasted {
		return math.MaxInt, math.MaxInt
	}
	return strings.Count(p.Text[:typed], "\n"), strings.Count(p.Text[:len(p.Text)-typed], "\n")
}

// topicOfRequest returns the topic of a request: the category that the statements around it fit best, or
// preference.
func topicOfRequest(s scores, o Options) (topic, bool) {
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

// Summary scores activity by what was done, and reports whether the score reaches the threshold of
// session_summary.
func Summary(a Activity, o Options) (Signal, bool) {
	score := min(Max, 0.05*float64(a.Tools)+0.10*float64(a.Distinct)+0.02*float64(a.Exchanges))
	if o.Off[memory.SessionSummary] || score < o.Threshold(memory.SessionSummary) {
		return Signal{}, false
	}
	return Signal{Category: memory.SessionSummary, Score: score}, true
}
