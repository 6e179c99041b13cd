package alike

import (
	"strings"
	"unicode/utf8"

	"keepsake/pkg/capture/wording"
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
// stop, and without the words that lead into it or ask to remember it.
func Headline(statement string) string {
	statement = withoutRequest(statement)
	if before, _, _ := CutReason(statement); len(before) >= 20 { // a shorter one ("Because …") names nothing
		statement = before
	}
	return text.ShortenAtWord(strings.TrimRight(statement, " ,;:.!?…"), memory.MaxTitle)
}

// withoutRequest returns a statement without the words that only lead into it. In the languages of package
// wording these are the words before its colon, if they ask to remember something and say nothing else.
func withoutRequest(statement string) string {
	statement = text.WithoutLeadIn(statement)
	i := strings.IndexAny(statement, ":：")
	if i < 0 {
		return statement
	}
	_, size := utf8.DecodeRuneInString(statement[i:])
	rest := strings.TrimSpace(statement[i+size:])
	language := wording.Of(statement)
	if language == wording.None || rest == "" {
		return statement
	}
	asks := false
	for _, word := range wording.Split(language, statement) {
		if !text.OneOf(word.Text, "remember that this please note well ok also again") {
			return statement
		}
		if asks = asks || word.Text == "remember"; word.End == ':' {
			break
		}
	}
	if !asks {
		return statement
	}
	return rest
}
