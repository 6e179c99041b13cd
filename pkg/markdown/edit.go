package markdown

import (
	"slices"
	"strings"
)

// IsIndented reports whether a line begins with a blank.
func IsIndented(text string) bool { return text != strings.TrimLeft(text, " \t") }

// TrimEnd returns the end of some lines without the blank ones before it.
func (d Doc) TrimEnd(end int) int {
	for end > 0 && d.Lines[end-1].Kind == Blank {
		end--
	}
	return end
}

// ItemEnd returns the index of the line behind an item and what goes on below it; whole is false where that
// can't be told apart from what follows.
func (d Doc) ItemEnd(i int) (end int, whole bool) {
	for i++; i < len(d.Lines); i++ {
		l := d.Lines[i]
		switch {
		case l.Kind == Blank, l.Kind == Continued, IsIndented(l.Text):
		case l.Kind == Item, l.Kind == Custom, l.Kind == Heading, d.Lines[i-1].Kind == Blank && l.Kind != Code:
			return d.TrimEnd(i), true
		default:
			return i, false
		}
	}
	return d.TrimEnd(i), true
}

// Dedent takes away the indentation that all of the lines have.
func Dedent(lines []Line) []Line {
	least := -1
	for _, l := range lines {
		if strings.TrimSpace(l.Text) == "" {
			continue
		}
		if n := len(l.Text) - len(strings.TrimLeft(l.Text, " ")); least < 0 || n < least {
			least = n
		}
	}
	if least <= 0 || len(lines) > 0 && lines[0].Kind == Code {
		return lines
	}
	for i := range lines {
		if len(lines[i].Text) >= least {
			lines[i].Text = lines[i].Text[least:]
		}
	}
	return lines
}

// EOL returns how most lines of a file end.
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

// Terminate returns lines of which the last one ends as well.
func Terminate(lines []Line, eol string) []Line {
	out := slices.Clone(lines)
	if n := len(out); n > 0 && out[n-1].End == "" {
		out[n-1].End = eol
	}
	return out
}

// Bullet returns the indentation and the mark of an item, "-" for one with a number.
func (l Line) Bullet() string {
	t := strings.TrimLeft(l.Text, " \t")
	indent := l.Text[:len(l.Text)-len(t)]
	if t != "" && strings.IndexByte("-*+", t[0]) >= 0 {
		return indent + t[:1]
	}
	return indent + "-"
}

// Insert puts lines before the line at, with the ending that the file has. Their kinds are not told.
func (d *Doc) Insert(at int, texts ...string) {
	end := "\n"
	if len(d.Lines) > 0 && d.Lines[0].End != "" {
		end = d.Lines[0].End
	}
	if at > 0 && d.Lines[at-1].End == "" {
		d.Lines[at-1].End = end
	}
	lines := make([]Line, len(texts))
	for i, t := range texts {
		lines[i] = Line{Text: t, End: end}
	}
	d.Lines = slices.Insert(d.Lines, at, lines...)
}

// IsDeeper reports whether a line is below another one in a list.
func IsDeeper(l, next Line) bool {
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	return next.Kind != Blank && next.Kind != Heading && next.Kind != Row && indent(next.Text) > indent(l.Text)
}

// Without returns the lines that are not gone, and leaves no two blank ones where some were.
func Without(lines []Line, gone map[int]bool) []Line {
	out := make([]Line, 0, len(lines))
	cut := false
	for i, l := range lines {
		if gone[i] {
			cut = true
			continue
		}
		if cut && l.Kind == Blank && (len(out) == 0 || out[len(out)-1].Kind == Blank || out[len(out)-1].Kind == Front) {
			continue
		}
		cut = false
		out = append(out, l)
	}
	for cut && len(out) > 0 && out[len(out)-1].Kind == Blank {
		out = out[:len(out)-1]
	}
	return out
}
