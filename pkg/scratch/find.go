package scratch

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Query is the words that a note is looked for by.
type Query struct{ words []string }

// filler are words that say nothing of what a question is about.
var filler = sync.OnceValue(func() []string {
	return strings.Fields("a an and are as at be been by can could did do does for from had has have how i if in is it its me my of on or our should so than that the their them then there these they this to us was we were what when where which who why will with would you your")
})

// Ask reads a question. Words that say nothing count only when there are no
// others. Ok is false for a question without any word.
func Ask(question string) (q Query, ok bool) {
	var rest []string
	for _, w := range split(question) {
		list := &q.words
		if slices.Contains(filler(), w) {
			list = &rest
		}
		if !slices.Contains(*list, w) {
			*list = append(*list, w)
		}
	}
	if len(q.words) == 0 {
		q.words = rest
	}
	return q, len(q.words) > 0
}

// split is the words of a text in lower case: runs of letters, digits and marks.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// A Match is how an entry answers a question.
type Match struct {
	Score float64 // which part of the words is in it, 0..1
	Line  int     // of the line that has most of them, from 1 in the file
	Text  string  // that line, whole
}

// MaxLine is the longest line that Cut leaves, in runes: two lines of a terminal.
const MaxLine = 160

// Match says whether at least half of the question's words are in an entry.
func (q Query) Match(e Entry) (Match, bool) {
	if 2*q.hints(e.Text) < len(q.words) {
		return Match{}, false
	}
	found := map[string]bool{}
	best := Match{}
	most := 0
	line := e.Line // what stands above the first entry has no heading
	if e.At.IsZero() {
		line--
	}
	for text := range strings.SplitSeq(e.Text, "\n") {
		line++
		if q.hints(text) == 0 {
			continue
		}
		here := 0
		words := split(text)
		for _, w := range q.words {
			if among(words, w) {
				found[w] = true
				here++
			}
		}
		if here > most {
			most = here
			best.Line, best.Text = line, text
		}
	}
	best.Score = float64(len(found)) / float64(len(q.words))
	return best, 2*len(found) >= len(q.words) && most > 0
}

// hints is how many of the words may be in a text, which a quick look says: whatever
// among finds begins as the asked word does.
func (q Query) hints(text string) (n int) {
	text = strings.ToLower(text)
	for _, w := range q.words {
		if strings.Contains(text, w[:min(len(w), max(stem, len(w)-ending))]) {
			n++
		}
	}
	return n
}

const (
	stem   = 4 // fewer letters in common say little, in bytes
	ending = 3 // the longest ending that the asked word may have more
)

// among says whether one of the words is the asked one, or the one begins with
// the other: "postgres" finds "postgresql" and "decide" finds "decided". In
// scripts that put no space between words it is enough that it is part of one.
func among(words []string, asked string) bool {
	spaced := asked[0] < utf8.RuneSelf
	for _, w := range words {
		switch {
		case w == asked:
			return true
		case !spaced:
			if strings.Contains(w, asked) {
				return true
			}
		case len(asked) >= stem && strings.HasPrefix(w, asked), len(w) >= stem && len(asked)-len(w) <= ending && strings.HasPrefix(asked, w):
			return true
		}
	}
	return false
}

// Cut shortens a line to about MaxLine runes so that the first of the question's words
// is seen.
func (q Query) Cut(line string) string {
	runes := []rune(strings.TrimSpace(line))
	if len(runes) <= MaxLine {
		return string(runes)
	}
	from := 0
	lower := strings.ToLower(string(runes))
	for _, w := range q.words {
		if i := strings.Index(lower, w); i >= 0 {
			from = max(0, utf8.RuneCountInString(lower[:i])-MaxLine/4)
			break
		}
	}
	from = min(from, len(runes)-MaxLine)
	out := strings.TrimSpace(string(runes[from : from+MaxLine]))
	if from > 0 {
		out = "…" + out
	}
	if from+MaxLine < len(runes) {
		out += "…"
	}
	return out
}
