package explain

import (
	"strings"
	"unicode"

	"keepsake/pkg/capture/score"
	"keepsake/pkg/markdown"
)

// foreignLines returns which lines of a person's message they did not write: what programs print, and from
// there to the next empty line; and what stands behind a line that announces it with a colon. nil is none.
func foreignLines(p passage) []bool {
	if p.from != score.Typed || !strings.Contains(p.text, "\n") {
		return nil
	}
	lines := strings.Split(p.text, "\n")
	foreign := make([]bool, len(lines))
	var fence markdown.Fence
	printed, announced := false, false
	for n, line := range lines {
		body := strings.TrimSpace(line)
		code := fence.Read(line)
		switch {
		case body == "":
			printed = false
		case code || isPrinted(line):
			printed, foreign[n] = true, true
		case printed:
			foreign[n] = true
		case announced:
			foreign[n] = !startsLow(body)
		}
		if body != "" && !foreign[n] {
			announced = strings.HasSuffix(body, ":")
		}
	}
	return foreign
}

// isPrinted reports whether a line looks as if a program had printed it: indented, a line of a diff, of a
// tree, a log or a table, or mostly signs.
func isPrinted(line string) bool {
	body := strings.TrimLeft(line, " \t")
	if indent := len(line) - len(body); indent >= 4 || strings.HasPrefix(line, "\t") ||
		indent >= 2 && markdown.ItemText(body) == "" {
		return true
	}
	switch {
	case strings.HasPrefix(body, "+") || strings.HasPrefix(body, "@@") || strings.HasPrefix(body, "$ ") ||
		strings.HasPrefix(body, "> ") || strings.HasPrefix(body, "--- ") || strings.HasPrefix(body, "v o ") ||
		strings.HasPrefix(body, "❯") || strings.HasPrefix(body, "⏺") || strings.HasPrefix(body, "⎿"):
		return true
	case strings.ContainsAny(body, "│├└┌─"):
		return true
	}
	letters, signs := 0, 0
	for _, r := range body {
		switch {
		case unicode.IsLetter(r) || r == ' ':
			letters++
		case !unicode.IsNumber(r) && r != '.' && r != ',' && r != '\'':
			signs++
		}
	}
	return signs*4 > letters
}

// startsLow reports whether a text begins with a small letter, as what people type often does.
func startsLow(s string) bool { return s[0] >= 'a' && s[0] <= 'z' }
