package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// slugInput bounds how much of a title Slug looks at, in bytes.
const slugInput = 4 << 10

// Slug makes an id out of a title: lower case, letters and digits of any
// script, everything between them one hyphen. Where a letter is an ASCII letter
// with marks on it the marks go ("Über" gives "uber"); other scripts stay
// as they are written, in NFC. It is "" only for a title without any visible
// letter or digit, and never longer than MaxID runes or MaxIDBytes bytes.
func Slug(title string) string {
	title = norm.NFC.String(strings.ToValidUTF8(head(title, slugInput), ""))
	var b strings.Builder
	runes := 0
	gap, marks := false, false // a hyphen is due; marks of the last letter are kept
	add := func(s string) bool {
		n := utf8.RuneCountInString(s)
		sep := ""
		if gap && b.Len() > 0 {
			sep = "-"
		}
		if runes+n+len(sep) > MaxID || b.Len()+len(s)+len(sep) > MaxIDBytes {
			return false
		}
		b.WriteString(sep)
		b.WriteString(s)
		runes += n + len(sep)
		gap = false
		return true
	}
	for _, r := range title {
		ok := true
		switch {
		case unicode.IsMark(r):
			if marks && !gap && !unshown(r) {
				ok = add(string(r))
			}
		case unshown(r):
		default:
			if s := asciiFold(r); s != "" {
				ok, marks = add(s), false
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

// ValidID says whether s can be the id of a record: what Slug returns, and
// every id of seed 3.
func ValidID(s string) bool {
	if s == "" || len(s) > MaxIDBytes || utf8.RuneCountInString(s) > MaxID || !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) {
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

// head returns at most n bytes of s, cut at a rune's start.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
