package tidy

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// differentSubjects reports whether two lines of one list are about different things, so that neither can
// contradict the other: the ports of two services, the settings of two customers.
func differentSubjects(a, b Statement, x, y gist) bool {
	if a.list == 0 || a.File != b.File || a.list != b.list {
		return false
	}
	if a.under != b.under {
		return true
	}
	if p, q := label(a), label(b); p != nil || q != nil {
		return !maps.Equal(p, q)
	}
	if len(only(x.numbers, y.numbers)) > 0 && len(named(x.names, y.words)) > 0 &&
		len(named(y.names, x.words)) > 0 {
		return true
	}
	p, q := opening(a.Text, y.words), opening(b.Text, x.words)
	return p && q
}

// labelEnds are what separates the subject of a line from what the line says of it.
var labelEnds = [...]string{": ", " — ", " – ", " - ", " = ", " -> ", " → "}

// maxLabel bounds the words of a label. A longer beginning is a sentence.
const maxLabel = 6

// label returns the words of the subject that a line begins with, nil if it has no such beginning: the first
// cell of a row, or what stands before a colon or a dash.
func label(s Statement) map[string]bool {
	t := s.Text
	if s.kind == markdown.Row {
		t, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(t), "|"), "|")
		return wordsOf(t)
	}
	end := -1
	for _, sep := range labelEnds {
		if i := strings.Index(t, sep); i > 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end < 0 || len(strings.Fields(t[:end])) > maxLabel {
		return nil
	}
	return wordsOf(t[:end])
}

// wordsOf returns the words and numbers of a text, without those that nearly any statement has.
func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), notInWord) {
		if !isEmpty(w) {
			out[string(text.Stem([]byte(w)))] = true
		}
	}
	return out
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
}

// opening reports whether a text begins with a word of its own that is none of the other text's words.
func opening(s string, others map[string]bool) bool {
	words := slices.Collect(strings.FieldsFuncSeq(strings.ToLower(s), notInWord))
	i := slices.IndexFunc(words, func(w string) bool { return !isEmpty(w) })
	return i >= 0 && !others[string(text.Stem([]byte(words[i])))] && !text.IsDenial(words[i])
}
