package resolve

import (
	"cmp"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// relatedShare is how much of what the quotes say, by weight of their words, a
// memory must say too to be shown to a drafter. It is low: a drafter that is
// shown one memory too many names none of it, one that is shown too few writes a
// second memory beside the one it should have changed.
const relatedShare = 0.15

// Related returns up to n active memories of a category that the quotes may be
// about, the most likely first, so that a draft can name the one it changes.
func Related(c memory.Category, quotes []string, existing []memory.Stored, n int) []memory.Stored {
	w := newCompare(c, existing)
	said := count(strings.Join(quotes, "\n"))
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
		has := count(r.Title + "\n" + strings.Join(r.Tags, "\n") + "\n" + r.Body())
		score := 0.0
		for word := range said {
			if has[word] > 0 || longer(word, has) {
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

// stemLength is how long the shorter of two words must be for the longer one to
// be taken for a form of it, in bytes: Postgres and PostgreSQL, not test and
// testament.
const stemLength = 6

// longer tells whether a word begins one of words or is begun by one.
func longer(word string, words map[string]float64) bool {
	for w := range words {
		if min(len(w), len(word)) >= stemLength &&
			(strings.HasPrefix(w, word) || strings.HasPrefix(word, w)) {
			return true
		}
	}
	return false
}
