package alike

import (
	"strings"
	"unicode"
)

// A Statement is a short text, read once to be compared with many others.
type Statement struct {
	words bag
	said  []sentence // up to its reason, with every number the same
}

// StatementOf returns the statement of a text.
func StatementOf(said string) Statement {
	return Statement{bagOf(said), sentencesOf(beforeReasons(withoutNumbers(said)))}
}

// Denies reports whether one of two statements denies a word that the other one affirms: "never deploy on
// Fridays" and "deploy on Fridays, never on Mondays".
func (s Statement) Denies(other Statement) bool { return denyEachOther(s.words, other.words) }

// IsOfOtherThing reports whether two statements say the same of two things, whatever numbers they give: "the
// API listens on 8001" and "the gateway listens on 9090".
func (s Statement) IsOfOtherThing(other Statement) bool { return saidOfOthers(s.said, other.said) }

func denyEachOther(a, b bag) bool {
	for root, w := range a {
		if o, ok := b[root]; ok && w.denied != o.denied && !w.reason && !o.reason && !isWeakWord(root) {
			return true
		}
	}
	return false
}

// withoutNumbers returns a text with 0 in the place of each number.
func withoutNumbers(s string) string {
	var b strings.Builder
	number := false
	for _, r := range s {
		if digit := unicode.IsDigit(r); digit && number {
			continue
		} else if number = digit; digit {
			r = '0'
		}
		b.WriteRune(r)
	}
	return b.String()
}
