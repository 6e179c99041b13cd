// Package triage notices what is worth keeping in what was said.
package triage

import "keepsake/pkg/memory"

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
type Activity struct{ Tools, Distinct, Exchanges int }

// Options are the settings of triage. The zero Options use Defaults and every category.
type Options struct {
	Thresholds map[memory.Category]float64 // a missing category has its default
	Off        map[memory.Category]bool    // categories that are never noticed
}

// Quote is a statement that counted.
type Quote struct {
	Text     string
	ID       string // of its passage
	By       Speaker
	Explicit bool // the person asked to have it remembered
	Score    float64
}

// Signal is a category whose threshold was reached.
type Signal struct {
	Category memory.Category
	Score    float64
	Quotes   []Quote // best first
}

// Notice is what a stretch of conversation holds.
type Notice struct {
	Signals  []Signal // in the order of memory.Categories
	Explicit bool     // the person said remember, or update memory
}

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

// Read returns the categories whose threshold the passages reach.
func Read(passages []Passage, o Options) Notice { return Notice{} }

// Summary scores activity.
func Summary(a Activity, o Options) (Signal, bool) {
	score := min(1, 0.05*float64(a.Tools)+0.10*float64(a.Distinct)+0.02*float64(a.Exchanges))
	threshold, ok := o.Thresholds[memory.SessionSummary]
	if !ok {
		threshold = Defaults()[memory.SessionSummary]
	}
	if o.Off[memory.SessionSummary] || score < threshold {
		return Signal{}, false
	}
	return Signal{Category: memory.SessionSummary, Score: score}, true
}

// Excerpt returns the surroundings of each quote of s.
func Excerpt(passages []Passage, s Signal) string { return "" }
