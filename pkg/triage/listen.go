package triage

import (
	"slices"
	"strings"
)

// spoken is a statement that scored for some topic, or that asks for something to
// be remembered.
type spoken struct {
	text    string  // whole, see maxText
	own     int     // bytes of text that are the statement itself: the rest is its reason
	by      Speaker //
	id      string  // of its passage
	passage int     // index of it
	line    int     // of the passage
	scores  scores  //
	boosted uint16  // set of topics that a booster made surer
	cues    [topics]place
	asked   bool   // it is a request
	points  bool   // and only points at what was said elsewhere
	request place  // the phrase that asks
	around  scores // of a request: what the statements of its passage score at best
}

// maxText is the length of a statement that is kept, in bytes.
const maxText = 2000

// whisper is the score below which a statement says nothing, whatever the
// thresholds are.
const whisper = 0.2

// joinedReason is how much a sentence must do to explain the decision in the one
// before for being kept with it.
const joinedReason = 0.2

// listen returns all that was said in passages and may count, in order. What is said
// twice is one statement: the person's, if they are among those who said it.
func listen(passages []Passage) []spoken {
	l := listener{m: &theMatcher}
	var r reader
	var all []spoken
	said := map[string]int{} // index in all, by text
	for i, p := range passages {
		head, tail := typedLines(p)
		l.block, l.parts = -1, [3]float64{}
		var best scores
		var held spoken // waits for the next sentence, which may be its reason
		var requests []int
		block, waits := -1, false
		settle := func() {
			if !waits {
				return
			}
			waits = false
			for t := decision; t < topics; t++ {
				best[t] = max(best[t], held.scores[t])
			}
			if !held.asked && slices.Max(held.scores[:]) < whisper {
				return
			}
			at, again := said[held.text[:held.own]]
			if again = again && !held.points; again {
				all[at].merge(held)
			} else {
				at = len(all)
				all = append(all, held)
				said[held.text[:held.own]] = at
			}
			if held.asked {
				requests = append(requests, at)
			}
		}
		r.read(p.Text, func(st statement) {
			by := p.By
			if by == Person && st.line > head && st.line < tail {
				by = Assistant
			}
			s, reason, request := l.hear(st, by)
			scored := s != (scores{})
			points := (scored || request) && (l.back || points(st.text))
			if points {
				s, scored = scores{}, false
			}
			if waits && st.block == block && held.scores[decision] > 0 && reason > 0 {
				held.scores[decision] = surer(held.scores[decision], reason)
				held.boosted |= 1 << decision
				if reason >= joinedReason && !request && slices.Max(s[:]) < audible && held.join(st.text) {
					scored = false
				}
			}
			if waits && st.block == block && l.fixed && !request && held.isRunbook() && held.join(st.text) {
				// what helped against it
				held.scores[runbook], scored = max(held.scores[runbook], s[runbook]), false
			}
			settle()
			if block = st.block; !scored && !request {
				return
			}
			held, waits = spoken{by: p.By, id: p.ID, passage: i, line: st.line, scores: s, cues: l.cues}, true
			held.text = strings.TrimSpace(valid(st.text[:min(len(st.text), maxText)]))
			held.own = len(held.text)
			for t, b := range l.boost {
				if b > 0 {
					held.boosted |= 1 << t
				}
			}
			if request {
				held.asked, held.points, held.request = true, points, l.asked
			}
		})
		settle()
		for _, at := range requests {
			for t, score := range best {
				all[at].around[t] = max(all[at].around[t], score)
			}
		}
	}
	return all
}

func valid(text []byte) string { return strings.ToValidUTF8(string(text), "") }

// isRunbook reports whether a statement says before all what broke or why.
func (x *spoken) isRunbook() bool {
	return x.scores[runbook] > 0 && x.scores[runbook] == slices.Max(x.scores[:])
}

// join puts the reason of a statement behind it, and reports whether there was room.
func (x *spoken) join(reason []byte) bool {
	text := x.text + " " + strings.TrimSpace(valid(reason))
	if len(text) > maxText {
		return false
	}
	x.text = text
	return true
}

// merge takes in that a statement was said again.
func (x *spoken) merge(y spoken) {
	if y.by == Person && x.by != Person {
		*x, y = y, *x
	}
	for t := range x.scores {
		if y.scores[t] > x.scores[t] {
			x.scores[t], x.cues[t] = y.scores[t], y.cues[t]
		}
	}
	x.boosted |= y.boosted
	if len(y.text) > len(x.text) {
		x.text = y.text // with its reason
	}
	if y.asked && !x.asked {
		x.asked, x.request = true, y.request
	}
	for t, score := range y.around {
		x.around[t] = max(x.around[t], score)
	}
}

// fits returns the scores by which a request finds its category: its own, or those of
// what was said around it.
func (x *spoken) fits() scores {
	if x.scores == (scores{}) {
		return x.around
	}
	return x.scores
}

// weighed is what the statements of one topic come to.
type weighed struct {
	order []int   // of those that count, best first
	score float64 // how likely it is that there is something to keep
	least float64 // score of the last of the best that it takes to reach the threshold; 0 when all do not
}

// addUp adds up the statements of a topic, the best first, so that their order does
// not matter. What comes near enough to certainty is certain, so that every threshold
// can be reached.
func addUp(all []spoken, t topic, threshold float64) (w weighed) {
	for i := range all {
		if all[i].scores[t] >= audible {
			w.order = append(w.order, i)
		}
	}
	slices.SortStableFunc(w.order, func(i, j int) int {
		switch a, b := all[i].scores[t], all[j].scores[t]; {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	silent, weak := 1.0, 0
	for _, i := range w.order {
		switch s := all[i].scores[t]; {
		case s >= clearSign:
			silent *= 1 - s
		case weak < maxWeak:
			silent *= 1 - weakShare*s
			weak++
		}
		if w.score = min(Max, (1-silent)/0.98); w.least == 0 && w.score >= threshold {
			w.least = all[i].scores[t]
		}
	}
	return w
}
