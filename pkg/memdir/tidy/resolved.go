package tidy

import (
	"fmt"
	"slices"
)

// Resolved is a contradiction and what becomes of it.
type Resolved struct {
	Call Call     `json:"call"`
	By   []Change `json:"by"`
}

// answered records which calls of the sheet are open, which are kept, and how contradictions were resolved.
// A call is answered by its number, or by a change of one of its statements.
func (w *planner) answered(calls []Call) {
	w.out.keeps, w.out.settles = map[int]bool{}, map[int]bool{}
	all := slices.Concat(w.out.Done, w.out.Kept)
	for _, call := range calls {
		var by, numbered []Change
		for _, c := range all {
			switch {
			case c.Action == "keep" && c.Call != call.Number && w.means(c):
				// it keeps the call of its number, and no other one of the same statement
			case call.about(c):
				by = append(by, c)
			case c.Call == call.Number && c.Action != "heading":
				numbered = append(numbered, c)
			}
		}
		if len(by) == 0 {
			by = numbered // a number may be a slip: what is done to the statements counts first
		}
		switch {
		case len(by) == 0:
			w.out.Open = append(w.out.Open, call)
			continue
		case call.Kind != Contradiction:
		case slices.ContainsFunc(by, settles):
			w.out.Resolved = append(w.out.Resolved, Resolved{call, by})
		default:
			w.out.Standing = append(w.out.Standing, Resolved{call, by})
		}
		if slices.ContainsFunc(by, func(c Change) bool { return c.Action != "keep" }) {
			w.out.settles[call.Number] = true
		} else {
			w.out.keeps[call.Number] = true
		}
	}
}

// settles reports whether a change leaves only one of two statements that contradict each other, or lets
// one say something else.
func settles(c Change) bool {
	return c.Action == "delete" || c.Action == "replace" || c.Action == "merge"
}

// did returns in words what was done about contradictions, by the actions.
func did(all []Resolved) string {
	var done []Change
	for _, r := range all {
		best := r.By[0]
		for _, c := range r.By {
			if settles(c) && !settles(best) {
				best = c
			}
		}
		done = append(done, best)
	}
	return Report{Done: done}.Changes()
}

// Contradictions returns in words what became of the contradictions that were answered.
func (r Report) Contradictions() string {
	said := fmt.Sprintf("%d resolved", len(r.Resolved))
	if len(r.Resolved) > 0 {
		said += " (" + did(r.Resolved) + ")"
	}
	if n := len(r.Standing); n > 0 {
		said += fmt.Sprintf(", %d with both statements left (%s)", n, did(r.Standing))
	}
	return said
}

// means reports whether the number of an answer is that of a call which it may be about: one with the
// statement that it names, or any if it names none.
func (w *planner) means(c Change) bool {
	i := slices.IndexFunc(w.calls, func(call Call) bool { return call.Number == c.Call })
	return i >= 0 && (c.Text == "" || w.calls[i].about(c))
}
