package triage

import (
	"slices"
	"strings"
)

// spoken is a statement that scored for a topic, or that asks to remember something.
type spoken struct {
	text    string  // whole, see maxText
	own     int     // bytes of text that are the statement itself; the rest is its reason
	by      Speaker //
	id      string  // of its passage
	passage int     // its index
	line    int     // of the passage
	scores  scores  //
	boosted uint16  // set of topics whose score a booster raised
	cues    [topics]place
	asked   bool   // it is a request
	points  bool   // and only points at something said elsewhere
	request place  // the phrase that asks
	around  scores // of a request: the best scores among the statements of its passage
}

// maxText is how many bytes of a statement are kept.
const maxText = 2000

// whisper is the score below which a statement counts for nothing, whatever the thresholds.
const whisper = 0.2

// joinedReason is how well a sentence must explain the decision before it to be kept with it.
const joinedReason = 0.2

// listen returns everything in passages that may count, in order. A statement said twice is one; it is the
// person's if they said it. It calls units, which may be nil, with the units of each passage.
func listen(passages []Passage, units func(i int, all []Unit)) []spoken {
	l := listener{m: &theMatcher}
	var r reader
	var all []spoken
	said := map[string]int{} // index in all, by text
	for i, p := range passages {
		head, tail := typedLines(p)
		l.block, l.parts = -1, [3]float64{}
		var best scores
		var held spoken // waits for the next sentence, which may give its reason
		var requests []int
		block, waits := -1, false
		cut := unitCutter{piece: -1}
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
		r.eachStatement(p.Text, func(st statement) {
			by := p.By
			if by == Person && st.line > head && st.line < tail {
				by = Assistant
			}
			s, reason, request := l.scoreStatement(st, by)
			if units != nil {
				cut.take(st, s, reason, by != p.By)
			}
			scored := s != (scores{})
			points := (scored || request) && (l.back || isPointer(st.text))
			if points {
				s, scored = scores{}, false
			}
			if waits && st.block == block && held.scores[decision] > 0 && reason > 0 {
				held.scores[decision] = raise(held.scores[decision], reason)
				held.boosted |= 1 << decision
				if reason >= joinedReason && !request && slices.Max(s[:]) < audible && held.join(st.text) {
					scored = false
				}
			}
			if waits && st.block == block && l.fixed && !request && held.isRunbook() && held.join(st.text) {
				// the next sentence says what helped
				held.scores[runbook], scored = max(held.scores[runbook], s[runbook]), false
			}
			settle()
			if block = st.block; !scored && !request {
				return
			}
			held, waits = spoken{by: p.By, id: p.ID, passage: i, line: st.line, scores: s, cues: l.cues}, true
			held.text = strings.TrimSpace(validUTF8(st.text[:min(len(st.text), maxText)]))
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
		if units != nil {
			units(i, cut.all)
		}
		for _, at := range requests {
			for t, score := range best {
				all[at].around[t] = max(all[at].around[t], score)
			}
		}
	}
	return all
}

func validUTF8(text []byte) string { return strings.ToValidUTF8(string(text), "") }

// isRunbook reports whether a statement is mainly about what broke, or why.
func (x *spoken) isRunbook() bool {
	return x.scores[runbook] > 0 && x.scores[runbook] == slices.Max(x.scores[:])
}

// join appends a reason to a statement, and reports whether there was room.
func (x *spoken) join(reason []byte) bool {
	text := x.text + " " + strings.TrimSpace(validUTF8(reason))
	if len(text) > maxText {
		return false
	}
	x.text = text
	return true
}

// merge adds to a statement that it was said again, as y.
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
		x.text = y.text // y has a reason with it
	}
	if y.asked && !x.asked {
		x.asked, x.request = true, y.request
	}
	for t, score := range y.around {
		x.around[t] = max(x.around[t], score)
	}
}

// fitScores returns the scores that choose a request's category: its own, or the best of its passage.
func (x *spoken) fitScores() scores {
	if x.scores == (scores{}) {
		return x.around
	}
	return x.scores
}

// weighed is the sum of the statements of one topic.
type weighed struct {
	order []int   // indices of those that count, best first
	score float64 // probability that there is something to keep
	least float64 // score of the last statement needed to reach the threshold; 0 if it is not reached
}

// addUp adds up the statements of a topic, best first, so that their order does not matter. A sum near
// certainty is rounded up to it, so that every threshold can be reached.
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
