package recall

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"unicode/utf8"

	"keepsake/pkg/memory"
)

// ErrCorrupt means that the bytes are no search file of this version: build a new one.
var ErrCorrupt = errors.New("recall: not a search file of this version")

// Index is an opened search file. It keeps the bytes it was opened on, which
// must not change.
type Index struct {
	b           []byte
	docs, terms int
}

// Open checks b and returns the index in it. It parses nothing: the cost is that
// of a checksum. Errors wrap ErrCorrupt.
func Open(b []byte) (*Index, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < headerSize || string(b[:8]) != magic:
		return nil, fmt.Errorf("%w: no header", ErrCorrupt)
	case le.Uint32(b[8:]) != Version:
		return nil, fmt.Errorf("%w: version %d", ErrCorrupt, le.Uint32(b[8:]))
	case uint64(le.Uint32(b[24:])) != uint64(len(b)):
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrCorrupt, len(b), le.Uint32(b[24:]))
	case crc32.ChecksumIEEE(b[16:]) != le.Uint32(b[12:]):
		return nil, fmt.Errorf("%w: checksum", ErrCorrupt)
	}
	docs, terms := uint64(le.Uint32(b[16:])), uint64(le.Uint32(b[20:]))
	if headerSize+docs*docSize+terms*termSize > uint64(len(b)) {
		return nil, fmt.Errorf("%w: tables longer than the file", ErrCorrupt)
	}
	return &Index{b: b, docs: int(docs), terms: int(terms)}, nil
}

// Len is the number of records in the index.
func (ix *Index) Len() int { return ix.docs }

// List returns the records of one category, in order of path, with no score.
func (ix *Index) List(c memory.Category) []Hit {
	var hits []Hit
	for i := range ix.docs {
		if h := ix.hit(i); h.Path != "" && h.Category == c {
			hits = append(hits, h)
		}
	}
	return hits
}

// A checksum says that nothing changed since Build, not that Build wrote it: the
// file can be anybody's. So every offset is checked before it is used.

// part returns n bytes of the file at off, nil where the file has not got them.
func (ix *Index) part(off, n uint32) []byte {
	if uint64(off)+uint64(n) > uint64(len(ix.b)) {
		return nil
	}
	return ix.b[off : uint64(off)+uint64(n)]
}

// entry is the i-th row of the table of terms.
func (ix *Index) entry(i int) []byte {
	at := headerSize + docSize*ix.docs + termSize*i
	return ix.b[at : at+termSize]
}

// term is the i-th term.
func (ix *Index) term(i int) []byte {
	e := ix.entry(i)
	return ix.part(binary.LittleEndian.Uint32(e), uint32(e[12]))
}

// find returns the place of term, or where it would be.
func (ix *Index) find(term []byte) (i int, ok bool) {
	lo, hi := 0, ix.terms
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch c := bytes.Compare(ix.term(mid), term); {
		case c == 0:
			return mid, true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

// hit reads the i-th document.
func (ix *Index) hit(i int) Hit {
	le := binary.LittleEndian
	at := headerSize + docSize*i
	d := ix.b[at : at+docSize]
	path, id, title := uint32(le.Uint16(d[4:])), uint32(le.Uint16(d[6:])), uint32(le.Uint16(d[8:]))
	s := ix.part(le.Uint32(d), path+id+title)
	categories := memory.Categories()
	if s == nil || int(d[10]) >= len(categories) {
		return Hit{}
	}
	return Hit{
		Path: string(s[:path]), ID: string(s[path : path+id]), Title: string(s[path+id:]),
		Category: categories[d[10]],
	}
}

// A prompt is looked up by its first distinct terms and those of its end: what
// lies between in a long one is pasted.
const (
	firstTerms = 32
	maxTerms   = 48
	headBytes  = 16 << 10
	tailBytes  = 600
)

// Search returns at most limit memories that query is about, best first; equal
// ones in order of path. It returns nothing when nothing reaches Floor.
func (ix *Index) Search(query string, limit int) []Hit {
	return ix.search(query, limit, Floor)
}

func (ix *Index) search(query string, limit int, floor float64) []Hit {
	if limit <= 0 || ix.docs == 0 {
		return nil
	}
	q := question{ix: ix}
	q.ask(query[:min(len(query), headBytes)], firstTerms)
	q.ask(query[max(0, len(query)-tailBytes):], maxTerms)
	if q.n == 0 {
		return nil
	}
	tallies := make([]tally, ix.docs)
	for _, a := range q.asked {
		a.count(ix, tallies)
	}
	var top []ranked // best first, at most limit
	for d := range tallies {
		if tallies[d].evidence == 0 {
			continue
		}
		r := ranked{doc: d, score: relevance(tallies[d], q.total, ix.docs)}
		if r.score < floor || len(top) == limit && r.score <= top[limit-1].score {
			continue
		}
		if len(top) < limit {
			top = append(top, r)
		}
		i := len(top) - 1
		for ; i > 0 && top[i-1].score < r.score; i-- {
			top[i] = top[i-1]
		}
		top[i] = r
	}
	hits := make([]Hit, 0, len(top))
	for _, r := range top {
		if h := ix.hit(r.doc); h.Path != "" {
			h.Score = r.score
			hits = append(hits, h)
		}
	}
	return hits
}

type ranked struct {
	doc   int
	score float64
}

// A tally is what one document has of the question.
type tally struct {
	evidence float32 // sum of idf times weight in the document
	head     float32 // sum of idf of the terms in title or tags
}

// An asked term is one whose postings count: a term of the question, or one
// close to a term that the index has not got.
type asked struct {
	idf      float32 // what it is worth
	postings uint32  // where its postings begin
	n        uint32  // how many there are
}

// count adds the postings of a to the tallies of their documents.
func (a asked) count(ix *Index, tallies []tally) {
	p := ix.b[min(uint64(a.postings), uint64(len(ix.b))):]
	doc := uint64(0)
	for range a.n {
		step, k := binary.Uvarint(p)
		if doc += step >> 1; k <= 0 || k >= len(p) || doc >= uint64(len(tallies)) {
			return
		}
		t := &tallies[doc]
		t.evidence += a.idf * float32(p[k]) / 255
		if step&1 == 1 {
			t.head += a.idf
		}
		p = p[k+1:]
	}
}

// A question is the terms of a query as the index knows them.
type question struct {
	ix    *Index
	asked []asked
	total float32 // sum of idf of all its terms, also of those the index has not got

	n    int // distinct terms seen
	ends [maxTerms]uint16
	seen [maxTerms * maxTerm]byte // the terms, one after the other, up to ends
}

// ask adds the terms of text until the question has limit distinct ones.
func (q *question) ask(text string, limit int) {
	if q.asked == nil {
		q.asked = make([]asked, 0, maxTerms)
	}
	eachTerm(text, func(term []byte) bool {
		if q.n >= limit {
			return false
		}
		if q.isNew(term) {
			q.look(term)
		}
		return true
	})
}

// isNew reports whether term is not yet in the question, and notes it.
func (q *question) isNew(term []byte) bool {
	start := uint16(0)
	for _, end := range q.ends[:q.n] {
		if bytes.Equal(q.seen[start:end], term) {
			return false
		}
		start = end
	}
	q.ends[q.n] = start + uint16(copy(q.seen[start:], term))
	q.n++
	return true
}

// look finds the postings of term, or of its kin.
func (q *question) look(term []byte) {
	ix := q.ix
	i, ok := ix.find(term)
	if ok {
		e := ix.entry(i)
		a := asked{postings: binary.LittleEndian.Uint32(e[4:]), n: binary.LittleEndian.Uint32(e[8:])}
		a.idf = worth(term, int(a.n), ix.docs)
		q.total += a.idf
		q.asked = append(q.asked, a)
		return
	}
	q.total += unknownShare(term) * worth(term, 0, ix.docs)
	ix.kin(term, i, func(i int, share float64) {
		e := ix.entry(i)
		a := asked{postings: binary.LittleEndian.Uint32(e[4:]), n: binary.LittleEndian.Uint32(e[8:])}
		a.idf = float32(kinWorth*share) * worth(ix.term(i), int(a.n), ix.docs)
		q.asked = append(q.asked, a)
	})
}

// Terms are kin when they share this much of the longer one from its beginning,
// and the shorter one has at least kinRunes: the endings of languages that are
// not stemmed, and words cut short. A kin is worth less than the term itself.
const (
	kinShare = 0.7
	kinRunes = 5
	kinWorth = 0.8
	maxKin   = 8 // looked at on either side of where the term would be
)

// kin calls found for terms that are kin of one which would be at place i.
func (ix *Index) kin(term []byte, i int, found func(i int, share float64)) {
	n := utf8.RuneCount(term)
	if n < kinRunes {
		return
	}
	try := func(i int) bool {
		other := ix.term(i)
		both := common(term, other)
		if share := float64(both) / float64(max(n, utf8.RuneCount(other))); share >= kinShare {
			found(i, share)
		}
		return float64(both) >= kinShare*float64(n)
	}
	for j := i; j < min(ix.terms, i+maxKin) && try(j); j++ {
	}
	for j := i - 1; j >= max(0, i-maxKin) && try(j); j-- {
	}
}

// common is the number of characters that a and b begin with together.
func common(a, b []byte) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		_, size := utf8.DecodeRune(a)
		if !bytes.HasPrefix(b, a[:size]) {
			break
		}
		n++
		a, b = a[size:], b[size:]
	}
	return n
}
