package filing

import (
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
)

// A sheet is a file that is changed. What is in it stays as it is, byte for byte,
// but for the lines that are set anew.
type sheet struct {
	doc markdown.Doc
	eol string
	old []byte
	was bool // it is there already
}

// insert puts lines before the line at.
func (s *sheet) insert(at int, texts ...string) {
	lines := make([]markdown.Line, 0, len(s.doc.Lines)+len(texts))
	lines = append(lines, s.doc.Lines[:at]...)
	if at > 0 && lines[at-1].End == "" {
		lines[at-1].End = s.eol
	}
	for _, t := range texts {
		lines = append(lines, markdown.Line{Text: t, End: s.eol})
	}
	s.set(append(lines, s.doc.Lines[at:]...))
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
		first := s.doc.Lines[e.from].Text
		indent := first[:len(first)-len(strings.TrimLeft(first, " \t"))]
		s.insert(e.to, indent+"  "+text)
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

// open says that what is added at the end would be part of code, a comment or
// frontmatter that is not closed.
func (s *sheet) open() bool {
	probe := sheet{doc: s.doc, eol: s.eol}
	probe.end("probe")
	n := len(probe.doc.Lines)
	return n == 0 || probe.doc.Lines[n-1].Kind != markdown.Paragraph || len(probe.doc.Front.Faults) > 0
}
