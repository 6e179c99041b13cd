package tidy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// missing returns the message that there is no such file, with the file that may be meant.
func (w *planner) missing(file string) string {
	const why = "there is no such file in the directory"
	name := strings.TrimSuffix(path.Base(file), ".md") + ".md"
	for _, p := range w.paths {
		if strings.EqualFold(path.Base(p), name) {
			return why + "; there is " + p
		}
	}
	return why
}

// find returns the statement with the words of a place, or why there is none. The line decides only if the
// same words stand there twice.
func (w *planner) find(p Place) (s Statement, why string) {
	f := w.files[p.File]
	if f == nil {
		return s, p.File + ": " + w.missing(p.File)
	}
	want := quoted(p.Text)
	if plain(want) == "" {
		return s, "quotes no statement"
	}
	same := f.saying(want)
	switch len(same) {
	case 1:
		return same[0], ""
	case 0:
		for _, s := range f.said {
			if p.Line >= s.Line && p.Line <= s.last {
				return s, fmt.Sprintf("%s:%d says otherwise: %s", p.File, s.Line, beginning(s.Text))
			}
		}
		return s, fmt.Sprintf("%s doesn't say so, word for word", p.File)
	}
	for _, s := range same {
		if p.Line >= s.Line && p.Line <= s.last {
			return s, ""
		}
	}
	return s, fmt.Sprintf("%s says so on lines %d and %d; which of them?", p.File, same[0].Line, same[1].Line)
}

// saying returns the statements with exactly some words, else those that look the same.
func (f *draft) saying(want string) []Statement {
	if f.exact == nil { // a person answers hundreds of questions about one file
		f.exact, f.shown = map[string][]Statement{}, map[string][]Statement{}
		for _, s := range f.said {
			q := quoted(s.Text)
			f.exact[s.Text] = append(f.exact[s.Text], s)
			if q != s.Text {
				f.exact[q] = append(f.exact[q], s)
			}
			f.shown[plain(q)] = append(f.shown[plain(q)], s)
		}
	}
	if same := f.exact[want]; len(same) > 0 {
		return same
	}
	return f.shown[plain(want)]
}

// beginning returns so much of a statement that it is recognised.
func beginning(s string) string { return text.Shorten(s, 120) }

// take marks statements as acted on. If one is marked already, it returns why not.
func (w *planner) take(all ...Statement) string {
	for i, s := range all {
		if by := w.taken[place{s.File, s.Line}]; by > 0 {
			return fmt.Sprintf("answer %d acts on %s:%d already", by, s.File, s.Line)
		}
		if slices.ContainsFunc(all[:i], func(t Statement) bool {
			return t.File == s.File && t.Line == s.Line
		}) {
			return fmt.Sprintf("names %s:%d twice", s.File, s.Line)
		}
	}
	for _, s := range all {
		w.taken[place{s.File, s.Line}] = w.number
	}
	return ""
}

// alone returns why statements can't be removed by themselves, "" if they can.
func (w *planner) alone(f *draft, all ...Statement) string {
	for _, s := range all {
		if s.kind == memdir.Pointer && (s.File == memdir.Index || s.File == w.m.Overview()) ||
			s.kind == markdown.Row && w.leads(f, s) {
			return "leads to a file: the line goes by itself when its file does"
		}
		for _, t := range f.said {
			if t.Line > s.last && t.Line <= s.whole && !f.drop[t.Line] &&
				!slices.ContainsFunc(all, func(o Statement) bool { return o.Line == t.Line }) {
				return fmt.Sprintf("has points below it (line %d); answer these first, or replace it", t.Line)
			}
		}
	}
	return ""
}

// within returns why a statement can't leave the one that it belongs to, "" if it belongs to none.
func within(f *draft, s Statement) string {
	for _, t := range f.said {
		if t.Line < s.Line && s.Line <= t.whole {
			return fmt.Sprintf("belongs to what line %d says: move that, and this goes with it", t.Line)
		}
	}
	return ""
}

// leads reports whether a row of an index leads to a file.
func (w *planner) leads(f *draft, s Statement) bool {
	if f.path != memdir.Index && f.path != w.m.Overview() {
		return false
	}
	for _, r := range memdir.Refs(f.doc) {
		if r.Line == s.Line {
			return true
		}
	}
	return false
}
