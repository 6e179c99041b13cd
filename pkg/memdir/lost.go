package memdir

import (
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// lostWords is how many words a line must have so that it counts as a statement that was lost.
const lostWords = 4

// Lost returns the lines of a file's former text that state something and that a rewriting left out. A line
// that is there with other words, numbers or names was changed and is not lost. Headings, frontmatter, dates
// and the lines that lead to files don't count.
func Lost(was, is []byte) (lines []string) {
	now, before := map[string]bool{}, map[string]bool{}
	doc := Parse(was)
	for l := range strings.Lines(string(is)) {
		now[strings.TrimSpace(l)] = true
	}
	for _, l := range doc.Lines {
		before[strings.TrimSpace(l.Text)] = true
	}
	var fresh []map[string]bool // the words of the new lines
	for l := range now {
		if !before[l] {
			fresh = append(fresh, lineWords(l))
		}
	}
	for _, l := range doc.Body() {
		t := strings.TrimSpace(l.Text)
		switch l.Kind {
		case markdown.Blank, markdown.Heading, markdown.Break, markdown.Comment, Pointer:
			continue
		}
		if now[t] || len(strings.Fields(t)) < lostWords || Stamped(t) {
			continue
		}
		if words := lineWords(t); !reworded(words, fresh) {
			lines = append(lines, t)
		}
	}
	return lines
}

// reworded reports whether one of the lines has at least half of the words.
func reworded(words map[string]bool, lines []map[string]bool) bool {
	for _, l := range lines {
		both := 0
		for w := range words {
			if l[w] {
				both++
			}
		}
		if 2*both >= len(words) {
			return true
		}
	}
	return false
}

// lineWords returns the words of a line that carry its meaning.
func lineWords(l string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(l), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !text.IsStopWord([]byte(w)) {
			out[string(text.Stem([]byte(w)))] = true
		}
	}
	return out
}
