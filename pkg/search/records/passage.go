package records

import (
	"bytes"
	"strings"

	"keepsake/pkg/text"
)

// Passage returns the sentence of a text that has most of the query, as Snippet does for a record, and its
// line, counted from 1. Of equal sentences it takes the first. If none has a word of the query, the line is
// 0.
func Passage(passage, query string, limit int) (line int, snippet string) {
	q := terms{limit: maxTerms}
	q.add(query[:min(len(query), headBytes)])
	var best sentence
	n := 0
	for l := range strings.Lines(passage) {
		n++
		for s := range Sentences(l) {
			if found := q.in(s); found.worth > best.worth {
				best, line = found, n
			}
		}
	}
	return line, text.Around(best.text, best.at, limit)
}

// A Probe compares texts by what they have of one query.
type Probe struct{ terms }

// ProbeOf returns the probe of a query.
func ProbeOf(query string) *Probe {
	p := &Probe{terms{limit: maxTerms}}
	p.add(query[:min(len(query), headBytes)])
	return p
}

// What a term of the query is worth in a text and in what stands near it, and what a term is that fits every
// subject.
const (
	probeOwn, probeOwnGeneric   = 16, 2
	probeNear, probeNearGeneric = 10, 1
)

// Worth returns what a text has of the query, 0 for nothing. Words of what stands near it, such as the
// headings above it, count less than its own.
func (p *Probe) Worth(own string, near ...string) (worth int) {
	var has, by [maxTerms]bool
	p.mark(own, &has)
	for _, s := range near {
		p.mark(s, &by)
	}
	for i := range p.n {
		term := p.term(i)
		generic := isPair(term) && text.IsGenericPair(term) || !isPair(term) && text.IsGeneric(term)
		switch {
		case has[i] && generic:
			worth += probeOwnGeneric
		case has[i]:
			worth += probeOwn
		case by[i] && generic:
			worth += probeNearGeneric
		case by[i]:
			worth += probeNear
		}
	}
	return worth
}

// mark notes which terms of the query a text has.
func (p *Probe) mark(s string, has *[maxTerms]bool) {
	c := text.Tokenizer{}
	c.Emit = func(term []byte) bool {
		for i := range p.n {
			if !has[i] && bytes.Equal(p.term(i), term) {
				has[i] = true
			}
		}
		return true
	}
	c.Cut(s)
}

// Around returns the sentence of a text that has most of the query, in at most limit characters.
func (p *Probe) Around(said string, limit int) string {
	best := sentence{worth: -1}
	for s := range Sentences(said) {
		if found := p.in(s); found.worth > best.worth {
			best = found
		}
	}
	return text.Around(best.text, best.at, limit)
}
