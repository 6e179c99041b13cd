package gate

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Spelled makes one line of s safe to show and loses nothing of it: what a
// terminal would obey or hide (control and escape sequences, bidirectional
// overrides, zero-width and other invisible characters, broken UTF-8) is spelled
// out, as are the third and further combining marks on one character. A line end
// and a tab become a space.
func Spelled(s string) string {
	var b strings.Builder
	for t := range spelling(s) {
		b.WriteString(t)
	}
	return b.String()
}

// spelling yields s character by character, as Spelled shows them.
func spelling(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		marks := 0
		for len(s) > 0 {
			r, size := utf8.DecodeRuneInString(s)
			if combining(r) {
				marks++
			} else {
				marks = 0
			}
			var t string
			switch {
			case r == utf8.RuneError && size == 1:
				t = `\x` + strconv.FormatUint(uint64(s[0]), 16)
			case r == '\n' || r == '\t':
				t = " "
			case !strconv.IsPrint(r) || blank(r) || marks > 2:
				t = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
			default:
				t = s[:size]
			}
			s = s[size:]
			if !yield(t) {
				return
			}
		}
	}
}
