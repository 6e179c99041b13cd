package triage

import "keepsake/pkg/memory"

// A Moment is a kind of news found in the conversation that should be written down now, and is of
// none of the categories.
type Moment struct {
	Kind   memory.Moment
	Score  float64
	Quotes []Quote // best first
}

// momentThreshold is the score at which a moment is noticed. A false one costs a turn of the conversation; a
// missed one is still in the summary.
const momentThreshold = 0.4

// moment returns the moment of a topic that is no category.
func (t topic) moment() memory.Moment {
	switch t {
	case progress:
		return memory.Progress
	case entity:
		return memory.Entity
	case pattern:
		return memory.Pattern
	case correction:
		return memory.Correction
	}
	return ""
}
