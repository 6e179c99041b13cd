package records

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
	"keepsake/pkg/text"
)

// A prompt is looked up by its first distinct terms and those of its end: what
// lies between in a long one is pasted.
const (
	firstTerms = 32
	maxTerms   = 48
	headBytes  = 16 << 10
	tailBytes  = 600
)

// Search returns the memories that a query is about, best first; equal ones in
// order of path. It returns nothing when nothing reaches the query's floor.
// Errors wrap ErrCorrupt.
func (ix *Index) Search(q Query) ([]Hit, error) {
	if q.Limit <= 0 || ix.at.Docs(q.Retired) == 0 {
		return nil, nil
	}
	s := newSearch(ix, q.Retired)
	floor := q.Floor
	if q.FewFloor > 0 && s.docs <= fewDocs {
		floor = q.FewFloor
	}
	if q.Prompt {
		return s.prompt(q, floor)
	}
	t := terms{limit: firstTerms}
	t.add(q.Text[:min(len(q.Text), headBytes)])
	t.limit = maxTerms
	t.add(q.Text[max(0, len(q.Text)-tailBytes):])
	if err := s.askAll(&t); err != nil || s.total <= 0 {
		return nil, err
	}
	x := newRelevance(float64(s.total), float64(s.known), s.docs)
	return s.supported(q, &t, x.least(floor), x)
}

// fewDocs is how many documents are few: to weigh all that have anything of a question
// costs nothing there.
const fewDocs = 2000

// terms are the distinct terms of a text, up to a limit: without small talk, if
// there is anything else.
type terms struct {
	limit, n int
	ends     [maxTerms]uint16
	seen     [maxTerms * text.MaxToken]byte // the terms, one after the other, up to ends
}

func (t *terms) term(i int) []byte {
	start := uint16(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.seen[start:t.ends[i]]
}

func (t *terms) add(s string) {
	t.take(s, false)
	if t.n == 0 {
		t.take(s, true)
	}
}

func (t *terms) take(s string, talk bool) {
	if t.n >= t.limit {
		return
	}
	c := text.Tokenizer{}
	c.Emit = func(term []byte) bool {
		if c.SmallTalk && !talk {
			return true
		}
		t.index(term)
		return t.n < t.limit
	}
	c.Cut(s)
}

// has reports whether a term is among the terms.
func (t *terms) has(term []byte) bool {
	start := uint16(0)
	for _, end := range t.ends[:t.n] {
		if bytes.Equal(t.seen[start:end], term) {
			return true
		}
		start = end
	}
	return false
}

// index returns the place of a term, which it adds if it is new. It is -1 if there is no room.
func (t *terms) index(term []byte) int {
	start := uint16(0)
	for i, end := range t.ends[:t.n] {
		if bytes.Equal(t.seen[start:end], term) {
			return i
		}
		start = end
	}
	if t.n >= t.limit {
		return -1
	}
	t.ends[t.n] = start + uint16(copy(t.seen[start:], term))
	t.n++
	return t.n - 1
}

// A searching adds up what the documents have of a question.
type searching struct {
	retired bool
	docs    int     // that the query looks at
	total   float32 // sum of idf of all terms asked, also of those nobody has
	known   float32 // of it, what documents have
	sides   [2]side // base and delta
}

// A side is a segment and what its documents have of the question.
type side struct {
	*segment.Segment
	dead    []segment.Dead
	tallies []segment.Tally
	found   segment.Postings // of the term in hand
	n       int              // how many of them the query looks at

	// of a prompt of several sentences: what its documents have of all, and of the one that each fits best
	whole []segment.Tally
	fits  []fit
}

func newSearch(ix *Index, retired bool) *searching {
	s := &searching{retired: retired, docs: ix.at.Docs(retired)}
	s.sides[0] = side{Segment: ix.at.Base, dead: ix.at.Dead}
	s.sides[1] = side{Segment: ix.at.Delta}
	for i := range s.sides {
		s.sides[i].tallies = make([]segment.Tally, s.sides[i].Docs)
	}
	return s
}

// askAll adds what the documents have of all terms.
func (s *searching) askAll(t *terms) error {
	for i := range t.n {
		if err := s.ask(t.term(i)); err != nil {
			return err
		}
	}
	return nil
}

// ask adds what the documents have of term, or of its kin.
func (s *searching) ask(term []byte) error {
	n := 0
	for i := range s.sides {
		side := &s.sides[i]
		side.found, side.n = segment.Postings{}, 0
		at, ok, err := side.Find(term)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := side.take(at, s.retired); err != nil {
			return err
		}
		n += side.n
	}
	if n == 0 {
		s.total += unknownShare(term) * worth(term, 0, s.docs)
		return s.kin(term)
	}
	idf := worth(term, n, s.docs)
	s.total += idf
	s.known += idf
	s.count(idf)
	return nil
}

// take reads the postings of the i-th term and counts how many matter.
func (s *side) take(i int, retired bool) error {
	t, err := s.Term(i)
	if err != nil {
		return err
	}
	if s.n = t.Docs; !retired {
		s.n -= t.Inactive
	}
	if s.found, err = s.Postings(t); err != nil {
		return err
	}
	list, gone := s.found, s.dead
	for len(gone) > 0 {
		p, ok := list.Next()
		if !ok {
			break
		}
		for len(gone) > 0 && gone[0].Doc < p.Doc {
			gone = gone[1:]
		}
		if len(gone) > 0 && gone[0].Doc == p.Doc && (retired || gone[0].Mark < segment.Inactive) {
			s.n--
		}
	}
	s.n = max(0, s.n)
	return nil
}

// count adds the postings in hand to the tallies of their documents.
func (s *searching) count(idf float32) {
	for i := range s.sides {
		s.sides[i].found.Count(s.sides[i].tallies, idf)
	}
}

type ranked struct {
	doc int
	x   float64
}

// best returns the best documents of all sides that reach least.
func (s *searching) best(q Query, least float64, of scale) ([]Hit, error) {
	hits, err := s.ranked(q, least, of)
	for i := range hits {
		hits[i].Score = of.score(hits[i].Score)
	}
	return hits, err
}

// ranked is best with the ranks in the place of the scores.
func (s *searching) ranked(q Query, least float64, of scale) ([]Hit, error) {
	want := slices.Index(memory.Categories(), q.Category)
	if q.Category != "" && want < 0 {
		return nil, nil
	}
	var hits []Hit
	for i := range s.sides {
		top, err := s.sides[i].best(q, want, least, of)
		if err != nil {
			return nil, err
		}
		for _, r := range top {
			d, err := s.sides[i].Document(r.doc)
			if err != nil {
				return nil, err
			}
			e, err := entryOf(d)
			if err != nil {
				return nil, err
			}
			part := 0
			if f := s.sides[i].fits; f != nil && f[r.doc].answered > 0 {
				part = 1 + int(f[r.doc].piece)
			}
			hits = append(hits, Hit{e, r.x, part})
		}
	}
	inOrder(hits)
	return hits[:min(len(hits), q.Limit)], nil
}

// inOrder sorts hits, the best first, equal ones by path.
func inOrder(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
}

// A scale rates a document by its tally of a question.
type scale interface {
	// rank returns the rank of a tally, by which documents are ordered.
	rank(segment.Tally) float64
	// evidence returns the least evidence that a document needs for a rank.
	evidence(rank float64) float32
	// score returns a rank as it is shown to users.
	score(rank float64) float64
}

// best returns the best documents of the side, best first, equal ones in order
// of path.
func (s *side) best(q Query, category int, least float64, of scale) ([]ranked, error) {
	for _, d := range s.dead {
		s.tallies[d.Doc] = segment.Tally{}
		if s.fits != nil {
			s.whole[d.Doc], s.fits[d.Doc] = segment.Tally{}, fit{}
		}
	}
	var marks []byte
	if category >= 0 || !q.Retired && s.Active < s.Docs {
		var err error
		if marks, err = s.Marks(); err != nil {
			return nil, err
		}
	}
	var top []ranked
	evidence := max(of.evidence(least), math.SmallestNonzeroFloat32)
	several, _ := of.(*promptScale)
	for d := range s.tallies {
		r := ranked{doc: d}
		if several != nil {
			var ok bool
			if r.x, ok = several.rankOf(s, d, evidence); !ok {
				continue
			}
		} else if s.tallies[d].Evidence < evidence {
			continue
		}
		if marks != nil {
			if category >= 0 && int(marks[d]%segment.Inactive) != category ||
				!q.Retired && marks[d] >= segment.Inactive {
				continue
			}
		}
		if several == nil {
			r.x = of.rank(s.tallies[d])
		}
		if r.x < least || len(top) == q.Limit && r.x <= top[q.Limit-1].x {
			continue
		}
		if len(top) < q.Limit {
			top = append(top, r)
		}
		i := len(top) - 1
		for ; i > 0 && top[i-1].x < r.x; i-- {
			top[i] = top[i-1]
		}
		top[i] = r
		if len(top) == q.Limit {
			evidence = max(evidence, of.evidence(top[q.Limit-1].x))
		}
	}
	return top, nil
}
