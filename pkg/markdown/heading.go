// Package markdown reads Markdown a line at a time: lines of known kinds, frontmatter, headings, lists,
// tables
// and links. Parse takes a file apart, and Print puts it together again without losing a byte, so that a
// program can change one line and leave the rest as its author wrote it.
package markdown

import (
	"strings"
	"unicode"
)

// ParseHeading returns the level of a heading that begins with hashes, 1 to 6, and its text, by the rules
// of CommonMark. Hashes at the end are dropped only behind a blank: the text of "# C#" is "C#", that of "#
// C #" is "C". Blanks around the line do not matter. The level is 0 for any other line.
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

// Title returns the text of a heading. For a line without hashes, such as the first of the two lines of an
// underlined heading, it returns the line without the blanks around it.
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

// Anchor returns the text behind the "#" in a link to a heading.
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

// HeadingLevel returns the level of a heading that begins with hashes, 0 for any other line.
func HeadingLevel(t string) int {
	level, _ := ParseHeading(t)
	return level
}

// IsUnderline reports whether a line makes a heading of the paragraph above it.
func IsUnderline(t string) bool {
	return strings.Trim(t, "=") == "" || len(t) > 1 && strings.Trim(t, "-") == ""
}

// HeadingAbove returns the heading above the line i, or the line itself if it is one: the index of its
// line, its level and its title. The index is -1 if there is none.
func (d Doc) HeadingAbove(i int) (at, level int, title string) {
	for ; i >= 0; i-- {
		if level := d.HeadingLevel(i); level > 0 {
			return i, level, Title(d.Lines[i].Text)
		}
	}
	return -1, 0, ""
}

// HeadingLevel returns the level of the heading that begins with the line i, underlined ones included; 0
// for none.
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
