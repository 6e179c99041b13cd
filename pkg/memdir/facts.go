package memdir

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// A Fact is one statement of a file, and what it belongs to.
type Fact struct {
	From, To  int          // its own lines, as indices; To is not included
	Text      string       // on one line, without the mark of an item and without stamps
	Parent    int          // the fact that it is a point, an exception or a reason of; -1 for none
	Exception bool         // it makes an exception from its parent
	Headings  []string     // above it, the nearest first
	First     bool         // it is the first one below its heading
	Replaced  *Replacement // nil while it holds
	end       int          // the line behind all that belongs to it
}

// Facts returns the statements of a file, in order: items, paragraphs, quotations, pieces of code, and rows
// of tables below their heads.
func Facts(d markdown.Doc) (out []Fact) {
	replaced := Replacements(d)
	var open []int // the facts that the one at hand may be a part of
	var above []heading
	said, first := -1, false // the last fact that is no reason, and whether a heading is right above
	for b := range d.Blocks {
		line := d.Lines[b.From].Text
		switch b.Kind {
		case markdown.Heading:
			if level := d.HeadingLevel(b.From); level > 0 {
				above = slices.DeleteFunc(above, func(h heading) bool { return h.level >= level })
				above, first = append(above, heading{level, markdown.Title(line)}), true
				said = -1
			}
			continue
		case markdown.Break, markdown.Comment:
			continue
		case markdown.Row:
			if markdown.IsDelimiterRow(line) ||
				b.From+1 < len(d.Lines) && markdown.IsDelimiterRow(d.Lines[b.From+1].Text) {
				continue
			}
		}
		f := Fact{From: b.From, To: b.To, Text: factText(d, b), Parent: -1, First: first}
		if f.Text == "" {
			continue
		}
		first = false
		for len(open) > 0 && out[open[len(open)-1]].end <= b.From {
			open = open[:len(open)-1]
		}
		reason := isReason(line)
		if len(open) > 0 {
			f.Parent, f.Exception = open[len(open)-1], markdown.IsException(line)
		} else if reason {
			f.Parent = said
		}
		for _, h := range slices.Backward(above) {
			f.Headings = append(f.Headings, h.title)
		}
		for i := range replaced {
			if replaced[i].From <= b.From && b.From < replaced[i].To {
				f.Replaced = &replaced[i]
			}
		}
		f.end = d.Extent(b)
		open = append(open, len(out))
		if !reason {
			said = len(out)
		}
		out = append(out, f)
	}
	return out
}

// A heading is one that the lines at hand stand below.
type heading struct {
	level int
	title string
}

// factText returns the text of a block, without stamps.
func factText(d markdown.Doc, b markdown.Block) string {
	if b.Kind == markdown.Row {
		return rowText(d, b.From)
	}
	var said []string
	for i, l := range d.Lines[b.From:b.To] {
		item := markdown.ItemText(l.Text)
		switch {
		case markdown.IsStamp(l.Text):
		case i == 0 && item != "" && b.Kind != markdown.Code:
			said = append(said, item)
		default:
			said = append(said, l.Text)
		}
	}
	return text.OneLine(strings.Join(said, " "))
}

// rowText returns a row of a table with the head of each column before its cell.
func rowText(d markdown.Doc, row int) string {
	cells := markdown.CellTexts(d.Lines[row].Text)
	top, _ := d.Table(row)
	if top < 0 || top+1 >= len(d.Lines) || !markdown.IsDelimiterRow(d.Lines[top+1].Text) {
		return text.OneLine(strings.Join(cells, ", "))
	}
	heads := markdown.CellTexts(d.Lines[top].Text)
	var all []string
	for i, c := range cells {
		switch {
		case c == "":
		case i == 0 || i >= len(heads) || heads[i] == "":
			all = append(all, c)
		default:
			all = append(all, heads[i]+": "+c)
		}
	}
	return text.OneLine(strings.Join(all, "; "))
}

// Limits of a fact that is shown, in characters.
const (
	factRunes = 320 // of all of it
	saidRunes = 160 // of the statement that was found
	sideRunes = 100 // of each other statement
)

// Show returns the i-th of the facts in one line: what it is a point of, the statement itself, the exceptions
// from it, and so many of its points as there is room for. around returns the part of a text that matters, in
// at most so many characters. An exception is never left out.
func Show(facts []Fact, i int, around func(text string, limit int) string) string {
	return show(facts, i, i+1, around)
}

// ShowSection returns what the i-th of the facts and those behind it say below the same heading, as far as
// there is room.
func ShowSection(facts []Fact, i int, around func(text string, limit int) string) string {
	end := i + 1
	for end < len(facts) && !facts[end].First {
		end++
	}
	return show(facts, i, end, around)
}

// show returns the i-th of the facts with what belongs to it, and the others before end as its points.
func show(facts []Fact, i, end int, around func(text string, limit int) string) string {
	up, below := map[int]bool{}, map[int]bool{i: true}
	for p := i; p >= 0; p = facts[p].Parent {
		up[p] = true
	}
	said, room := map[int]string{}, factRunes
	for j, f := range facts {
		switch {
		case f.Replaced != facts[i].Replaced:
			continue
		case j == i:
			said[j] = aroundException(f.Text, around)
		case up[j], f.Exception && up[f.Parent]:
			said[j] = Cut(f.Text, sideRunes)
		}
		room -= utf8.RuneCountInString(said[j])
	}
	more := false
	for j, f := range facts[i+1:] {
		if j += i + 1; j >= end && !below[f.Parent] || f.Replaced != facts[i].Replaced {
			continue
		}
		below[j] = true
		if said[j] != "" || f.Exception { // which comes with its statement
			continue
		}
		group := map[int]string{j: f.Text}
		for k := j + 1; k < len(facts) && facts[k].Parent >= j; k++ {
			if facts[k].Exception && facts[k].Parent == j {
				group[k] = Cut(facts[k].Text, sideRunes)
			}
		}
		n := 0
		for _, s := range group {
			n += utf8.RuneCountInString(s) + len("; ")
		}
		if more = more || n > room; !more {
			maps.Copy(said, group)
			room -= n
		}
	}
	shown := ""
	for j, f := range facts {
		switch now := said[j]; {
		case now == "":
		case shown == "":
			shown = now
		case f.Exception:
			shown = exceptFor(shown, now)
		case strings.HasSuffix(shown, ":"), strings.HasSuffix(shown, "."), strings.HasSuffix(shown, "…"):
			shown += " " + now
		default:
			shown += "; " + now
		}
	}
	if more {
		shown = strings.TrimRight(shown, ".,;: ") + " …"
	}
	return shown
}

// aroundException returns the part of a statement that matters, with the exception from it, or with what it
// is the exception from.
func aroundException(s string, around func(string, int) string) string {
	if utf8.RuneCountInString(s) <= saidRunes {
		return s
	}
	got := around(s, saidRunes)
	core := strings.Trim(got, "… .,;")
	before := ""
	for rest := s; rest != ""; {
		now := rest
		if end := strings.IndexAny(rest, ".!?;。！？"); end >= 0 {
			_, size := utf8.DecodeRuneInString(rest[end:])
			now = rest[:end+size]
		}
		rest = strings.TrimSpace(rest[len(now):])
		exempt := before != "" && markdown.IsException(now)
		switch {
		case exempt && strings.Contains(before, core):
			return exceptFor(got, Cut(now, sideRunes))
		case exempt && strings.Contains(now, core):
			return exceptFor(Cut(before, sideRunes), strings.TrimLeft(got, "… "))
		case exempt:
			before += " " + now
		default:
			before = now
		}
	}
	return got
}
