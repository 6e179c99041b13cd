package triage

import (
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// A Statement is one that may be worth keeping.
type Statement struct {
	Text     string // whole, at most 2000 bytes; with the next sentence if that is only its reason
	By       Speaker
	ID       string // of its passage
	Passage  int    // index of it
	Line     int    // of the passage, where the statement begins
	Category memory.Category
	Moment   memory.Moment // in the place of a category
	Score    float64
	Cue      string // the phrase that counted, as the table has it
	Level    finding.Level
	Explicit bool // the person asked to have it remembered
	Pointer  bool // it asks for that and says nothing itself: "remember this"
	Boosted  bool // a booster made it surer: a reason, a contrast
}

// Statements returns every statement of the passages that may be worth keeping, in
// the order they were said: as many as there are. Each belongs to one category or
// moment, that in which it is surest.
//
// A statement is sure when its category reaches its threshold and the statement is a
// clear sign by itself or one of those that it took to get there; so what Read
// reports has a sure one. It is a candidate when it reaches half of the threshold, or
// counted for a category that was reached. A request is sure.
func Statements(passages []Passage, o Options) []Statement {
	all := listen(passages)
	if len(all) == 0 {
		return nil
	}
	var reached [topics]bool
	sure := make([]uint16, len(all)) // sets of topics
	for t := decision; t < topics; t++ {
		if !o.hears(t) {
			continue
		}
		w := addUp(all, t, o.thresholdOf(t))
		reached[t] = w.least > 0
		for _, i := range w.order {
			if reached[t] && all[i].scores[t] >= min(w.least, clearSign) {
				sure[i] |= 1 << t
			}
		}
	}
	var found []Statement
	for i := range all {
		x := &all[i]
		t, ok := x.topic(sure[i], reached, o)
		if !ok {
			continue
		}
		s := Statement{
			Text: x.text, By: x.by, ID: x.id, Passage: x.passage, Line: x.line,
			Category: t.category(), Moment: t.moment(), Score: x.scores[t], Cue: theMatcher.phrase(x.cues[t]),
			Level: finding.Candidate, Boosted: x.boosted>>t&1 != 0,
		}
		if sure[i]>>t&1 != 0 {
			s.Level = finding.Sure
		}
		if x.asked {
			s.Explicit, s.Pointer, s.Level, s.Score = true, x.points, finding.Sure, Max
			s.Cue = theMatcher.phrase(x.request)
		}
		found = append(found, s)
	}
	return found
}

// topic returns the one that a statement belongs to: that in which it is surest, or
// where a request fits.
func (x *spoken) topic(sure uint16, reached [topics]bool, o Options) (topic, bool) {
	if x.asked {
		return home(x.fits(), o)
	}
	best := anyTopic
	for t := decision; t < topics; t++ {
		least := max(o.thresholdOf(t)/2, whisper)
		if reached[t] {
			least = min(least, audible)
		}
		if !o.hears(t) || x.scores[t] < least {
			continue
		}
		is, was := sure>>t&1, sure>>best&1
		if best == anyTopic || is > was || is == was && x.scores[t] > x.scores[best] {
			best = t
		}
	}
	return best, best != anyTopic
}

// hears reports whether a topic is noticed at all.
func (o Options) hears(t topic) bool {
	if t >= firstMoment {
		return !o.NoMoments
	}
	return !o.Off[t.category()]
}

// thresholdOf returns the threshold of a topic.
func (o Options) thresholdOf(t topic) float64 {
	if t >= firstMoment {
		return momentThreshold
	}
	return o.threshold(t.category())
}

// A Sentence is one that its author made: not code, a quotation, a table or a log.
type Sentence struct {
	Text     string
	Line     int // of the text, where the sentence begins
	Question bool
}

// Sentences returns the sentences, headings and items of a text, in order.
func Sentences(text string) (all []Sentence) {
	var r reader
	r.read(text, func(st statement) {
		all = append(all, Sentence{strings.TrimSpace(valid(st.text)), st.line, st.question})
	})
	return all
}
