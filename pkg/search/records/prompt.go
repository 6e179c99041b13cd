package records

import (
	"math"
	"slices"

	"keepsake/pkg/search/segment"
	"keepsake/pkg/text"
)

const (
	// PromptFloor is the lowest score of a memory that a prompt gets along. It is above Floor: a prompt of
	// several sentences has several chances to be about a memory.
	PromptFloor = 0.68

	// PromptNear is the share of the best hit's score that the other hits of a prompt need.
	PromptNear = 0.9
)

// PromptQuery returns the query of a prompt. Its author did not ask for memories, and mostly says more than
// one thing. Each sentence is a question of its own, and so is the whole: a memory has the score of the one
// that it answers best. So four ordinary sentences around a question don't hide what it is about.
func PromptQuery(text string, limit int) Query {
	return Query{Text: text, Limit: limit, Floor: PromptFloor, Prompt: true}
}

const (
	// restShare is how much the rest of a prompt counts beside one of its sentences. It tells apart the
	// memories that fit a short sentence equally, and it is the price of a sentence in a long prompt.
	restShare = 0.1
	// piecePrice is what a sentence of several loses of its rank, the logarithm of its odds: with several
	// questions one is answered by chance more often.
	piecePrice = 0.4
	// maxPieces is how many sentences of a prompt are looked up by themselves.
	maxPieces = 12
)

// A piece is a sentence of a prompt.
type piece struct {
	terms        [maxTerms]uint8 // places of its terms
	n, first     int             // how many there are, and how many no earlier sentence has; those come first
	total, known float32
}

// pieces cuts a prompt into its sentences, as far as there is room for their terms, and adds the terms.
func (t *terms) pieces(s string, all []piece) []piece {
	for one := range Sentences(s) {
		before := t.n
		var p piece
		var again [maxTerms]uint8
		repeated := 0
		c := text.Tokenizer{}
		c.Emit = func(term []byte) bool {
			if c.SmallTalk {
				return true
			}
			known := t.n
			switch i := t.index(term); {
			case i < 0:
				return false
			case i >= known:
				p.terms[p.n] = uint8(i)
				p.n++
			case i < before && !has(again[:repeated], i):
				again[repeated] = uint8(i)
				repeated++
			}
			return true
		}
		c.Cut(one)
		p.first = p.n
		p.n += copy(p.terms[p.n:], again[:repeated])
		if p.n > 0 && len(all) < maxPieces {
			all = append(all, p)
		} else if p.first > 0 { // the last one takes the rest
			last := &all[len(all)-1]
			for _, i := range p.terms[:p.first] {
				last.terms[last.n] = last.terms[last.first]
				last.terms[last.first] = i
				last.n++
				last.first++
			}
		}
		if t.n >= t.limit {
			break
		}
	}
	return all
}

// isWorkflow reports whether a sentence names only steps of the work: it is about no memory.
func (t *terms) isWorkflow(p piece) bool {
	for _, i := range p.terms[:p.n] {
		if !text.IsWorkflow(t.term(int(i))) {
			return false
		}
	}
	return true
}

func has(all []uint8, i int) bool {
	for _, x := range all {
		if int(x) == i {
			return true
		}
	}
	return false
}

// A fit is what a document has of the sentence that it fits best.
type fit struct {
	segment.Tally
	answered float32
	piece    int32
}

// prompt returns the best documents for a prompt.
func (s *searching) prompt(q Query, floor float64) ([]Hit, error) {
	t := terms{limit: firstTerms}
	all := t.pieces(q.Text[:min(len(q.Text), headBytes)], make([]piece, 0, maxPieces))
	if t.n == t.limit || len(q.Text) > headBytes {
		t.limit = maxTerms
		all = t.pieces(q.Text[max(0, len(q.Text)-tailBytes):], all)
	}
	if all = slices.DeleteFunc(all, t.isWorkflow); len(all) == 0 {
		return nil, nil
	}
	if len(all) == 1 {
		if err := s.askPlaces(&t, all[0].terms[:all[0].n]); err != nil || s.total <= 0 {
			return nil, err
		}
		x := newRelevance(float64(s.total), float64(s.known), s.docs)
		return s.best(q, x.least(floor), x)
	}
	var whole [len(s.sides)][]segment.Tally
	var fits [len(s.sides)][]fit
	for i := range s.sides {
		whole[i] = make([]segment.Tally, s.sides[i].Docs)
		fits[i] = make([]fit, s.sides[i].Docs)
	}
	var total, known float32
	for n := range all {
		p := &all[n]
		s.total, s.known = 0, 0
		if err := s.askPlaces(&t, p.terms[:p.first]); err != nil {
			return nil, err
		}
		total, known = total+s.total, known+s.known
		for i := range s.sides {
			add(whole[i], s.sides[i].tallies)
		}
		if err := s.askPlaces(&t, p.terms[p.first:p.n]); err != nil {
			return nil, err
		}
		if p.total, p.known = s.total, s.known; p.total <= 0 {
			continue
		}
		x := newRelevance(float64(p.total), float64(p.known), s.docs)
		for i := range s.sides {
			x.keepBest(fits[i], s.sides[i].tallies, int32(n))
		}
	}
	if total <= 0 {
		return nil, nil
	}
	return s.bestFits(q, floor, all, whole, fits, total, known)
}

// askPlaces adds what the documents have of the terms at some places.
func (s *searching) askPlaces(t *terms, places []uint8) error {
	for _, i := range places {
		if err := s.ask(t.term(int(i))); err != nil {
			return err
		}
	}
	return nil
}

// add adds tallies to others.
func add(to, tallies []segment.Tally) {
	for d := range tallies {
		if t := &tallies[d]; t.Evidence > 0 {
			to[d].Evidence += t.Evidence
			to[d].Head += t.Head
		}
	}
}

// keepBest keeps the tallies of the n-th sentence where they answer it better than an earlier one is
// answered, and clears them.
func (r relevance) keepBest(fits []fit, tallies []segment.Tally, n int32) {
	chance, of := float32(r.chance), float32(1/(2+r.size))
	for d := range tallies {
		t := &tallies[d]
		if found := t.Evidence - chance; found > 0 {
			if answered := found * found * of; answered > fits[d].answered {
				fits[d] = fit{*t, answered, n}
			}
		}
		*t = segment.Tally{}
	}
}

// bestFits returns the best documents by the better of two ranks: that of the whole prompt, and that of the
// sentence that each fits best, with restShare of the rest.
func (s *searching) bestFits(q Query, floor float64, all []piece, whole [2][]segment.Tally, fits [2][]fit,
	total, known float32) ([]Hit, error) {
	of := newRelevance(float64(total), float64(known), s.docs)
	least := of.least(floor)
	enough := of.evidence(least)
	single, enoughOf := make([]relevance, len(all)), make([]float32, len(all))
	for n, p := range all {
		single[n] = newRelevance(max(math.SmallestNonzeroFloat32, float64(p.total+restShare*(total-p.total))),
			float64(p.known+restShare*(known-p.known)), s.docs)
		enoughOf[n] = single[n].evidence(least)
	}
	for i := range s.sides {
		tallies := s.sides[i].tallies
		for d, w := range whole[i] {
			f := &fits[i][d]
			part := segment.Tally{Evidence: f.Evidence + restShare*(w.Evidence-f.Evidence),
				Head: f.Head + restShare*(w.Head-f.Head)}
			isPart := f.answered > 0 && part.Evidence >= enoughOf[f.piece]
			if w.Evidence <= 0 || w.Evidence < enough && !isPart {
				continue
			}
			rank := of.rank(w)
			if isPart {
				rank = max(rank, single[f.piece].rank(part)-piecePrice)
			}
			tallies[d].Evidence = float32(math.Exp(rank))
		}
	}
	return s.best(q, least, odds{})
}

// odds are ranks that were worked out already: the evidence is their odds.
type odds struct{}

func (odds) rank(t segment.Tally) float64 { return math.Log(float64(t.Evidence)) }

func (odds) evidence(rank float64) float32 { return float32(0.9999 * math.Exp(rank)) }

func (odds) score(rank float64) float64 { return relevance{}.score(rank) }
