package triage

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A Statement is a statement that may be worth keeping.
type Statement struct {
	Text     string // whole, at most 2000 bytes; includes the next sentence if that only gives its reason
	By       Speaker
	ID       string // of its passage
	Passage  int    // its index
	Line     int    // of the passage, where the statement begins
	Category memory.Category
	Moment   memory.Moment // instead of a category
	Score    float64
	Cue      string // the phrase that counted, as in the table
	Level    finding.Level
	Explicit bool // the person asked to have it remembered
	Pointer  bool // it only asks for that and says nothing itself: "remember this"
	Boosted  bool // a booster made it surer: a reason, a contrast
}

// Statements returns every statement of the passages that may be worth keeping, in order. Each has one
// category or moment, the one with its highest score.
//
// A statement is sure if its category reaches its threshold, and the statement is clear alone or was needed
// to reach it. So each category that Read reports has a sure statement. A statement is a candidate if it
// reaches half of the threshold, or if it counted for a category that was reached. A request is sure.
func Statements(passages []Passage, o Options) []Statement {
	return statementsIn(listen(passages, nil), o)
}

// Hear returns the Statements of passages and the Units of each. It costs hardly more than one of the two.
func Hear(passages []Passage, o Options) (heard []Statement, units [][]Unit) {
	units = make([][]Unit, len(passages))
	said := listen(passages, func(i int, all []Unit) { units[i] = all })
	return statementsIn(said, o), units
}

func statementsIn(all []spoken, o Options) []Statement {
	if len(all) == 0 {
		return nil
	}
	var reached [topics]bool
	sure := make([]uint16, len(all)) // sets of topics
	for t := decision; t < topics; t++ {
		if !o.hears(t) {
			continue
		}
		w := addUp(all, t, thresholdOf(t))
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

// topic returns the topic of a statement: the one with its highest score, or where its request fits.
func (x *spoken) topic(sure uint16, reached [topics]bool, o Options) (topic, bool) {
	if x.asked {
		return topicOfRequest(x.fitScores(), o)
	}
	best := anyTopic
	for t := decision; t < topics; t++ {
		least := max(thresholdOf(t)/2, whisper)
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

// thresholdOf returns the score of phrases from which a topic is clear. It is on the scale of the table, and
// has nothing to do with the thresholds that a person sets: those act on probabilities.
func thresholdOf(t topic) float64 {
	switch t {
	case runbook:
		return 0.5
	case constraint:
		return 0.45
	case decision, techDebt, preference:
		return 0.4
	}
	return momentThreshold
}

// clearWorth is how likely a person's statement is worth keeping whose phrases just reach their threshold.
const clearWorth = 0.6

// Probability returns how likely a person's statement is worth keeping of which the phrases give a score for
// a category.
func Probability(c memory.Category, score float64) float64 {
	clear := momentThreshold
	for t := decision; t < firstMoment; t++ {
		if t.category() == c {
			clear = thresholdOf(t)
		}
	}
	if score < clear {
		return clearWorth * score / clear
	}
	return clearWorth + (1-clearWorth)*(score-clear)/(1-clear)
}

// A Sentence is one of its author's own: not code, a quotation, a table or a log.
type Sentence struct {
	Text     string
	Line     int // of the text, where the sentence begins
	Question bool
}

// Sentences returns the sentences, headings and items of a text, in order. They are not to be changed: what
// reads a conversation asks for those of a message many times, and they are only found once.
func Sentences(text string) []Sentence { return lastSentences.Of(text, sentencesOf) }

var lastSentences text.Memo[[]Sentence]

func sentencesOf(text string) (all []Sentence) {
	var r reader
	r.eachStatement(text, func(st statement) {
		all = append(all, Sentence{strings.TrimSpace(validUTF8(st.text)), st.line, st.question})
	})
	return slices.Clip(all)
}
