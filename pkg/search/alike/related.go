package alike

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// relatedShare is how much of what the quotes say, by weight of words, a memory must say too to be shown to a
// drafter. It is low: one memory too many does no harm, but without the one that should be changed the
// drafter writes a second one.
const relatedShare = 0.15

// Related returns up to n active memories of a category that the quotes may be about, the most likely first,
// so that a draft can name the one it changes.
func Related(c memory.Category, quotes []string, existing []memory.Stored, n int) []memory.Stored {
	w := newCompare(c, existing)
	said := countTerms(strings.Join(quotes, "\n"))
	total := 0.0
	for word := range said {
		total += w.weight(word)
	}
	type scored struct {
		memory.Stored
		score float64
	}
	var found []scored
	for _, r := range existing {
		if r.Category != c || r.Status != memory.Active || total == 0 {
			continue
		}
		has := countTerms(r.Title + "\n" + strings.Join(r.Tags, "\n") + "\n" + r.Body())
		score := 0.0
		for word := range said {
			if has[word] > 0 || isFormOf(word, has) {
				score += w.weight(word)
			}
		}
		if score/total >= relatedShare {
			found = append(found, scored{r, score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Path, b.Path))
	})
	var out []memory.Stored
	for _, f := range found[:min(n, len(found))] {
		out = append(out, f.Stored)
	}
	return out
}

// stemLength is the length in bytes from which a word and a longer one that begins with it count as forms of
// one word: Postgres and PostgreSQL, not test and testament.
const stemLength = 6

// isFormOf reports whether a word begins one of words, or one of words begins it.
func isFormOf(word string, words map[string]float64) bool {
	for w := range words {
		if min(len(w), len(word)) >= stemLength &&
			(strings.HasPrefix(w, word) || strings.HasPrefix(word, w)) {
			return true
		}
	}
	return false
}
