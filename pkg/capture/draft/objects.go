package draft

import (
	"slices"
	"strings"
)

// Objects returns the drafts in what a model wrote, unchanged except for snake-case keys, for callers that
// need more of them than Parse reads. whole reports whether everything was read: a part that was cut off
// or broken may have held more drafts.
func Objects(b []byte) (all []map[string]any, whole bool) {
	if len(b) > draftLimit {
		return nil, false
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	found, _ := findObjects(b)
	for _, m := range found {
		all = append(all, snakeKeys(cleanJSON(m).(map[string]any)))
	}
	at := strings.IndexAny(text, "[{")
	if at < 0 {
		return nil, false
	}
	_, length, ok := decodeStrictly(text[at:])
	if !ok {
		_, length, ok = decodeLeniently(text[at:])
	}
	// Further values are parsed on their own; a broken one leaves a bracket behind.
	rest := text[min(at+length, len(text)):]
	for ok {
		next := strings.IndexAny(rest, "[{")
		if next < 0 {
			break
		}
		_, n, more := decodeLeniently(rest[next:])
		ok, rest = more, rest[min(next+n, len(rest)):]
	}
	return slices.Clip(all), ok
}

// Numbers returns a list of positive whole numbers as models write it.
func Numbers(v any) []int { return new(coercer).covers(v) }
