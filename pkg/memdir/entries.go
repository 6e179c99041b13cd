package memdir

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
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

// entriesOf returns the entries of a file, in order.
func entriesOf(d markdown.Doc) (out []entry) {
	above := ""
	for i := d.Front.Lines; i < len(d.Lines); i++ {
		l := d.Lines[i]
		t := strings.TrimSpace(l.Text)
		switch l.Kind {
		case markdown.Heading:
			if markdown.HeadingLevel(t) == 2 {
				if e, ok := entryOf(markdown.Title(t)); ok {
					e.from, e.to, e.section = i, trimEnd(d, sectionEnd(d, i)), true
					out = append(out, e)
					i = sectionEnd(d, i) - 1
					continue
				}
			}
			if !markdown.IsUnderline(t) && markdown.Title(t) != "" {
				above = markdown.Title(t)
			}
		case markdown.Item, Pointer:
			if markdown.IsIndented(l.Text) {
				continue
			}
			if e, ok := entryOf(markdown.ItemText(t)); ok {
				if end, whole := itemEnd(d, i); whole {
					end = max(end, d.Extent(markdown.Block{From: i, To: i + 1, Kind: l.Kind}))
					e.from, e.to, e.above = i, end, above
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// entryOf reads a text that begins with a day.
func entryOf(said string) (entry, bool) {
	t := strings.TrimLeft(markdown.Clip(said), "[(*_✅🔄⏸️ ")
	if len(t) < len(time.DateOnly) {
		return entry{}, false
	}
	at, err := time.Parse(time.DateOnly, t[:len(time.DateOnly)])
	if err != nil {
		return entry{}, false
	}
	title := strings.Trim(t[len(time.DateOnly):], "])*_:—–- ")
	return entry{date: at, title: text.FlatLine(strings.ReplaceAll(markdown.PlainText(title), "✅", ""))}, true
}

// ruled reports whether a file begins with a rule that is no frontmatter because no other rule closes it
// soon enough. If lines below it were taken away, the next rule could close it.
func (p *page) ruled() bool {
	return p.doc.Front.Lines == 0 && len(p.doc.Lines) > 0 &&
		strings.TrimRight(p.doc.Lines[0].Text, " \t") == "---"
}

// oldest returns the n entries with the earliest dates, in the order of the file.
func oldest(all []entry, n int) []entry {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b entry) int { return a.date.Compare(b.date) })
	out = out[:n]
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.from, b.from) })
	return out
}
