package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithoutLeadIn returns a statement without the words that only lead into it: "Remember:", "OK, so",
// "Please note that". If only one word would be left, the text before it stays.
func WithoutLeadIn(s string) string {
	rest := s
	for {
		next := rest
		said := strings.TrimLeftFunc(rest, isMark)
		first, _ := utf8.DecodeRuneInString(said)
		first = unicode.ToLower(first)
		for _, lead := range leadIns {
			if first != rune(lead[0]) {
				continue
			}
			if after, ok := cutLead(said, lead); ok {
				next = after
				break
			}
		}
		if next == rest {
			return rest
		}
		if len(strings.Fields(next)) < 2 { // "Remember this!"
			return rest
		}
		rest = next
	}
}

// leadIns stand longest first where one begins another. They are lower case.
var leadIns = [...]string{
	"please remember that", "please remember", "please note that", "please note", "please", "remember that",
	"remember this", "remember", "note that", "note", "for the record", "keep in mind that", "keep in mind",
	"don't forget that", "don't forget", "as i said", "reminder", "okay", "ok", "alright", "all right",
	"got it", "understood", "noted", "confirmed", "right", "sure", "great", "perfect", "good", "fine",
	"agreed", "yes", "yeah", "so", "then", "well", "i'll remember that", "i'll remember", "to confirm",
	"that is", "in short", "bitte merk dir, dass", "bitte merk dir", "bitte merken", "bitte",
	"merk dir, dass", "merk dir", "merke dir", "merke", "vergiss nicht", "zur erinnerung", "wie gesagt",
	"alles klar", "verstanden", "notiert", "in ordnung", "gut", "ja", "also", "genau", "once again",
	"once more", "again", "noch einmal", "nochmals", "nochmal",
}

// cutLead returns what stands behind words that lead into a text and the marks behind
// them. Words that begin another word, or that the sentence goes on with ("right now"),
// lead into nothing.
func cutLead(s, lead string) (rest string, ok bool) {
	head, tail := headOf(s, lead)
	if !head || tail == "" {
		return "", false
	}
	c, _ := utf8.DecodeRuneInString(tail)
	if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '-' {
		return "", false
	}
	rest = strings.TrimLeftFunc(tail, isMark)
	if rest == "" || needsMark(lead) && !strings.ContainsFunc(tail[:len(tail)-len(rest)], isStop) {
		return "", false
	}
	return rest, true
}

// headOf reports whether a text begins with lower-case words, in whatever case and with
// whatever apostrophe, and returns the rest.
func headOf(s, lead string) (ok bool, rest string) {
	for _, l := range lead {
		c, size := utf8.DecodeRuneInString(s)
		if c == '’' {
			c = '\''
		}
		if size == 0 || unicode.ToLower(c) != l {
			return false, ""
		}
		s = s[size:]
	}
	return true, s
}

// needsMark reports whether words only lead into something where a mark stands behind
// them: they are words of sentences as well.
func needsMark(lead string) bool {
	switch lead {
	case "right", "sure", "great", "perfect", "good", "fine", "agreed", "noted", "confirmed", "note",
		"then", "well", "reminder", "remember this", "that is", "gut", "genau", "notiert", "also", "merke",
		"understood", "verstanden", "once again", "once more", "again", "noch einmal", "nochmals", "nochmal":
		return true
	}
	return false
}

func isStop(r rune) bool { return strings.ContainsRune(",:;.!—–-", r) }

func isMark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("`\"“„'(<#$@/~+", r)
}
