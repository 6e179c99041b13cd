package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine returns s as one line, its words parted by single spaces.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine reports whether OneLine would change nothing, as of most texts that are one line.
func isOneLine(s string) bool {
	blank := true // the byte before is a blank, or there is none
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '\t' && c <= '\r', c == ' ' && blank, c == 0xc2, c == 0xe1, c == 0xe2, c == 0xe3:
			return false // the last four begin the blanks that are not ASCII
		default:
			blank = c == ' '
		}
	}
	return !blank || s == ""
}

// Lower returns s in lower case with straight apostrophes.
func Lower(s string) string { return strings.ReplaceAll(strings.ToLower(s), "’", "'") }

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

// ShortenAtWord returns s in at most n runes. A text that is cut ends in "…", at a space if there is one in
// its second half, and without punctuation before that.
func ShortenAtWord(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	head := string(runes[:n-1])
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:") + "…"
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
	return s[:max(n, 0)]
}

// LastBytes returns at most the last n bytes of s, cut where a character begins.
func LastBytes(s string, n int) string {
	from := max(len(s)-max(n, 0), 0)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// wordRunes is how far the end of a word is looked for.
const wordRunes = 20

// Around returns at most n runes of s around the byte at, cut at the ends of words if there are any. "…"
// stands for each part that is left out.
func Around(s string, at, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	if n < 4 {
		return "…" // nothing can be said in that
	}
	first := utf8.RuneCountInString(s[:max(0, min(at, len(s)))])
	start := max(0, min(first-n/3, len(runes)-n))
	end := min(len(runes), start+n)
	before, after := "", ""
	if start > 0 {
		before = "…"
		start++
		// A word that is cut in two is left out, if it is not the one asked for.
		for i := start; i < min(first, start+wordRunes); i++ {
			if unicode.IsSpace(runes[i-1]) {
				start = i
				break
			}
		}
	}
	if end < len(runes) {
		after = "…"
		end--
		for i := end; i > max(first, end-wordRunes); i-- {
			if unicode.IsSpace(runes[i]) {
				end = i
				break
			}
		}
	}
	return before + strings.TrimSpace(string(runes[start:end])) + after
}

// FlatLine returns s as one line in which control characters are white space too, its words parted by single
// spaces.
func FlatLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// ShortenBytes returns s in at most n bytes. A text that is cut ends in "…". It is only "…" if nothing else
// fits.
func ShortenBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(CutBytes(s, n-len("…"))) + "…"
}
