package alike

import (
	"strings"
	"unicode"
)

// A Statement is a short text, read once to be compared with many others.
type Statement struct {
	stance denial
	said   []sentence // up to its reason, with every number the same
}

// StatementOf returns the statement of a text.
func StatementOf(said string) Statement {
	return Statement{denialOf(said), sentencesOf(beforeReasons(withoutNumbers(said)))}
}

// Denies reports whether one of two statements denies a word that the other one affirms: "never deploy on
// Fridays" and "deploy on Fridays, never on Mondays".
func (s Statement) Denies(other Statement) bool { return s.stance.against(other.stance) }

// IsOfOtherThing reports whether two statements say the same of two things, whatever numbers they give: "the
// API listens on 8001" and "the gateway listens on 9090".
func (s Statement) IsOfOtherThing(other Statement) bool { return saidOfOthers(s.said, other.said) }

// denial is what a text denies and what it affirms. What stands in one part of a sentence with a denial, and
// is not denied, is neither: "never log the address" and "the address is never logged" say the same.
type denial struct{ denies, affirms map[string]bool }

func denialOf(said string) denial {
	d := denial{map[string]bool{}, map[string]bool{}}
	ends := func(r rune) bool { return strings.ContainsRune(",;!?\n", r) }
	for part := range strings.FieldsFuncSeq(said, ends) {
		for part := range strings.SplitSeq(part, ". ") {
			words := bagOf(part)
			denies := false
			for root, w := range words {
				if w.denied && !w.reason && !isWeakWord(root) {
					d.denies[root], denies = true, true
				}
			}
			for root, w := range words {
				if !denies && !w.reason {
					d.affirms[root] = true
				}
			}
		}
	}
	return d
}

// against reports whether one of two texts denies a word that the other one affirms, and both deny none.
func (d denial) against(other denial) bool {
	differ := false
	for root := range d.denies {
		if other.denies[root] {
			return false
		}
		differ = differ || other.affirms[root]
	}
	for root := range other.denies {
		differ = differ || d.affirms[root]
	}
	return differ
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
