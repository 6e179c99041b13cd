package records

import (
	"math"
	"slices"
	"strings"

	"keepsake/pkg/search/segment"
	"keepsake/pkg/text"
)

const (
	// PromptFloor is the lowest score of a memory that a prompt gets along. It is above Floor: a prompt of
	// several sentences has several chances to be about a memory.
	PromptFloor = 0.65

	// PromptNear is how far below the best hit of a prompt another one may be, by the logarithm of their
	// odds, as the scores of the best are all near 1.
	PromptNear = 1.0
)

// Below returns the score that is as far below another one, by the logarithm of their odds.
func Below(score, by float64) float64 { return 1 / (1 + math.Exp(by)*(1-score)/score) }

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
	// maxPieces is how many sentences of a prompt are looked up by themselves, and firstPieces how many of
	// them from its beginning if it has more.
	maxPieces, firstPieces = 12, 8
)

// A piece is a sentence of a prompt.
type piece struct {
	terms        [maxTerms]uint8 // places of its terms
	n, first     int             // how many there are, and how many no earlier sentence has; those come first
	total, known float32
	asks         bool // it is a question
}

// pieces cuts a text into its sentences, as far as there is room for their terms, and adds the terms. It
// returns all with up to limit sentences that are not among them.
func (t *terms) pieces(s string, all []piece, limit int) []piece {
	for one := range Sentences(s) {
		before := t.n
		p := piece{asks: strings.HasSuffix(one, "?") || strings.HasSuffix(one, "？")}
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
		if p.first == 0 && slices.ContainsFunc(all, func(o piece) bool { return o.same(&p) }) {
			continue
		}
		if p.n > 0 && len(all) < limit {
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

// same reports whether two sentences have the same terms.
func (p *piece) same(o *piece) bool {
	if p.n != o.n {
		return false
	}
	for _, i := range o.terms[:o.n] {
		if !has(p.terms[:p.n], int(i)) {
			return false
		}
	}
	return true
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
	all := t.pieces(q.Text[:min(len(q.Text), headBytes)], make([]piece, 0, maxPieces), firstPieces)
	if t.n == t.limit || len(q.Text) > headBytes || len(all) == firstPieces {
		t.limit = maxTerms
		last := slices.Collect(Sentences(q.Text[max(0, len(q.Text)-tailBytes):]))
		for _, s := range last[max(0, len(last)-(maxPieces-len(all))):] { // what is asked often stands last
			all = t.pieces(s, all, maxPieces)
		}
	}
	if all = slices.DeleteFunc(all, t.isWorkflow); len(all) == 0 {
		return nil, nil
	}
	if len(all) == 1 {
		if err := s.askPlaces(&t, all[0].terms[:all[0].n]); err != nil || s.total <= 0 {
			return nil, err
		}
		x := newRelevance(float64(s.total), float64(s.known), s.docs)
		return s.supported(q, &t, x.least(floor), x)
	}
	for i := range s.sides {
		s.sides[i].whole = make([]segment.Tally, s.sides[i].Docs)
		s.sides[i].fits = make([]fit, s.sides[i].Docs)
	}
	var total, known float32
	for n := range all {
		p := &all[n]
		s.total, s.known = 0, 0
		if err := s.askPlaces(&t, p.terms[:p.first]); err != nil {
			return nil, err
		}
		total, known = total+s.total, known+s.known
		again := p.first < p.n // the whole has these terms already
		if again {
			for i := range s.sides {
				s.sides[i].addWhole()
			}
			if err := s.askPlaces(&t, p.terms[p.first:p.n]); err != nil {
				return nil, err
			}
		}
		p.total, p.known = s.total, s.known
		x := newRelevance(max(math.SmallestNonzeroFloat32, float64(p.total)), float64(p.known), s.docs)
		for i := range s.sides {
			s.sides[i].keepFits(x, int32(n), farBelow*x.evidence(x.least(floor)+piecePrice), !again)
		}
	}
	if total <= 0 {
		return nil, nil
	}
	of := promptScale{relevance: newRelevance(float64(total), float64(known), s.docs)}
	for _, p := range all {
		of.pieces = append(of.pieces, newRelevance(
			max(math.SmallestNonzeroFloat32, float64(p.total+restShare*(total-p.total))),
			float64(p.known+restShare*(known-p.known)), s.docs))
	}
	of.enough = make([]float32, len(all))
	hits, err := s.supported(q, &t, of.least(floor), &of)
	for i, h := range hits {
		if h.Question > 0 && !all[h.Question-1].asks {
			hits[i].Question = 0
		}
	}
	return hits, err
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

// addWhole adds the tallies of a sentence to those of the whole prompt.
func (s *side) addWhole() {
	whole := s.whole[:len(s.tallies)]
	for d, t := range s.tallies {
		whole[d].Evidence += t.Evidence
		whole[d].Head += t.Head
	}
}

// farBelow is how much of the evidence for the floor a document needs of a sentence to be looked at again:
// the rest of the prompt adds a little.
const farBelow = 0.7

// keepFits keeps the tallies of the n-th sentence where they answer it better than an earlier one is
// answered, if they reach some evidence, and clears them. With add it does the work of addWhole as well, in
// one pass over all documents.
func (s *side) keepFits(r relevance, n int32, least float32, add bool) {
	chance, of := float32(r.chance), float32(1/(2+r.size))
	least = max(least, chance)
	if add {
		whole := s.whole[:len(s.tallies)]
		for d, t := range s.tallies {
			whole[d].Evidence += t.Evidence
			whole[d].Head += t.Head
			if t.Evidence > least {
				s.keepFit(d, t, chance, of, n)
			}
		}
	} else {
		for d, t := range s.tallies {
			if t.Evidence > least {
				s.keepFit(d, t, chance, of, n)
			}
		}
	}
	clear(s.tallies)
}

// keepFit keeps the tally of a document where it answers the n-th sentence better than an earlier one.
func (s *side) keepFit(d int, t segment.Tally, chance, of float32, n int32) {
	if found := t.Evidence - chance; found > 0 {
		if f := &s.fits[d]; found*found*of > f.answered {
			*f = fit{t, found * found * of, n}
		}
	}
}

// A promptScale rates a document by the better of two ranks: that of the whole prompt, and that of the
// sentence that it fits best, with restShare of the rest.
type promptScale struct {
	relevance
	pieces []relevance
	enough []float32 // least evidence for the rank in hand, by sentence
}

func (p *promptScale) evidence(rank float64) float32 {
	for n, r := range p.pieces {
		p.enough[n] = r.evidence(rank + piecePrice)
	}
	return p.relevance.evidence(rank)
}

// rankOf returns the rank of a document of a side, unless it needs more evidence than it has for the rank
// that evidence was last asked for, where enough is what evidence returned.
func (p *promptScale) rankOf(s *side, d int, enough float32) (rank float64, ok bool) {
	w, f := s.whole[d], &s.fits[d]
	if w.Evidence >= enough {
		rank, ok = p.rank(w), true
	}
	if f.answered <= 0 {
		return rank, ok
	}
	part := segment.Tally{Evidence: f.Evidence + restShare*(w.Evidence-f.Evidence),
		Head: f.Head + restShare*(w.Head-f.Head)}
	if part.Evidence < p.enough[f.piece] {
		return rank, ok
	}
	if of := p.pieces[f.piece].rank(part) - piecePrice; !ok || of > rank {
		rank = of
	}
	return rank, true
}

// titleWorth is what it is worth to a memory if a prompt has more of its title than usualTitleShare, and what
// it costs it if the prompt has less: a prompt shares one rare word with many memories that it is not about.
const (
	titleWorth      = 1.0
	usualTitleShare = 0.35
)

// ofTitle returns what the share of a title that is among the terms adds to the rank of its memory. If none
// of it is, the memory was found by what it says below the title, of which the title says nothing. own is
// room for the terms of the title.
func (t *terms) ofTitle(title string, own *terms) float64 {
	own.n, own.limit = 0, maxTerms
	own.add(title)
	both := 0
	for i := range own.n {
		if t.has(own.term(i)) {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return titleWorth * math.Log(float64(1+both)/float64(1+own.n)/usualTitleShare)
}
