// Package markdown reads Markdown a line at a time: lines of known kinds, frontmatter, headings, lists,
// tables
// and links. Parse takes a file apart, and Print puts it together again without losing a byte, so that a
// program can change one line and leave the rest as its author wrote it.
package markdown

import (
	"strings"
	"unicode"
)

// ParseHeading returns the level of a heading that begins with hashes, 1 to 6, and what it says, as
// CommonMark has it: the hashes at its end count only behind a blank, so that "# C#" says "C#" and "# C #"
// says "C". Blanks around the line do not matter. The level is 0 for a line that is no such heading.
func ParseHeading(line string) (level int, title string) {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(rest)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") ||
		strings.HasSuffix(bare, "\t") {
		title = strings.TrimSpace(bare)
	}
	return level, title
}

// Title returns what a heading says, or the line itself, without the blanks around it, where it begins with
// no hashes, as the first of two lines of a heading does.
func Title(line string) string {
	if level, title := ParseHeading(line); level > 0 {
		return title
	}
	return strings.TrimSpace(line)
}

// A Section is a heading with all that is below it, as indices of lines.
type Section struct {
	At, Body, End int // the heading, what is below it, and the line behind that
	Level         int // 1 to 6
	Title         string
}

// Sections returns the headings of a file, each with all that is below it, up to the next heading of its own
// level or above.
func (d Doc) Sections() (out []Section) {
	var open []int // those that the line at hand is below, as indices of out
	end := func(level, at int) {
		for len(open) > 0 && out[open[len(open)-1]].Level >= level {
			out[open[len(open)-1]].End = at
			open = open[:len(open)-1]
		}
	}
	for i := range d.Lines {
		level := d.HeadingLevel(i)
		if level == 0 {
			continue
		}
		body := i + 1
		if HeadingLevel(d.Lines[i].Text) == 0 {
			body++ // its underline
		}
		end(level, i)
		open = append(open, len(out))
		out = append(out, Section{i, body, 0, level, Title(d.Lines[i].Text)})
	}
	end(0, len(d.Lines))
	return out
}

// Anchor returns what a link to a heading has behind its "#".
func Anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(PlainText(title)) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// HeadingLevel returns the level of a heading that begins with hashes, 0 for a line that is none.
func HeadingLevel(t string) int {
	level, _ := ParseHeading(t)
	return level
}

// IsUnderline reports whether a line makes a heading of the paragraph above it.
func IsUnderline(t string) bool {
	return strings.Trim(t, "=") == "" || len(t) > 1 && strings.Trim(t, "-") == ""
}

// HeadingAbove returns the line of the heading that a line stands below, or that it is, as an index, with its
// level and its title; -1 for none.
func (d Doc) HeadingAbove(i int) (at, level int, title string) {
	for ; i >= 0; i-- {
		if level := d.HeadingLevel(i); level > 0 {
			return i, level, Title(d.Lines[i].Text)
		}
	}
	return -1, 0, ""
}

// HeadingLevel returns the level of the heading that begins with a line, also of an underlined one; 0 for
// none.
func (d Doc) HeadingLevel(i int) int {
	if d.Lines[i].Kind != Heading {
		return 0
	}
	if n := HeadingLevel(d.Lines[i].Text); n > 0 {
		return n
	}
	if i+1 < len(d.Lines) && d.Lines[i+1].Kind == Heading {
		switch t := strings.TrimSpace(d.Lines[i+1].Text); {
		case !IsUnderline(t):
		case t[0] == '=':
			return 1
		default:
			return 2
		}
	}
	return 0
}
