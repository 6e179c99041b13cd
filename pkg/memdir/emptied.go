package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// dropEmptied takes headings out of MEMORY.md below which Format left nothing, and says
// whether it did. One that was empty before stays, as do the first, which is the title,
// and one that says what nothing else does.
func (t *tree) dropEmptied() bool {
	p := t.index()
	if !t.free(p) {
		return false
	}
	was := map[string]bool{} // headings, and whether each of that name had something below it
	old := Parse(t.was[Index])
	for _, s := range old.spans() {
		full, known := was[s.title]
		was[s.title] = old.holds(s) && (full || !known)
	}
	spans := p.doc.spans()
	gone := map[int]bool{}
	for i, s := range slices.Backward(spans) { // those below are asked first
		if i == 0 || !was[s.title] || p.doc.holds(s, gone) || !vague(s.title) && !t.saidBeside(p, s, gone) {
			continue
		}
		for j := s.at; j < s.body; j++ {
			gone[j] = true
		}
	}
	if len(gone) == 0 {
		return false
	}
	lines := slices.Clone(p.doc.Lines)
	for _, s := range spans { // what stood apart stays apart
		if gone[s.at] && lines[s.at-1].Kind != Blank && s.body < len(lines) && lines[s.body].Kind != Blank {
			lines[s.at] = Line{End: p.eol()}
			delete(gone, s.at)
		}
	}
	t.write(p, without(lines, gone))
	t.settle()
	return true
}

// A span is a heading with what is below it, as indices of lines.
type span struct {
	at, body, end int
	title         string // in small letters
}

// spans are the headings of a file with all that is below them, up to the next of
// their own level or above.
func (d Doc) spans() (out []span) {
	var open []int // those that the line at hand is below, as indices of out
	close := func(level, end int) {
		for len(open) > 0 && d.levelAt(out[open[len(open)-1]].at) >= level {
			out[open[len(open)-1]].end = end
			open = open[:len(open)-1]
		}
	}
	for i := range d.Lines {
		level := d.levelAt(i)
		if level == 0 {
			continue
		}
		body := i + 1
		if heading(strings.TrimSpace(d.Lines[i].Text)) == 0 {
			body++ // its underline
		}
		close(level, i)
		open = append(open, len(out))
		out = append(out, span{i, body, 0, strings.ToLower(markdown.Title(d.Lines[i].Text))})
	}
	close(0, len(d.Lines))
	return out
}

// holds says that there is something below a heading besides rules and lines that go. A
// rule right below something else could underline what comes to stand above it.
func (d Doc) holds(s span, gone ...map[int]bool) bool {
	for i := s.body; i < s.end; i++ {
		k := d.Lines[i].Kind
		bare := k == Blank || k == Break && d.Lines[i-1].Kind == Blank
		if !bare && !slices.ContainsFunc(gone, func(g map[int]bool) bool { return g[i] }) {
			return true
		}
	}
	return false
}

// saidBeside says that the words of a heading of a page stand somewhere else, too: in
// another line of it, or in another file.
func (t *tree) saidBeside(p *page, s span, gone map[int]bool) bool {
	want := " " + flatWords(s.title) + " "
	for i, l := range p.doc.Lines {
		if (i < s.at || i >= s.body) && !gone[i] && strings.Contains(" "+flatWords(l.Text)+" ", want) {
			return true
		}
	}
	return slices.ContainsFunc(t.pages, func(q *page) bool {
		return q != p && strings.Contains(" "+flatWords(string(q.Bytes))+" ", want)
	})
}

// flatWords are the words of a text in small letters with a blank between them.
func flatWords(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), notWord), " ")
}
