package triage

import (
	"strings"

	"keepsake/pkg/text"
)

// pointing are the words of a request that says nothing itself: "please save what we decided", "update
// memory", "remember this". The list is unsorted: it is short, and searched once for each short statement
// that counts.
var pointing = [...]string{
	"please", "save", "remember", "keep", "note", "store", "update", "write", "record", "put", "add", "down",
	"the", "our", "your", "my", "a", "this", "that", "these", "those", "it", "them", "all", "everything",
	"what", "we", "i", "you", "ve", "have", "just", "decided", "agreed", "discussed", "said", "learned",
	"chose", "settled", "on", "about", "in", "into", "to", "for", "later", "now", "too", "also", "and", "of",
	"memory", "memories", "mind", "decision", "decisions", "can", "could", "would", "let", "s", "us", "so",
	"ok", "okay", "then", "rule", "rules", "preference", "preferences", "convention", "conventions",
	"constraint", "constraints", "limit", "limits", "limitation", "fix", "workaround", "runbook", "debt",
	"lesson", "learning", "future", "there", "one",
}

// longestPointer is the length of the longest such request, in words.
const longestPointer = 12

// isPointer reports whether a statement only points at something said elsewhere, so that it is not worth
// keeping itself.
func isPointer(text []byte) bool {
	words := strings.FieldsFunc(string(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f)
	})
	if len(words) == 0 || len(words) > longestPointer {
		return false
	}
	asks := false
	for i, w := range words {
		known := false
		for _, p := range pointing {
			if strings.EqualFold(w, p) {
				known = true
				break
			}
		}
		if !known {
			return false
		}
		asks = asks || isAsking(w) && (i == 0 || i == 1 && strings.EqualFold(words[0], "please"))
	}
	return asks
}

// isAsking reports whether w is a verb that asks to keep something.
func isAsking(w string) bool {
	return text.OneOf(strings.ToLower(w), "save remember keep note store update write record put add")
}
