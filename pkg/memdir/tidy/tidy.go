// Package tidy prepares what no rule can decide about a directory of Markdown
// memories: which of two statements holds, whether a fact is still true, whether
// two say the same. Sheet asks, an agent answers, Plan turns the answers into edits
// that name each statement they take away, and leaves all others as they are.
//
// It reads no files and knows no repository: whoever calls hands both in.
package tidy

import (
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// A Statement is what a file says in one place: an item of a list with the lines
// that go on with it, a paragraph, a quotation, a piece of code, a row of a table
// that is not its head.
type Statement struct {
	File  string `json:"file"`
	Line  int    `json:"line"` // where it begins, from 1
	Text  string `json:"text"` // on one line, without the mark of an item
	last  int    // its last line
	kind  markdown.Kind
	depth int // how far an item is indented
}

// statements takes a file apart. Together they are all that it says but its
// frontmatter, headings and comments.
func statements(file string, d markdown.Doc) (out []Statement) {
	var open *Statement
	var before markdown.Kind
	table := 0 // the row of a table that we are in
	for i := d.Front.Lines; i < len(d.Lines); i++ {
		l := d.Lines[i]
		if l.Kind != markdown.Row {
			table = 0
		}
		goesOn := open != nil &&
			(l.Kind == markdown.Continued && (open.kind == markdown.Item || open.kind == memdir.Pointer) ||
				l.Kind == before && l.Kind == open.kind &&
					(l.Kind == markdown.Paragraph || l.Kind == markdown.Quote || l.Kind == markdown.Code))
		switch l.Kind {
		case markdown.Item, memdir.Pointer, markdown.Continued, markdown.Paragraph, markdown.Quote,
			markdown.Code, markdown.Row:
			if l.Kind == markdown.Row {
				table++
				if table == 2 && markdown.IsDelimiterRow(l.Text) {
					out = out[:len(out)-1] // the row above was the head
					open = nil
					break
				}
			}
			text := strings.TrimSpace(l.Text)
			if goesOn {
				open.Text += " " + text
				open.last = i + 1
				break
			}
			if t := markdown.ItemText(l.Text); t != "" && l.Kind != markdown.Code {
				text = t
			}
			kind := l.Kind
			if kind == markdown.Continued {
				kind = markdown.Paragraph
			}
			out = append(out, Statement{File: file, Line: i + 1, Text: text, last: i + 1, kind: kind,
				depth: depth(l.Text)})
			open = &out[len(out)-1]
		case markdown.Blank: // an item may go on behind it
		default:
			open = nil
		}
		before = l.Kind
	}
	for i := range out {
		out[i].Text = flat(out[i].Text)
	}
	return out
}

// flat is a text on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func depth(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// quoted is a statement as somebody quotes it: on one line, without the mark of an
// item and without quotation marks around it.
func quoted(s string) string {
	s = flat(s)
	if t := markdown.ItemText(s); t != "" {
		s = t
	}
	for _, q := range [...][2]string{{`"`, `"`}, {"“", "”"}} {
		if rest, ok := strings.CutPrefix(s, q[0]); ok && strings.HasSuffix(rest, q[1]) &&
			!strings.Contains(strings.TrimSuffix(rest, q[1]), q[0]) {
			return strings.TrimSuffix(rest, q[1])
		}
	}
	return s
}

// stamps at the end of a statement say when it was written, and by whom.
var stamps = late(`( _(Updated|Written by): [^_]*_)+$`)

// plain is a text without what it may lose on its way through a sheet and an answer:
// its stamp, characters that are not seen, and the forms of quotation marks and dashes.
func plain(s string) string {
	return stamps().ReplaceAllString(flat(strings.Map(func(r rune) rune {
		switch {
		case r == '‘' || r == '’':
			return '\''
		case r == '“' || r == '”':
			return '"'
		case '‐' <= r && r <= '—':
			return '-'
		case unicode.IsControl(r) && !unicode.IsSpace(r) || text.IsInvisible(r):
			return -1
		}
		return r
	}, s)), "")
}
