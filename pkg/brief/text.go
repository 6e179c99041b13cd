package brief

import (
	"strings"
	"unicode"

	"keepsake/pkg/text"
)

const ellipsis = "…"

// Text makes one escaped line of at most limit bytes out of foreign text: Line,
// then every "<" becomes "&lt;", and a "&" that could be read as the start of
// such an escape becomes "&amp;". Other characters stay, so that `a && b > c`
// in a runbook can still be read and run. The result is never cut inside a
// character or an escape. A limit of 0 or less means no limit.
func Text(s string, limit int) string {
	return limited(escape(Line(s)), limit)
}

// limited is cut, except that a limit of 0 or less means no limit.
func limited(s string, limit int) string {
	if limit <= 0 {
		return s
	}
	return cut(s, limit)
}

// Line makes one line of foreign text for a terminal: invalid UTF-8 becomes
// U+FFFD, white space one space, and characters that are not seen or change how
// others are seen (controls, bidi marks, zero width, tags, fillers) are dropped.
func Line(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == ' ' && (i == 0 || s[i-1] == ' ') {
			plain = false
			break
		}
	}
	if plain && (s == "" || s[len(s)-1] != ' ') {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case unicode.IsControl(r) || text.IsInvisible(r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r) // a broken byte arrives here as U+FFFD
	}
	return b.String()
}

// escape replaces every "<" that could begin a tag.
func escape(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '<':
			b.WriteString("&lt;")
		case s[i] == '&' && entity(s[i:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// entity reports whether s begins with what could be read as an escaped character.
func entity(s string) bool {
	for i := 1; i < len(s) && i < 12; i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '#' && i == 1:
		case '0' <= c && c <= '9' && i > 1:
		case c == ';':
			return i > 1
		default:
			return false
		}
	}
	return false
}

// cut shortens an escaped line to at most limit bytes, the ellipsis included; to
// nothing where not even that fits.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if limit < len(ellipsis) {
		return ""
	}
	end := len(text.CutBytes(s, limit-len(ellipsis)))
	// Not inside "&lt;" or "&amp;": an escape begins at most four bytes before the cut.
	if i := strings.LastIndexByte(s[:end], '&'); i >= 0 && end-i < len("&amp;") {
		if j := strings.IndexByte(s[i:], ';'); j >= 0 && j < len("&amp;") && i+j >= end {
			end = i
		}
	}
	return strings.TrimRight(s[:end], " ") + ellipsis
}
