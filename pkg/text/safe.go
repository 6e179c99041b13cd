// Package text has what every other package does with a text, whatever it says:
//
//   - unseen.go tells which characters nobody sees, and finds them;
//   - safe.go shows a text to a person and spells those out, so that nothing hides;
//   - clean.go takes them away, for what is kept or compared;
//   - cut.go shortens a text to a number of characters or bytes, between characters;
//   - json.go writes one as JSON;
//   - slug.go makes an id or a file name of a title and an id to type;
//   - stem.go takes the ending off an English word, so that its forms are found by each
//     other;
//   - memo.go keeps what was made of the last few texts.
package text

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Safe makes one line of s safe to show and loses nothing of it: what a
// terminal would obey or hide (control and escape sequences, bidirectional
// overrides, zero-width and other invisible characters, broken UTF-8) is spelled
// out, as are the third and further combining marks on one character. A line end
// and a tab become a space.
func Safe(s string) string {
	var b strings.Builder
	for t := range SafeRunes(s) {
		b.WriteString(t)
	}
	return b.String()
}

// SafeRunes yields s character by character, as Safe shows them.
func SafeRunes(s string) iter.Seq[string] {
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
			case !strconv.IsPrint(r) || IsInvisible(r) || marks > 2:
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

// combining reports the marks that stack on the character before them.
func combining(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0x20D0 && r <= 0x20FF || r >= 0xFE20 && r <= 0xFE2F || r >= 0x0483 && r <= 0x0489
}

// SafeLines returns the lines of s, each safe to show, behind a mark and with a line end.
func SafeLines(mark, s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(mark + Safe(line) + "\n")
	}
	return b.String()
}
