package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A Tier is a place to look. The texts are those of --tier.
type Tier string

// The tiers. Any is the tier of a question that names none. It means notes and memories, and the files if
// these have nothing.
const (
	Any     Tier = ""
	Scratch Tier = "scratch" // the notes of this checkout
	Project Tier = "project" // the project's memories
	Where   Tier = "where"   // the project's files
	Why     Tier = "why"     // decisions and their reasons

	// Markdown is the Markdown memories of the project and of the root scope. No
	// question names them: they are asked where the others have nothing, and by name.
	Markdown Tier = "markdown"
)

// leads are the words that a question for a tier begins with, in lower case. If two fit, the longer one
// comes first.
var leads = []struct {
	words string
	tier  Tier
}{
	{"which files", Where}, {"which file", Where},
	{"which directories", Where}, {"which directory", Where}, {"which folders", Where},
	{"which folder", Where},
	{"in which file", Where}, {"in which directory", Where}, {"in which folder", Where},
	{"where's", Where}, {"where’s", Where}, {"where", Where},
	{"find", Where}, {"locate", Where},
	{"what did we decide", Why}, {"what have we decided", Why}, {"what was decided", Why},
	{"what was the decision", Why},
	{"decisions", Why}, {"decision", Why}, {"history", Why}, {"why", Why},
}

// TierOf returns the tier that the beginning of a question names, and the rest to look for: "where is the
// parser" is Where and "parser". A question that names no tier is Any, with all its words. The rest is
// empty only if the question is: of "why" alone it is "why".
func TierOf(question string) (Tier, string) {
	question = strings.TrimSpace(question)
	from := strings.TrimLeftFunc(question, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, l := range leads {
		if len(from) < len(l.words) || !strings.EqualFold(from[:len(l.words)], l.words) {
			continue
		}
		rest := from[len(l.words):]
		if !boundary(rest) {
			continue
		}
		return l.tier, about(strings.TrimLeft(rest, ".-)"), question)
	}
	return Any, question
}

// boundary reports whether a word ends before a text. Signs that a name can go on with, as in where.go,
// history-view and find(), end the word only before a space.
func boundary(rest string) bool {
	after := strings.TrimLeft(rest, ".-)")
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || unicode.IsSpace(r) || after == rest && strings.ContainsRune(`:,;?!"'’–—`, r)
}

// about takes stop words off the beginning, unless nothing would be left.
func about(rest, question string) string {
	end := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`:,;?!"'’()-–—`, r) }
	rest = strings.TrimFunc(rest, end)
	for rest != "" {
		word := rest
		if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
			word = rest[:i]
		}
		if !text.IsStopWord([]byte(strings.ToLower(word))) {
			return rest
		}
		rest = strings.TrimLeftFunc(rest[len(word):], end)
	}
	return question
}
