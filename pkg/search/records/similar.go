package records

import (
	"math"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

// Similar returns the records of r's category that have most in common with it
// by the words of title, tags and body, whatever else they say: candidates for
// what r is about, the most similar first. Its scores, from 0 to 1, compare
// candidates for one record and are on another scale than Search's. With retired
// it also looks at what is retired or archived. Errors wrap ErrCorrupt.
func (ix *Index) Similar(r memory.Record, limit int, retired bool) ([]Hit, error) {
	if limit <= 0 || ix.at.Docs(retired) == 0 {
		return nil, nil
	}
	s := newSearch(ix, retired)
	t := terms{limit: firstTerms}
	t.add(r.Title + "\n" + strings.Join(r.Tags, "\n"))
	t.limit = maxTerms
	t.add(r.Body())
	if err := s.askAll(&t); err != nil || s.total <= 0 {
		return nil, err
	}
	return s.best(Query{Limit: limit, Category: r.Category, Retired: retired}, 0, likeness(s.total))
}

// Has returns how many of the active records have a term, as text.Tokenizer makes it, and of how many.
// Errors wrap ErrCorrupt.
func (ix *Index) Has(term string) (n, of int, err error) {
	for _, side := range [...]side{{Segment: ix.at.Base, dead: ix.at.Dead}, {Segment: ix.at.Delta}} {
		at, ok, err := side.Find([]byte(term))
		if err == nil && ok {
			err = side.take(at, false)
		}
		if err != nil {
			return 0, 0, err
		}
		n += side.n
	}
	return n, ix.Len(), nil
}

// likeness is how much a record has in common with another, as a part of all
// that could be.
type likeness float64

func (l likeness) rank(t segment.Tally) float64 { return float64(t.Evidence) / float64(l) }

func (l likeness) evidence(rank float64) float32 { return float32(0.9999 * rank * float64(l)) }

func (likeness) score(rank float64) float64 { return math.Min(1, rank) }
