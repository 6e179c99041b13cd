// Package markdown reads the parts of Markdown that more than one package asks for, a line at a time.
package markdown

import "strings"

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
