package resolve

import (
	"slices"
	"strings"
)

// Objects returns the drafts in what a model wrote as it has them, with their keys in
// snake case, for a caller whose drafts say more than ParseDraft reads. whole reports
// whether all was read: what was cut off or broken may have had more of them.
func Objects(b []byte) (all []map[string]any, whole bool) {
	if len(b) > draftLimit {
		return nil, false
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	found, _ := objects(b)
	for _, m := range found {
		all = append(all, snakeKeys(clean(m).(map[string]any)))
	}
	at := strings.IndexAny(text, "[{")
	if at < 0 {
		return nil, false
	}
	_, length, ok := strictly(text[at:])
	if !ok {
		_, length, ok = lenient(text[at:])
	}
	// A value behind the first is read by its own; one that is broken is told by the
	// bracket that is left over.
	rest := text[min(at+length, len(text)):]
	for ok {
		next := strings.IndexAny(rest, "[{")
		if next < 0 {
			break
		}
		_, n, more := lenient(rest[next:])
		ok, rest = more, rest[min(next+n, len(rest)):]
	}
	return slices.Clip(all), ok
}

// Numbers reads a list of whole numbers above zero as models write them.
func Numbers(v any) []int { return new(coercer).covers(v) }
