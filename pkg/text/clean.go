package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const maxMarks = 4 // marks on one letter; scripts need at most three, decoration takes dozens

// Clean returns a text without invisible characters: control characters except newline and tab,
// bidirectional overrides, tag characters, variation selectors. It keeps the joiners that Indic and Arabic
// scripts need.
func Clean(s string) string { return visible(s, true) }

// CleanLine returns s as one line of visible text in NFC, its words parted by single spaces.
func CleanLine(s string) string { return visible(s, false) }

// visible drops what cannot be seen. With lines it keeps newlines, tabs, the order
// of white space and joiners; otherwise all white space becomes single spaces.
func visible(s string, lines bool) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	b.Grow(len(s))
	marks := maxMarks // of the letter before; none may stand alone
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
			marks = maxMarks
		case lines && (r == '\u200c' || r == '\u200d'):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			if r == '\r' && lines {
				continue
			}
			b.WriteByte(' ')
			marks = maxMarks
		case unshown(r) || unicode.IsControl(r):
		case unicode.IsMark(r):
			if marks < maxMarks {
				b.WriteRune(r)
				marks++
			}
		default:
			b.WriteRune(r)
			marks = 0
		}
	}
	// Dropping a rune can bring together what composes.
	s = norm.NFC.String(b.String())
	if lines {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// unshown reports whether r is invisible to readers, or not assigned.
func unshown(r rune) bool {
	return IsInvisible(r) || unicode.In(r, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point)
}
