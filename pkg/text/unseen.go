package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unseen yields the characters of s that a terminal obeys or hides, in their order,
// and U+FFFD for each byte that is no UTF-8. What joins emoji, or letters of scripts
// that need it, and ends lines is as it should be.
func Unseen(s string) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		var prev rune
		for i, r := range s {
			if r >= ' ' && r < 0x7F { // nearly all of them
				prev = r
				continue
			}
			broken := r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD")
			if (broken || IsUnseen(r) && !joins(prev, r, s[i+utf8.RuneLen(r):])) && !yield(r) {
				return
			}
			prev = r
		}
	}
}

// HasUnseen reports whether s has characters that nobody sees.
func HasUnseen(s string) bool {
	for range Unseen(s) {
		return true
	}
	return false
}

// IsUnseen reports whether a terminal shows nothing of r, or obeys it: controls but newline and tab, the
// separators of lines and paragraphs, surrogates, and what is invisible.
func IsUnseen(r rune) bool {
	if r < ' ' {
		return r != '\n' && r != '\t'
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cs, r) || r == '\u2028' || r == '\u2029' ||
		IsInvisible(r)
}

// IsInvisible reports whether r shows nothing and is neither white space nor a control: Unicode's
// Default_Ignorable_Code_Point (UAX 44; of its parts, as the standard library has no table of it), all other
// format characters and with them the bidirectional controls, and the blank of Braille. The signs that stand
// before Arabic and Syriac numbers are format characters too, but they are seen.
func IsInvisible(r rune) bool {
	if r < 0xAD { // U+00AD is the first
		return false
	}
	return (unicode.In(r, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) ||
		r == '\u2800') && !unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark)
}

// joins reports whether r, behind prev and before rest, belongs to an emoji, to a word
// of a script that uses joiners or to the end of a line.
func joins(prev, r rune, rest string) bool {
	next, n := utf8.DecodeRuneInString(rest)
	if n == 0 { // what joins nothing is only hidden
		next = 0
	}
	switch r {
	case '\r':
		return next == '\n'
	case '\uFE0F', '\uFE0E':
		return prev >= 0x203C && !IsUnseen(prev) || next == '\u20E3' || prev == '\u00A9' || prev == '\u00AE'
	case '\u200C', '\u200D':
		symbols := (prev >= 0x2190 || prev == '\uFE0F') && next >= 0x2190
		return symbols || complexScript(prev) && complexScript(next)
	}
	return false
}

// PartWords returns s with a blank for each character that nobody sees and that alone parts two words, as
// the one in "use\u202eNATS": without it they would be one word. What has its place inside a word stays:
// the soft hyphen, a joiner of a script that uses them, and what chooses between the forms of a character.
func PartWords(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is written
	var prev rune
	for i, r := range s {
		if r >= ' ' && r < 0x7F || !IsUnseen(r) {
			prev = r
			continue
		}
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(s[end:])
		if isOfWord(prev) && isOfWord(next) && parts(prev, r, next) {
			b.WriteString(s[kept:i] + " ")
			kept = end
		}
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// isOfWord reports whether r is a part of words that is seen.
func isOfWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) && !IsInvisible(r) }

// parts reports whether r, which nobody sees, parts the words that it stands between.
func parts(prev, r, next rune) bool {
	switch r {
	case '\u00AD', '\u034F', '\u2060':
		return false
	case '\u200C', '\u200D':
		return prev < 0x0590 && next < 0x0590
	}
	return !unicode.Is(unicode.Variation_Selector, r)
}

func complexScript(r rune) bool {
	return r >= 0x0590 && r <= 0x0DFF && unicode.IsOneOf(unicode.GraphicRanges, r)
}
