package alike

import (
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// reasonMarks begin the part of a sentence that gives the reason, in order of preference. They are in lower
// case and match whole words.
var reasonMarks = [...]string{"because", "so that", "due to", "in order to"}

// CutReason returns what a statement says before and behind the mark of its reason, and whether it has one.
// Without one, before is the whole statement.
func CutReason(statement string) (before, reason string, ok bool) {
	for _, mark := range reasonMarks {
		for i := 1; i+len(mark) < len(statement); i++ {
			end := i + len(mark)
			if statement[i-1] == ' ' && statement[end] == ' ' && strings.EqualFold(statement[i:end], mark) {
				return statement[:i], statement[end:], true
			}
		}
	}
	return statement, "", false
}

// Headline returns the part of a statement that can name it: the text before its reason, without the full
// stop.
func Headline(statement string) string {
	if before, _, _ := CutReason(statement); len(before) >= 20 { // a shorter one ("Because …") names nothing
		statement = before
	}
	return text.ShortenAtWord(strings.TrimRight(statement, " ,;:.!?…"), memory.MaxTitle)
}
