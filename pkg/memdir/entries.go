package memdir

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// An entry is a part of a file that has a date of its own: a section of the second
// level whose heading begins with a day, or an item of a list that does.
type entry struct {
	from, to int // its lines, as indices, without blank ones at the end
	date     time.Time
	title    string // what it is called, without its date
	above    string // for an item, the heading that it stands below
	section  bool
}

// entries are those of a file, in order.
func (d Doc) entries() (out []entry) {
	above := ""
	for i := d.Head.Lines; i < len(d.Lines); i++ {
		l := d.Lines[i]
		t := strings.TrimSpace(l.Text)
		switch l.Kind {
		case Heading:
			if heading(t) == 2 {
				if e, ok := entryOf(markdown.Title(t)); ok {
					e.from, e.to, e.section = i, d.trimmed(d.sectionEnd(i)), true
					out = append(out, e)
					i = d.sectionEnd(i) - 1
					continue
				}
			}
			if !underline(t) && markdown.Title(t) != "" {
				above = markdown.Title(t)
			}
		case Item, Pointer:
			if indented(l.Text) {
				continue
			}
			if e, ok := entryOf(item(t)); ok {
				if end, whole := d.itemEnd(i); whole {
					e.from, e.to, e.above = i, end, above
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// entryOf reads a text that begins with a day.
func entryOf(text string) (entry, bool) {
	t := strings.TrimLeft(begin(text), "[(*_✅🔄⏸️ ")
	if len(t) < len(time.DateOnly) {
		return entry{}, false
	}
	at, err := time.Parse(time.DateOnly, t[:len(time.DateOnly)])
	if err != nil {
		return entry{}, false
	}
	title := strings.Trim(t[len(time.DateOnly):], "])*_:—–- ")
	return entry{date: at, title: oneLine(strings.ReplaceAll(flat(title), "✅", ""))}, true
}

// ruled says that a file begins with a rule that is no frontmatter, because none
// closes it soon enough. With less between them the next rule would.
func (p *page) ruled() bool {
	return p.doc.Head.Lines == 0 && len(p.doc.Lines) > 0 && strings.TrimRight(p.doc.Lines[0].Text, " \t") == "---"
}

func indented(text string) bool { return text != strings.TrimLeft(text, " \t") }

// sectionEnd is the line behind a section of the second level.
func (d Doc) sectionEnd(i int) int {
	for i++; i < len(d.Lines); i++ {
		if d.Lines[i].Kind == Heading && heading(strings.TrimSpace(d.Lines[i].Text)) <= 2 {
			break // underlined ones as well
		}
	}
	return i
}

// trimmed is an end without the blank lines before it.
func (d Doc) trimmed(end int) int {
	for end > 0 && d.Lines[end-1].Kind == Blank {
		end--
	}
	return end
}

// itemEnd is the line behind an item and what goes on below it; false where it can't
// be told apart from what follows.
func (d Doc) itemEnd(i int) (end int, whole bool) {
	for i++; i < len(d.Lines); i++ {
		l := d.Lines[i]
		switch {
		case l.Kind == Blank, l.Kind == More, indented(l.Text):
		case l.Kind == Item, l.Kind == Pointer, l.Kind == Heading, d.Lines[i-1].Kind == Blank && l.Kind != Code:
			return d.trimmed(i), true
		default:
			return i, false
		}
	}
	return d.trimmed(i), true
}

// oldest are the n entries with the earliest dates, in the order of the file.
func oldest(all []entry, n int) []entry {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b entry) int { return a.date.Compare(b.date) })
	out = out[:n]
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.from, b.from) })
	return out
}
