// Package tidy prepares what no rule can decide about a directory of Markdown memories: which of two
// statements holds, whether a fact is still true, whether two say the same. Sheet asks and an agent
// answers. Plan turns the answers into edits that name each statement they remove, and leaves all others as
// they are.
//
// The package reads no files and no repository: the caller passes both in.
package tidy

import (
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// A Statement is one place of a file that states something: an item of a list with its further lines, a
// paragraph, a quotation, a piece of code, or a row of a table below its head.
type Statement struct {
	File  string `json:"file"`
	Line  int    `json:"line"` // where it begins, from 1
	Text  string `json:"text"` // on one line, without the mark of an item
	last  int    // its last line
	whole int    // the last line of all that belongs to it
	kind  markdown.Kind
	depth int    // how far an item is indented
	list  int    // number of the list or table in its file; 0 for what is in none
	under string // text of the item that it is a point of
	past  bool   // a newer one replaced it
}

// statements takes a file apart. Together they are all that it says but its
// frontmatter, headings and comments.
func statements(file string, d markdown.Doc) (out []Statement) {
	var before markdown.Block // of what the last statement may go on behind a blank line
	rows := 0                 // of the table that we are in
	var in lists
	replaced := memdir.Replacements(d)
	for b := range d.Blocks {
		s := Statement{File: file, Line: b.From + 1, Text: d.BlockText(b), last: b.To, kind: b.Kind,
			whole: d.Extent(b), depth: depth(d.Lines[b.From].Text)}
		s.list, s.under = in.place(s)
		s.past = slices.ContainsFunc(replaced, func(r memdir.Replacement) bool {
			return r.From <= b.From && b.From < r.To
		})
		above := before
		if b.Kind != markdown.Row || b.From > above.To {
			rows = 0
		}
		before = b
		switch b.Kind {
		case markdown.Heading, markdown.Break, markdown.Comment:
		case markdown.Continued:
			last := len(out) - 1
			if above.Kind == markdown.Item || above.Kind == memdir.Pointer {
				out[last].Text, out[last].last = out[last].Text+" "+s.Text, s.last
				before.Kind = above.Kind
				break
			}
			s.kind = markdown.Paragraph
			out = append(out, s)
		case markdown.Row:
			if rows++; rows == 2 && markdown.IsDelimiterRow(d.Lines[b.From].Text) {
				out = out[:len(out)-1] // the row above was the head
				break
			}
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// lists follows the lists and tables of a file.
type lists struct {
	number int
	kind   markdown.Kind
	open   []Statement // the items that a deeper one would be a point of
}

// place returns the number of the list that a statement is in, 0 for none, and the text of the item that it
// is a point of.
func (l *lists) place(s Statement) (number int, under string) {
	switch s.kind {
	case markdown.Item, memdir.Pointer, markdown.Row:
	case markdown.Continued:
		return l.number, ""
	default:
		l.kind, l.open = s.kind, nil
		return 0, ""
	}
	row := s.kind == markdown.Row
	if len(l.open) == 0 || row != (l.kind == markdown.Row) {
		l.number, l.open = l.number+1, nil
	}
	l.kind = s.kind
	for len(l.open) > 0 && l.open[len(l.open)-1].depth >= s.depth {
		l.open = l.open[:len(l.open)-1]
	}
	if n := len(l.open); n > 0 {
		under = l.open[n-1].Text
	}
	l.open = append(l.open, s)
	return l.number, under
}

func depth(line string) int { return len(markdown.Indent(line)) }

// quoted returns a statement as somebody quotes it: on one line, without the mark of an item and without
// quotation marks around it.
func quoted(s string) string {
	s = text.OneLine(s)
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

// plain returns a text without what it may lose on its way through a sheet and an answer: its stamp,
// invisible characters, and the forms of quotation marks and dashes.
func plain(s string) string {
	return stamps().ReplaceAllString(text.OneLine(strings.Map(func(r rune) rune {
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
