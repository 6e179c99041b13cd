package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// trimEnd returns the end of some lines without the blank ones before it.
func trimEnd(d markdown.Doc, end int) int {
	for end > 0 && d.Lines[end-1].Kind == markdown.Blank {
		end--
	}
	return end
}

// itemEnd returns the index of the line behind an item and all that belongs to it. whole is false if that
// can't be separated from what follows.
func itemEnd(d markdown.Doc, i int) (end int, whole bool) {
	for i++; i < len(d.Lines); i++ {
		l := d.Lines[i]
		switch {
		case l.Kind == markdown.Blank, l.Kind == markdown.Continued, markdown.IsIndented(l.Text):
		case l.Kind == markdown.Item, l.Kind == Pointer, l.Kind == markdown.Heading,
			d.Lines[i-1].Kind == markdown.Blank && l.Kind != markdown.Code:
			return trimEnd(d, i), true
		default:
			return i, false
		}
	}
	return trimEnd(d, i), true
}

// dedent takes away the indentation that all of the lines have.
func dedent(lines []markdown.Line) []markdown.Line {
	least := -1
	for _, l := range lines {
		if strings.TrimSpace(l.Text) == "" {
			continue
		}
		if n := len(l.Text) - len(strings.TrimLeft(l.Text, " ")); least < 0 || n < least {
			least = n
		}
	}
	if least <= 0 || len(lines) > 0 && lines[0].Kind == markdown.Code {
		return lines
	}
	for i := range lines {
		if len(lines[i].Text) >= least {
			lines[i].Text = lines[i].Text[least:]
		}
	}
	return lines
}

// terminate returns the lines with an end on the last one, too.
func terminate(lines []markdown.Line, eol string) []markdown.Line {
	out := slices.Clone(lines)
	if n := len(out); n > 0 && out[n-1].End == "" {
		out[n-1].End = eol
	}
	return out
}

// bulletOf returns the indentation and the mark of an item, "-" for one with a number.
func bulletOf(l markdown.Line) string {
	indent := markdown.Indent(l.Text)
	if t := l.Text[len(indent):]; t != "" && strings.IndexByte("-*+", t[0]) >= 0 {
		return indent + t[:1]
	}
	return indent + "-"
}

// isDeeper reports whether a line is below another one in a list.
func isDeeper(l, next markdown.Line) bool {
	return next.Kind != markdown.Blank && next.Kind != markdown.Heading && next.Kind != markdown.Row &&
		len(markdown.Indent(next.Text)) > len(markdown.Indent(l.Text))
}

// without returns the lines that are not gone, and leaves no two blank ones where some were.
func without(lines []markdown.Line, gone map[int]bool) []markdown.Line {
	out := make([]markdown.Line, 0, len(lines))
	cut := false
	for i, l := range lines {
		if gone[i] {
			cut = true
			continue
		}
		if cut && l.Kind == markdown.Blank && (len(out) == 0 || out[len(out)-1].Kind == markdown.Blank ||
			out[len(out)-1].Kind == markdown.Front) {
			continue
		}
		cut = false
		out = append(out, l)
	}
	for cut && len(out) > 0 && out[len(out)-1].Kind == markdown.Blank {
		out = out[:len(out)-1]
	}
	return out
}

// sectionEnd returns the index of the line behind a section of the second level.
func sectionEnd(d markdown.Doc, i int) int {
	for i++; i < len(d.Lines); i++ {
		if d.Lines[i].Kind == markdown.Heading && markdown.HeadingLevel(d.Lines[i].Text) <= 2 {
			break // underlined ones as well
		}
	}
	return i
}
