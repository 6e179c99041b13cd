package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// sort is the kind of a part of an index that is no pointer.
type sort uint8

const (
	content sort = iota
	prose
	stream
	history
)

// A part is some lines of MEMORY.md that are neither pointers nor headings.
type part struct {
	line, lines, bytes int
	text               string
	sort               sort
	at                 []int // the lines, as indices
}

// partsOf returns the parts of an index that don't belong into one. Lines of one kind in a row are one
// part, also with blank lines between the items of a list.
func partsOf(d markdown.Doc, p Profile) []part {
	var out []part
	open := false            // the last part may go on
	var kind markdown.Kind   // of the last part
	above := ""              // the heading
	table := 0               // where the table begins that we are in
	routing := false         // and whether its first rows lead to a file
	before := markdown.Blank // the kind of the line above
	pointer := -1            // the line that leads to a file which the last part is below, as an index
	for i := d.Front.Lines; i < len(d.Lines); i++ {
		l := d.Lines[i]
		was := before
		before = l.Kind
		k := l.Kind
		switch k {
		case markdown.Blank:
			if kind != markdown.Item {
				open = false
			}
			continue
		case markdown.Heading:
			above, open, pointer = markdown.Title(l.Text), false, -1
			continue
		case Pointer:
			pointer, open = i, false
			if Mentions(l) { // what belongs to it stays with it
				pointer = -1
				i = d.Extent(markdown.Block{From: i, To: i + 1, Kind: l.Kind}) - 1
				before = d.Lines[i].Kind
			}
			continue
		case markdown.Break, markdown.Comment:
			open = false
			continue
		case markdown.Continued:
			if was == Pointer {
				open = false
			}
			k = markdown.Item
		case markdown.Row:
			if was != markdown.Row {
				table, routing = i, routes(d, i)
			}
			// The two rows at the top of a routing table are its head.
			if leadsRow(l.Text) || routing && i < table+2 {
				open = false
				continue
			}
		}
		whole := i + 1 // the index behind what goes with this line
		if l.Kind == markdown.Item && pointer < 0 {
			whole = d.Extent(markdown.Block{From: i, To: i + 1, Kind: l.Kind})
			if slices.ContainsFunc(d.Lines[i:whole], func(l markdown.Line) bool {
				return l.Kind == Pointer && !Mentions(l)
			}) { // it groups lines that lead to files
				open, i = false, whole-1
				before = d.Lines[i].Kind
				continue
			}
		}
		if k == markdown.Paragraph && isForm(l.Text) {
			open = false
			continue
		}
		if (k == markdown.Item || k == markdown.Paragraph) &&
			strings.Contains(markdown.Clip(l.Text), "/memory/"+Index) {
			open = false
			continue // leads to the index of another scope
		}
		if pointer >= 0 && l.Kind == markdown.Item && !isDeeper(d.Lines[pointer], l) {
			pointer, open = -1, false // the list goes on above it
		}
		if !open || k != kind {
			out = append(out, part{line: i + 1})
			open, kind = true, k
		}
		c := &out[len(out)-1]
		for ; i < whole; i++ {
			l = d.Lines[i]
			if before = l.Kind; l.Kind == markdown.Blank {
				continue
			}
			c.lines++
			c.at = append(c.at, i)
			c.bytes += len(l.Text) + len(l.End)
			if len(c.text) < maxShort {
				c.text += " " + markdown.TrimMarks(markdown.Clip(l.Text))
			}
			if c.lines == 1 || c.sort == content || c.sort == prose {
				c.sort = sortOf(k, markdown.TrimMarks(markdown.Clip(l.Text)), above)
			}
		}
		i--
	}
	return dropIntro(d, out)
}

// Mentions reports whether an item that leads to a file only mentions the file in what it states.
func Mentions(l markdown.Line) bool {
	if l.Kind != Pointer {
		return false
	}
	said := markdown.ItemText(l.Text)
	refs := refsOfItem(said)
	if len(refs) == 0 || refs[0].Form != Loose {
		return false
	}
	before, _, _ := strings.Cut(said, refs[0].Target)
	if i := strings.LastIndexAny(before, "[`"); i >= 0 {
		before = before[:i]
	}
	return strings.ContainsFunc(before, func(c rune) bool { return !notWord(c) })
}

// routes reports whether the table that begins at a line has a row that leads to a file.
func routes(d markdown.Doc, at int) bool {
	for _, l := range d.Lines[at:] {
		if l.Kind != markdown.Row {
			return false
		}
		if leadsRow(l.Text) {
			return true
		}
	}
	return false
}

// isForm reports whether a line belongs to the form of the index: a reference definition, or the date of
// its last update.
func isForm(text string) bool {
	if label, _ := markdown.LinkDefinition(text); label != "" {
		return true
	}
	low := strings.TrimLeft(strings.ToLower(markdown.Clip(text)), "*_ ")
	return strings.HasPrefix(low, "last updated") && len(low) < formBytes &&
		strings.ContainsAny(low, "0123456789")
}

// formBytes bounds the line that says when an index was last updated.
const formBytes = 80

func sortOf(k markdown.Kind, text, above string) sort {
	low := strings.ToLower(strings.TrimLeft(text, "*_[ "))
	for _, w := range [...]string{"history", "changelog", "old decisions", "past decisions", "background",
		"rationale", "superseded", "deprecated"} {
		if strings.HasPrefix(strings.ToLower(above), w) {
			return history
		}
	}
	for _, w := range [...]string{"previously", "originally", "initially", "historically", "we used to ",
		"used to ", "back when", "back in ", "in the past", "why we ", "the reason we ", "formerly"} {
		if strings.HasPrefix(low, w) {
			return history
		}
	}
	if k == markdown.Code || k == markdown.Row || k == markdown.Quote {
		return content
	}
	if len(low) >= 10 && isDate(low[:10]) {
		return stream
	}
	for _, w := range [...]string{"i tried", "i think", "i'm ", "i am ", "i was ", "i just ", "i should",
		"hmm", "ok so", "okay so", "ok, ", "okay, ", "turns out", "not sure", "wait,", "let me ", "so then",
		"then i ", "maybe ", "today i ", "today we ", "spent "} {
		for rest, ok := low, true; ok; _, rest, ok = strings.Cut(rest, ". ") {
			if strings.HasPrefix(rest, w) {
				return stream
			}
		}
	}
	if k == markdown.Paragraph {
		return prose
	}
	return content
}

// An introduction is one short paragraph above all pointers that speaks of the
// index itself.
const (
	introLines = 3
	introBytes = 300
)

func dropIntro(d markdown.Doc, parts []part) []part {
	if len(parts) == 0 || parts[0].lines > introLines || parts[0].bytes > introBytes {
		return parts
	}
	for _, l := range d.Lines[:parts[0].line-1] {
		if l.Kind == Pointer || l.Kind == markdown.Row {
			return parts
		}
	}
	if k := d.Lines[parts[0].line-1].Kind; k != markdown.Paragraph && k != markdown.Quote {
		return parts
	}
	low := strings.ToLower(parts[0].text)
	for _, w := range [...]string{"index", "pointer", "memories", "memory file", "topic file",
		"routing table", "load ", "read a file", "read the file"} {
		if strings.Contains(low, w) {
			return parts[1:]
		}
	}
	return parts
}
