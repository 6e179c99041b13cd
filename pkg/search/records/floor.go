package records

import (
	"math"
	"unicode/utf8"

	"keepsake/pkg/search/segment"
	"keepsake/pkg/text"
)

// Floor is the lowest score of a memory that is worth showing to somebody who did not ask for any.
const Floor = 0.6

// A small store knows little about how common words are, so it counts as if it
// had priorDocs more records, with generic words in a share genericShare of them
// and all others in otherShare. A generic word never counts as rarer than that,
// however large the store.
const (
	priorDocs    = 60
	genericShare = 0.3
	otherShare   = 0.01
)

// pairWorth is the worth of a character pair, as a part of that of a word. A word is two or more pairs. In
// a question, most pairs that the index lacks are grammar, or parts of two words.
const (
	pairWorth   = 0.6
	unknownPair = 0.5
)

// worth returns the inverse document frequency of a term that n of docs records have.
func worth(term []byte, n, docs int) float32 {
	pair := isPair(term)
	everyday := pair && text.IsGenericPair(term) || !pair && text.IsGeneric(term)
	all := float64(docs + priorDocs)
	df := float64(n) + otherShare*priorDocs
	if everyday {
		df = max(float64(n), genericShare*float64(docs)) + genericShare*priorDocs
	}
	w := math.Log(1 + max(0, all-df+0.5)/(df+0.5))
	if pair {
		w *= pairWorth
	}
	return float32(w)
}

// unknownShare returns the share of its worth that a term missing from the index adds to the total of a
// question.
func unknownShare(term []byte) float32 {
	if isPair(term) {
		return unknownPair
	}
	return 1
}

func isPair(term []byte) bool {
	r, _ := utf8.DecodeRune(term)
	return text.IsUnspaced(r)
}

// relevance is how surely a document is about a question, 0 to 1. It is a
// logistic function of three things: how much of the question the document
// answers (its evidence beyond what a document has by chance, squared, over the
// size of the question), how much of it stands in title or tags, and the size of
// the store, since the best of many is good by chance more often.
//
// Fitted on development data (docs/quality.md): questions with known answers,
// questions put to the wrong store, and prompts of real sessions that had
// nothing to do with the store.
type relevance struct {
	size   float64 // of the question
	chance float64 // what a document has of it by chance
	docs   int
}

// Rarity returns the inverse document frequency of a word that n of docs documents have.
func Rarity(n, docs int) float64 { return float64(worth(nil, n, docs)) }

// Score returns how surely a document is about a question, as Search scores: asked is the
// rarity of all the words of the question, found of those that the document has, and docs
// how many documents were looked at. Of the question all that is asked for is known.
func Score(found, asked float64, docs int) float64 {
	if asked <= 0 || found <= 0 {
		return 0
	}
	r := newRelevance(asked, asked, docs)
	return r.score(r.rank(segment.Tally{Evidence: float32(found)}))
}

// usualQuestion is the idf of a question of about eight words. What goes beyond it counts less and less. A
// long prompt is about several things, or is a story, and a memory about one of them is as good an answer
// as there can be.
const usualQuestion = 20

// newRelevance returns the relevance for a question. total is the idf of all its terms, more than 0, and
// known that of the terms that any document has.
func newRelevance(total, known float64, docs int) relevance {
	size := total
	if size > usualQuestion {
		size = math.Sqrt(size * usualQuestion)
	}
	return relevance{size, chanceOfKnown*known + chanceOfUnknown*(total-known), docs}
}

const (
	foundWeight = 3.1
	foundFloor  = 0.1
	headWeight  = 1.3

	// A document is likelier to have a little of what its store has words for; but
	// a question with many others is less likely to be about the store.
	chanceOfKnown, chanceOfUnknown = 0.055, 0.025
)

func (r relevance) constant() float64 { return 5.35 - 0.85*math.Log(float64(r.docs+priorDocs)) }

func (r relevance) rank(t segment.Tally) float64 {
	// no more than chance, but the most of that comes first
	answered := foundFloor * float64(t.Evidence) / r.chance
	if found := float64(t.Evidence) - r.chance; found > 0 {
		answered = foundFloor + found*found/(2+r.size)
	}
	return r.constant() + foundWeight*math.Log(answered) + headWeight*min(1, float64(t.Head)/r.size)
}

func (relevance) score(rank float64) float64 { return 1 / (1 + math.Exp(-rank)) }

// least returns the rank of a score.
func (relevance) least(score float64) float64 { return math.Log(score / (1 - score)) }

// evidence returns the least evidence that a document needs for a rank, if its title has the whole
// question.
func (r relevance) evidence(rank float64) float32 {
	square := math.Exp((rank-r.constant()-headWeight)/foundWeight) - foundFloor
	if square <= 0 {
		return 0
	}
	return float32(0.9999 * (r.chance + math.Sqrt(square*(2+r.size)))) // rank itself decides
}
