package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// dropEmptied removes the headings of MEMORY.md that Format left empty, and reports whether it removed any.
// A heading stays if it was empty before, if it is the title, or if its words stand nowhere else.
func (t *tree) dropEmptied() bool {
	p := t.index()
	if !t.free(p) {
		return false
	}
	was := map[string]bool{} // headings, and whether each of that name had something below it
	old := Parse(t.was[Index])
	for _, s := range old.Sections() {
		title := strings.ToLower(s.Title)
		full, known := was[title]
		was[title] = holds(old, s) && (full || !known)
	}
	spans := p.doc.Sections()
	gone := map[int]bool{}
	for i, s := range slices.Backward(spans) { // those below are asked first
		if i == 0 || !was[strings.ToLower(s.Title)] || holds(p.doc, s, gone) || !vague(s.Title) &&
			!t.saidBeside(p, s, gone) {
			continue
		}
		for j := s.At; j < s.Body; j++ {
			gone[j] = true
		}
	}
	if len(gone) == 0 {
		return false
	}
	lines := slices.Clone(p.doc.Lines)
	for _, s := range spans { // what stood apart stays apart
		if gone[s.At] && lines[s.At-1].Kind != markdown.Blank && s.Body < len(lines) &&
			lines[s.Body].Kind != markdown.Blank {
			lines[s.At] = markdown.Line{End: p.eol()}
			delete(gone, s.At)
		}
	}
	t.write(p, without(lines, gone))
	t.settle()
	return true
}

// holds reports whether something is left below a heading besides rules and lines that go. A rule right
// below other text counts as text: it could underline what comes to stand above it.
func holds(d markdown.Doc, s markdown.Section, gone ...map[int]bool) bool {
	for i := s.Body; i < s.End; i++ {
		k := d.Lines[i].Kind
		bare := k == markdown.Blank || k == markdown.Break && d.Lines[i-1].Kind == markdown.Blank
		if !bare && !slices.ContainsFunc(gone, func(g map[int]bool) bool { return g[i] }) {
			return true
		}
	}
	return false
}

// saidBeside reports whether the words of a page's heading also stand in another line of the page, or in
// another file.
func (t *tree) saidBeside(p *page, s markdown.Section, gone map[int]bool) bool {
	want := " " + flatWords(s.Title) + " "
	for i, l := range p.doc.Lines {
		if (i < s.At || i >= s.Body) && !gone[i] && strings.Contains(" "+flatWords(l.Text)+" ", want) {
			return true
		}
	}
	return slices.ContainsFunc(t.pages, func(q *page) bool {
		return q != p && strings.Contains(" "+flatWords(string(q.Bytes))+" ", want)
	})
}

// flatWords returns the words of a text in lower case, with one space between them.
func flatWords(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), notWord), " ")
}
