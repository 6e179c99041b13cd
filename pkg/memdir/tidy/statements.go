package tidy

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// whole reports whether a text can stand in a file without changing what follows: it closes its code, and
// has no heading and no rule.
func whole(text string) bool {
	doc := markdown.Parse([]byte("\n" + text))
	return !doc.Open && !slices.ContainsFunc(doc.Lines, func(l markdown.Line) bool {
		return l.Kind == markdown.Heading || l.Kind == markdown.Break
	})
}

// rows reports whether each line of a text is a row of a table.
func rows(text string) bool {
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(l), "|") {
			return false
		}
	}
	return true
}

func (w *planner) remove(f *draft, s Statement) string {
	if why := w.alone(f, s); why != "" {
		return why
	}
	if why := w.take(s); why != "" {
		return why
	}
	f.remove(s)
	return ""
}

func (w *planner) replace(f *draft, s Statement, said string) string {
	if s.kind == memdir.Pointer || w.leads(f, s) {
		if !slices.Equal(targets(strings.Join(f.lines(s), "\n")),
			targets(strings.Join(s.form(f.doc.Lines[s.Line-1].Text, said), "\n"))) {
			return "a line that leads to a file may say something else, and must lead to the same file"
		}
	}
	if text.OneLine(said) == s.Text {
		return "is what it says already"
	}
	if why := w.take(s); why != "" {
		return why
	}
	w.say(f, s, said)
	return ""
}

// say puts a text in the place of a statement; one that had a stamp has that of
// today.
func (w *planner) say(f *draft, s Statement, said string) {
	if stamps().MatchString(s.Text) && !stamps().MatchString(text.OneLine(said)) {
		said += "\n" + w.stamp()
	}
	f.say(s, said)
}

// stamp returns the line that dates a text written today.
func (w *planner) stamp() string { return memdir.Stamp(w.now) }

// targets returns the targets that lines lead to.
func targets(text string) (out []string) {
	for _, r := range memdir.Refs(memdir.Parse([]byte(text))) {
		out = append(out, r.Target)
	}
	return out
}

func (w *planner) merge(f *draft, s Statement, a Answer, c *Change) string {
	all := []Statement{s}
	for _, p := range a.With {
		if p.File == "" {
			p.File = a.File
		}
		t, why := w.find(p)
		if why != "" {
			return why
		}
		if why := w.changeable(p.File); why != "" {
			return p.File + ": " + why
		}
		if w.files[p.File].gone {
			return p.File + ": another answer takes the whole file"
		}
		all = append(all, t)
	}
	if len(all) < 2 {
		return "names nothing to merge with"
	}
	for _, t := range all[1:] {
		if why := w.alone(w.files[t.File], t); why != "" {
			return fmt.Sprintf("%s:%d %s", t.File, t.Line, why)
		}
	}
	if s.kind == memdir.Pointer && (s.File == memdir.Index || s.File == w.m.Overview()) {
		return "is a line of the index: merge what its file says"
	}
	if why := w.take(all...); why != "" {
		return why
	}
	if c.New != "" && plain(c.New) != plain(s.Text) {
		w.say(f, s, c.New)
	}
	for _, t := range all[1:] {
		w.files[t.File].remove(t)
	}
	c.With = all[1:]
	return ""
}

// target returns the topic file that something is to go to, or why it can't.
func (w *planner) target(from *draft, to string) (t *draft, why string) {
	switch t = w.files[to]; {
	case to == "":
		return nil, "doesn't say to which file"
	case t == nil:
		return nil, to + ": " + w.missing(to)
	case t == from:
		return nil, "is in that file already"
	case !w.m.Topic(to) || w.m.Once(to):
		return nil, to + ": is no topic file that may be changed"
	case t.gone:
		return nil, to + ": another answer takes the whole file"
	}
	return t, ""
}

func (w *planner) move(f *draft, s Statement, a Answer, c *Change) string {
	to, why := w.target(f, a.To)
	if why != "" {
		return why
	}
	at, ok := to.end(a.Under)
	if !ok {
		return fmt.Sprintf("%s has no heading %q", to.path, a.Under)
	}
	if s.kind == markdown.Row && (at == 0 || to.doc.Lines[at-1].Kind != markdown.Row) {
		return "is a row of a table, and there is none to move it to: add what it says there, and delete " +
			"it here"
	}
	if s.kind == memdir.Pointer && (s.File == memdir.Index || s.File == w.m.Overview()) || w.leads(f, s) {
		return "leads to a file: the line goes by itself when its file does"
	}
	if markdown.IsStamp(s.Text) {
		return "is the date of what stands above it"
	}
	if why := within(f, s); why != "" {
		return why
	}
	var all []Statement // with what belongs to it
	for _, t := range f.said {
		if t.Line >= s.Line && t.Line <= s.whole {
			all = append(all, t)
		}
	}
	if why := w.take(all...); why != "" {
		return why
	}
	c.To = to.path
	own := s.last - s.Line // the line of the statement's own text, among those that go
	s.last = s.whole
	lines := f.lines(s)
	if s.kind != markdown.Code {
		for i, l := range lines {
			lines[i] = l[min(s.depth, depth(l)):]
		}
	}
	f.remove(s)
	to.after(at, w.aged(f, to, s, lines, own))
	return ""
}

func (w *planner) add(f *draft, s Statement, a Answer, text string) string {
	if f.path == memdir.Index || f.path == w.m.Overview() {
		return "is an index: add it to a topic file"
	}
	f.fresh = true
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	at := s.last
	switch {
	case s.Line == 0:
		at, _ = f.end("")
	case s.kind == markdown.Item || s.kind == memdir.Pointer:
		lines = s.form(f.doc.Lines[s.Line-1].Text, text)
	}
	f.after(at, lines)
	return ""
}

func (w *planner) heading(f *draft, s Statement, c *Change) string {
	if f.path == memdir.Index || f.path == w.m.Overview() {
		return "is an index"
	}
	title := text.OneLine(markdown.Title(c.New))
	if title == "" || s.depth > 0 || s.kind == markdown.Row || len(f.above[s.Line]) > 0 {
		return "no heading can stand there"
	}
	c.New = "## " + title
	lines := []string{c.New}
	if s.Line > 1 && strings.TrimSpace(f.doc.Lines[s.Line-2].Text) != "" {
		lines = []string{"", c.New}
	}
	f.above[s.Line] = lines
	return ""
}
