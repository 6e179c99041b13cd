package wording

import (
	"strings"
	"unicode/utf8"
)

// IsOption reports whether a word, in lower case, is what a language calls one of several things to choose
// from.
func IsOption(w string) bool {
	if w == "" {
		return false
	}
	first, last := French, Portuguese
	r, _ := utf8.DecodeRuneInString(w)
	switch scriptOf(r) {
	case cyrillic:
		first, last = Russian, Russian
	case ideograph, kana:
		first, last = Chinese, Japanese
	case hangul:
		first, last = Korean, Korean
	}
	for l := first; l <= last; l++ {
		if english, _ := lookup(l, w); saysOption(english) {
			return true
		}
	}
	return false
}

func saysOption(english string) bool {
	return english == "option" || english == "~option" || strings.HasPrefix(english, "<option")
}

// CutOption cuts what calls an option so off the beginning of a text without blanks: "A" of "方案A", and ":
// x" of "案: x". A number in words becomes one in digits.
func CutOption(s string) (rest string, ok bool) {
	if s == "" || !unspaced(s) {
		return s, false
	}
	for at, runes := 0, 0; at < len(s) && runes < mostRunes && unspaced(s[at:]); runes++ {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
		for l := Chinese; l <= Korean; l++ {
			english, _ := lookup(l, s[:at])
			if saysOption(english) {
				rest, ok = s[at:], true
			} else if count, is := strings.CutPrefix(english, "option "); is {
				if n := strings.Index("one  two  threefour five ", count); n >= 0 {
					rest, ok = string('1'+rune(n/5))+s[at:], true
				}
			}
		}
	}
	return rest, ok
}

// WithOr returns a sentence with "or" between what it offers, where its language says that with one word: "
// ou ", "还是".
func WithOr(s string) string {
	or := ""
	switch Of(s) {
	case French, Portuguese:
		or = " ou "
	case Spanish:
		or = " o "
	case Russian:
		or = " или "
	case Chinese:
		or = "还是"
	case Japanese:
		or = "それとも"
	case Korean:
		or = "아니면"
	default:
		return s
	}
	if !strings.Contains(s, or) {
		return s
	}
	return strings.TrimLeft(strings.ReplaceAll(s, or, " or "), "¿¡")
}
