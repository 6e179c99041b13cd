package classify

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// MaxText bounds a statement, in bytes.
const MaxText = 4 << 10

// tidy makes a text one line. It refuses what is too long for a statement and what
// can't be seen.
func tidy(what, s string) (string, error) {
	switch {
	case len(s) > MaxText:
		return "", &Wrong{fmt.Sprintf("%s has %d bytes; a note takes %d", what, len(s), MaxText),
			"one statement at a time; a longer text belongs in a file of the project, with a note that " +
				"says where"}
	case !utf8.ValidString(s):
		return "", &Wrong{what + " is no UTF-8", "give it as plain text"}
	}
	for r := range text.Unseen(s) {
		// of letters and emoji
		joins := r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Variation_Selector, r)
		if !unicode.IsSpace(r) && !joins {
			return "", &Wrong{fmt.Sprintf("%s has the character %U, which can't be seen", what, r),
				"give it as plain text"}
		}
	}
	return text.OneLine(s), nil
}

// agent reports whether a text may be the name of an agent.
func agent(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_.:", r)) {
			return false
		}
	}
	return len(s) <= 60
}

// sentence returns the first sentence of a text, at most n characters of it.
func sentence(s string, n int) string {
	for i, r := range s {
		if (r == '.' || r == '!' || r == '?' || r == ';') && i+1 < len(s) && s[i+1] == ' ' &&
			!memdir.IsFew(s[:i]) && !abbreviated(s[:i]) {
			s = s[:i]
			break
		}
	}
	return memdir.Cut(strings.TrimRight(s, " .;"), n)
}

// abbreviated reports whether the full stop behind a text ends an abbreviation, not a sentence: "e.g",
// "Dr".
func abbreviated(s string) bool {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	return strings.Contains(last, ".") || utf8.RuneCountInString(last) < 3
}

// Words of a title.
const (
	titleWords = 6
	titleRunes = 50
)

// title names a statement by its first telling words, and never by all of them: a
// hook that repeats the title says nothing.
func title(s string) string {
	words := strings.Fields(strings.ReplaceAll(sentence(s, 200), "**", ""))
	for len(words) > 3 && leading(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	if len(words) == 1 { // a script without spaces
		if r := []rune(words[0]); len(r) > 4 {
			words[0] = string(r[:min(len(r)/2, 12)])
		}
	}
	n := min(titleWords, len(words))
	for i, w := range words[:n] {
		if i > 0 && i+1 < n && strings.HasSuffix(w, ",") {
			n = i + 1
			break
		}
	}
	if n == len(strings.Fields(s)) && n > 1 {
		n--
	}
	for n > 1 && (utf8.RuneCountInString(strings.Join(words[:n], " ")) > titleRunes || trailing(words[n-1])) {
		n--
	}
	t := strings.Trim(strings.Join(words[:n], " "), " ,;:.!?`*_\"'()[]#>|-+")
	t = memdir.Cut(t, titleRunes)
	r, size := utf8.DecodeRuneInString(t)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + t[size:]
}

func leading(w string) bool {
	return isDate(w) || text.OneOf(strings.ToLower(strings.Trim(w, ",.:")),
		"we i on yesterday today the a an have has "+
			"decided agreed chose to that it is was am user please note")
}

func trailing(w string) bool {
	w = strings.ToLower(strings.Trim(w, ",.:;"))
	return w == "" || text.OneOf(w,
		"the a an to of in on for and or with by at is are was be because not no as from "+
			"that which over under when whenever while if so since than into before after only until per "+
			"via "+
			"each every "+
			"must should will can we i it its they their them this these my our your but")
}

// dateLike reports whether a name begins with a year and a month, as the names of daily logs and events do.
func dateLike(s string) bool {
	return len(s) >= len("2006-01") && s[4] == '-' && isDate(s[:4]) && isDate(s[5:7])
}
