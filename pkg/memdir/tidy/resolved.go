package tidy

import (
	"slices"
)

// Resolved is a contradiction and what becomes of it.
type Resolved struct {
	Call Call     `json:"call"`
	By   []Change `json:"by"`
}

// answered records which calls of the sheet are open and how contradictions were resolved. A call is
// answered by its number, or by a change of one of its statements.
func (w *planner) answered(calls []Call) {
	all := slices.Concat(w.out.Done, w.out.Kept)
	for _, call := range calls {
		var by, numbered []Change
		for _, c := range all {
			if call.about(c) {
				by = append(by, c)
			} else if c.Call == call.Number && c.Action != "heading" {
				numbered = append(numbered, c)
			}
		}
		if len(by) == 0 {
			by = numbered // a number may be a slip: what is done to the statements counts first
		}
		switch {
		case len(by) == 0:
			w.out.Open = append(w.out.Open, call)
		case call.Kind == Contradiction:
			w.out.Resolved = append(w.out.Resolved, Resolved{call, by})
		}
	}
}
