package markdown

import (
	"slices"
	"strings"
)

// Indent returns the blanks that a line begins with.
func Indent(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// IsIndented reports whether a line begins with a blank.
func IsIndented(text string) bool { return Indent(text) != "" }

// EOL returns the line end that most lines of a file have.
func (d Doc) EOL() string {
	crlf, lf := 0, 0
	for _, l := range d.Lines {
		switch l.End {
		case "\r\n":
			crlf++
		case "\n":
			lf++
		}
	}
	if crlf > lf {
		return "\r\n"
	}
	return "\n"
}

// Insert puts lines before the line at, with the ending that most lines have. It does not set their kinds.
func (d *Doc) Insert(at int, texts ...string) {
	end := d.EOL()
	if at > 0 && d.Lines[at-1].End == "" {
		d.Lines[at-1].End = end
	}
	lines := make([]Line, len(texts))
	for i, t := range texts {
		lines[i] = Line{Text: t, End: end}
	}
	d.Lines = slices.Insert(d.Lines, at, lines...)
}
