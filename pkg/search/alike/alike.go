// Package alike compares short texts and records by their words: whether two say the same, whether one says
// all of the other, whether they choose opposed things, and which of many are about one thing. Names,
// numbers and denials weigh more than other words, as they distinguish the things of one project. In doubt
// every function gives the answer that loses nothing: not the same, and not opposed. The package is pure.
package alike

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// Two short texts say the same if alikeShare of their words are the same, or if alikeWithin of the words of
// the shorter one, which must be at least alikeWords, are in the longer one.
const (
	alikeShare  = 0.7
	alikeWithin = 0.9
	alikeWords  = 4
)

// Notes reports whether two notes of a few sentences say the same in other words. It compares words, so it
// misses texts that share none. They are not alike if each names something that the other does not (an
// address is a name), if numbers differ, if one denies a word that the other affirms, or if each turns down
// another thing. In doubt it reports false: being asked twice is better than losing a note.
func Notes(a, b string) bool {
	x, y := shortOf(a), shortOf(b)
	if len(x.words) == 0 || len(y.words) == 0 {
		return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
	}
	if x.denies != y.denies || x.hasOnly(y) && y.hasOnly(x) || hasBeside(x.numbers, y.numbers) &&
		hasBeside(y.numbers, x.numbers) || areApart(x.losers, y.losers) {
		return false
	}
	both := 0
	for w := range x.words {
		if y.words[w] {
			both++
		}
	}
	less := min(len(x.words), len(y.words))
	same := 2*float64(both) >= alikeShare*float64(len(x.words)+len(y.words)) ||
		less >= alikeWords && float64(both) >= alikeWithin*float64(less)
	return same && !denialOf(a).against(denialOf(b))
}

// short is a text reduced to the words that carry its meaning, and to what distinguishes texts of the same
// words.
type short struct {
	words, names, numbers, losers map[string]bool
	denies                        bool
}

// hasOnly reports whether a text names something that the other does not mention.
func (s short) hasOnly(other short) bool {
	for n := range s.names {
		if !other.words[n] {
			return true
		}
	}
	return false
}

// hasBeside reports whether a set has members that another lacks.
func hasBeside(a, b map[string]bool) bool {
	for w := range a {
		if !b[w] {
			return true
		}
	}
	return false
}

// areApart reports whether two sets both have members but none in common.
func areApart(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

func shortOf(said string) short {
	s := short{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, false}
	loses, begins := false, true
	for field := range strings.FieldsSeq(said) {
		ends := strings.ContainsAny(field[len(field)-1:], ".!?:")
		address := strings.ContainsAny(strings.Trim(field, ".,;:!?()\"'"), "/@`")
		for word := range strings.FieldsFuncSeq(field, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' &&
				r != '\'' && r != '’'
		}) {
			low := text.Lower(word)
			switch {
			case low == "not", low == "no", low == "never", low == "without", low == "cannot",
				strings.HasSuffix(low, "n't"):
				s.denies = !s.denies
				continue
			case low == "against":
				s.denies, loses = !s.denies, true
				continue
			case low == "over", low == "instead", low == "rather":
				loses = true
				continue
			}
			root := contentRoot(low)
			if root == "" {
				continue
			}
			if loses {
				s.losers[root], loses = true, false
			}
			s.words[root] = true
			if strings.ContainsFunc(word, unicode.IsDigit) {
				s.numbers[root] = true
			}
			_, size := utf8.DecodeRuneInString(word)
			if address || strings.ContainsFunc(word[size:], unicode.IsUpper) || !begins &&
				strings.ContainsFunc(word, unicode.IsUpper) {
				s.names[root] = true
			}
			begins = false
		}
		begins = ends
	}
	return s
}

// contentRoot returns the stem of a word, or "" for words that say nothing of what was decided.
func contentRoot(w string) string {
	switch w {
	case "agreed", "because", "better", "choose", "chose", "chosen", "decide", "decided", "decision", "do",
		"does", "due", "go", "going", "how", "i", "if", "into", "just", "let", "now", "pick", "picked",
		"reason", "settled", "should", "since", "us", "went", "also", "after", "all", "but", "can", "been",
		"he", "you", "me", "my", "must", "there", "these", "those", "what", "who", "why", "would":
		return ""
	}
	switch w = strings.Trim(w, "'_"); w {
	case "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in", "is", "it",
		"its", "not", "of", "on", "or", "our", "so", "than", "that", "the", "their", "then", "they", "this",
		"to", "use", "used", "uses", "using", "was", "we", "were", "when", "which", "will", "with":
		return ""
	}
	return string(text.Stem([]byte(w)))
}
