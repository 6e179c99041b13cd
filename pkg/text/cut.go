package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns s in at most n runes. A text that is cut ends in "…", at a
// word's end if there is one in the last fifth.
func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	short := CutRunes(s, n-1)
	if i := strings.LastIndexByte(short, ' '); s[len(short)] != ' ' && i > len(short)*4/5 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ") + "…"
}

// CutRunes returns the first n runes of s, without the last letter if its marks would be cut from it.
func CutRunes(s string, n int) string {
	end := 0
	for i, r := range s {
		if n == 0 {
			if unicode.IsMark(r) {
				return s[:end]
			}
			return s[:i]
		}
		if !unicode.IsMark(r) {
			end = i
		}
		n--
	}
	return s
}

// CutBytes returns at most the first n bytes of s, cut where a character begins.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// OneLine returns a text in one line: without control characters, with one blank between its words.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
