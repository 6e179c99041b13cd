package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// slugInput bounds how much of a text Slug looks at, in bytes.
const slugInput = 4 << 10

// Slug makes a name for files and links out of s: lower case, letters and digits of any script, everything
// between them one hyphen. Where a letter is an ASCII letter with marks on it the marks go ("Über" gives
// "uber"); other scripts stay as they are written, in NFC. It is "" only where s has no visible letter or
// digit, and never longer than maxRunes runes or maxBytes bytes.
func Slug(s string, maxRunes, maxBytes int) string {
	s = norm.NFC.String(strings.ToValidUTF8(CutBytes(s, slugInput), ""))
	var b strings.Builder
	runes := 0
	gap, marks := false, false // a hyphen is due; marks of the last letter are kept
	add := func(letters string) bool {
		n := utf8.RuneCountInString(letters)
		sep := ""
		if gap && b.Len() > 0 {
			sep = "-"
		}
		if runes+n+len(sep) > maxRunes || b.Len()+len(letters)+len(sep) > maxBytes {
			return false
		}
		b.WriteString(sep)
		b.WriteString(letters)
		runes += n + len(sep)
		gap = false
		return true
	}
	for _, r := range s {
		ok := true
		switch {
		case unicode.IsMark(r):
			if marks && !gap && !unshown(r) {
				ok = add(string(r))
			}
		case unshown(r):
		default:
			if ascii := asciiFold(r); ascii != "" {
				ok, marks = add(ascii), false
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
				ok, marks = add(string(unicode.ToLower(r))), true
			} else {
				gap = true
			}
		}
		if !ok {
			break
		}
	}
	return b.String()
}

// IsSlug reports whether s could be what Slug returns: letters and digits in lower case and NFC, with hyphens
// between them.
func IsSlug(s string) bool {
	if s == "" || !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) {
		return false
	}
	if s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i, r := range s {
		switch {
		case r == '-':
		case unshown(r):
			return false
		case unicode.IsMark(r):
			if i == 0 {
				return false
			}
		case !unicode.IsLetter(r) && !unicode.IsDigit(r), unicode.ToLower(r) != r:
			return false
		}
	}
	return true
}

// asciiFold returns the lower-case ASCII letters and digits that r is made of,
// "" if it is made of anything else.
func asciiFold(r rune) string {
	switch {
	case r < utf8.RuneSelf:
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return string(r)
		}
		if r >= 'A' && r <= 'Z' {
			return string(r + 'a' - 'A')
		}
		return ""
	}
	switch r { // Latin letters that Unicode does not decompose
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'ł', 'Ł':
		return "l"
	case 'þ', 'Þ':
		return "th"
	case 'ı':
		return "i"
	}
	var b strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.Is(unicode.Mn, d):
		case d >= 'a' && d <= 'z', d >= '0' && d <= '9':
			b.WriteRune(d)
		case d >= 'A' && d <= 'Z':
			b.WriteRune(d + 'a' - 'A')
		default:
			return ""
		}
	}
	return b.String()
}
