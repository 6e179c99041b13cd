package classify

import (
	"slices"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// A sheet is a file that is changed. What is in it stays as it is, byte for byte,
// but for the lines that are set anew.
type sheet struct {
	doc markdown.Doc
	old []byte
	was bool // it is there already
}

// insert puts lines before the line at.
func (s *sheet) insert(at int, texts ...string) {
	s.doc.Lines = slices.Clone(s.doc.Lines)
	s.doc.Insert(at, texts...)
	s.set(s.doc.Lines)
}

// end puts lines at the end, below a blank one.
func (s *sheet) end(texts ...string) {
	n := len(s.doc.Lines)
	if n > 0 && s.doc.Lines[n-1].Kind != markdown.Blank {
		texts = append([]string{""}, texts...)
	}
	s.insert(n, texts...)
}

// below puts a line below an entry, as a part of an item or a paragraph of its own.
func (s *sheet) below(e entry, text string) {
	if e.item {
		s.insert(e.to, markdown.Indent(s.doc.Lines[e.from].Text)+"  "+text)
		return
	}
	s.insert(e.to, "", text)
}

// line sets the text of a line.
func (s *sheet) line(at int, text string) {
	lines := append([]markdown.Line{}, s.doc.Lines...)
	lines[at].Text = text
	s.set(lines)
}

// set parses the file anew: of what kind a line is may depend on those above it.
func (s *sheet) set(lines []markdown.Line) {
	s.doc = memdir.Parse(markdown.Doc{BOM: s.doc.BOM, Lines: lines}.Print())
}

// open reports whether a text added at the end would become part of code, a comment or frontmatter that
// isn't closed.
func (s *sheet) open() bool {
	return s.doc.Open || len(s.doc.Front.Faults) > 0
}
