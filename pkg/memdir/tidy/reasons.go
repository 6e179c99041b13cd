package tidy

import (
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// reasons returns the Why and the How to apply of a fact, which go where it goes. There are none if the fact
// shares them with another statement of its section.
func (f *draft) reasons(s Statement) (all []Statement) {
	if isReason(s) {
		return nil
	}
	from, to := f.sectionOf(s)
	for _, t := range f.said {
		switch {
		case t.Line < from || t.Line > to || t.Line == s.Line:
		case isReason(t) && t.Line > s.Line:
			all = append(all, t)
		case markdown.IsStamp(t.Text):
		default:
			return nil
		}
	}
	return all
}

// isReason reports whether a statement is the Why or the How to apply of another one.
func isReason(s Statement) bool {
	return memdir.Label(s.Text, "why") || memdir.Label(s.Text, "how to apply")
}

// sectionOf returns the first and the last line between the headings around a statement.
func (f *draft) sectionOf(s Statement) (from, to int) {
	from, to = 1, len(f.doc.Lines)
	for i, l := range f.doc.Lines {
		if l.Kind != markdown.Heading {
			continue
		}
		if i+1 < s.Line {
			from = i + 2
		} else {
			return from, i
		}
	}
	return from, to
}

// follow moves a reason behind its fact.
func (w *planner) follow(f *draft, s Statement, a Answer) {
	to := w.files[a.To]
	at, _ := to.end(a.Under)
	to.below[at] = append(append(to.below[at], ""), f.lines(s)...)
	f.remove(s)
}
