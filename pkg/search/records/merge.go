package records

import (
	"bytes"
	"fmt"
	"strings"
)

// merge makes one segment of several. The first old of them are from before the
// change: of them, what is at one of changed is left out.
func merge(parts []part, old int, changed map[string]bool) ([]byte, error) {
	var size uint64
	for i := range parts {
		whole, err := parts[i].whole()
		if err != nil {
			return nil, err
		}
		parts[i].segment = whole
		size += whole.size
	}
	docs, marks, places, err := mergeDocuments(parts, old, changed)
	if err != nil {
		return nil, err
	}
	p := newPacker(int(size))
	at := make([]int, len(parts)) // the next term of each part
	var list []posting
	var term []byte
	for {
		var least []byte
		for i, s := range parts {
			if at[i] == s.terms {
				continue
			}
			r, err := s.row(at[i])
			if err != nil {
				return nil, err
			}
			if least == nil || bytes.Compare(r.term, least) < 0 {
				least = r.term
			}
		}
		if least == nil {
			return p.pack(docs), nil
		}
		term = append(term[:0], least...)
		list = list[:0]
		for i, s := range parts {
			if at[i] == s.terms {
				continue
			}
			r, err := s.row(at[i])
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(r.term, term) {
				continue
			}
			at[i]++
			postings, err := s.readPostings(r)
			if err != nil {
				return nil, err
			}
			for d, ok := postings.next(); ok; d, ok = postings.next() {
				if place := places[i][d.doc]; place > 0 {
					d.doc = place - 1
					list = append(list, d)
				}
			}
		}
		sortPostings(list)
		p.term(term, list, marks)
	}
}

// whole returns the segment in memory.
func (s *segment) whole() (*segment, error) {
	if s.mem != nil {
		return openMemory(s.mem) // with a place of its own to read at
	}
	b := make([]byte, s.size)
	if n, err := s.r.ReadAt(b, 0); n < len(b) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return openMemory(b)
}

// mergeDocuments returns the documents of all parts that stay, sorted by path,
// their marks, and for each part the place of its documents among them, counted
// from 1; 0 for those that do not stay.
func mergeDocuments(parts []part, old int, changed map[string]bool) (docs []document, marks []byte,
	places [][]uint32, err error) {
	at := make([]int, len(parts))
	next := make([]*document, len(parts))
	advance := func(i int) error {
		s := parts[i]
		for ; at[i] < s.docs; at[i]++ {
			d, err := s.document(at[i])
			if err != nil {
				return err
			}
			if !s.gone[at[i]] && !(i < old && changed[d.path]) {
				next[i] = d
				return nil
			}
		}
		next[i] = nil
		return nil
	}
	for i, s := range parts {
		places = append(places, make([]uint32, s.docs))
		if err := advance(i); err != nil {
			return nil, nil, nil, err
		}
	}
	for {
		least := -1
		for i, d := range next {
			if d != nil && (least < 0 || strings.Compare(d.path, next[least].path) < 0) {
				least = i
			}
		}
		if least < 0 {
			return docs, marks, places, nil
		}
		docs = append(docs, *next[least])
		marks = append(marks, byte(next[least].mark))
		places[least][at[least]] = uint32(len(docs))
		at[least]++
		if err := advance(least); err != nil {
			return nil, nil, nil, err
		}
	}
}
