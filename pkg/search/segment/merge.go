package segment

import (
	"bytes"
	"fmt"
	"slices"
)

// A part is a segment with what became of its documents since.
type part struct {
	*Segment
	gone map[int]bool
}

// merge makes one segment of several. The first old of them are from before the
// change: of them, what is at one of changed is left out, and the rest gets its marks.
func merge(parts []part, old int, changed map[string]bool, marks marks) ([]byte, error) {
	var size uint64
	for i := range parts {
		whole, err := parts[i].whole()
		if err != nil {
			return nil, err
		}
		parts[i].Segment = whole
		size += whole.size
	}
	docs, places, err := mergeDocuments(parts, old, changed, marks)
	if err != nil {
		return nil, err
	}
	p := newPacker(int(size))
	at := make([]int, len(parts)) // the next term of each part
	next := make([]*Term, len(parts))
	advance := func(i int) (err error) {
		if next[i] = nil; at[i] < parts[i].Terms {
			next[i], err = parts[i].Term(at[i])
		}
		at[i]++
		return err
	}
	for i := range parts {
		if err := advance(i); err != nil {
			return nil, err
		}
	}
	var list []Posting
	var name []byte
	for {
		var least []byte
		for _, t := range next {
			if t != nil && (least == nil || bytes.Compare(t.Name, least) < 0) {
				least = t.Name
			}
		}
		if least == nil {
			return p.pack(docs), nil
		}
		name = append(name[:0], least...)
		list = list[:0]
		for i, t := range next {
			if t == nil || !bytes.Equal(t.Name, name) {
				continue
			}
			postings, err := parts[i].Postings(t)
			if err != nil {
				return nil, err
			}
			for d, ok := postings.Next(); ok; d, ok = postings.Next() {
				if place := places[i][d.Doc]; place > 0 {
					d.Doc = place - 1
					list = append(list, d)
				}
			}
			if err := advance(i); err != nil {
				return nil, err
			}
		}
		if !slices.IsSortedFunc(list, compareDocs) {
			slices.SortFunc(list, compareDocs)
		}
		p.term(name, list, docs)
	}
}

// whole returns the segment in memory.
func (s *Segment) whole() (*Segment, error) {
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
// and for each part the place of its documents among them, counted from 1; 0 for
// those that do not stay.
func mergeDocuments(parts []part, old int, changed map[string]bool, marks marks) (docs []Document,
	places [][]uint32, err error) {
	type origin struct{ part, doc int }
	var from []origin
	for i, s := range parts {
		all, err := s.Documents()
		if err != nil {
			return nil, nil, err
		}
		places = append(places, make([]uint32, len(all)))
		for k, d := range all {
			if !s.gone[k] && !(i < old && changed[d.Path]) {
				from = append(from, origin{i, k})
			}
		}
	}
	of := func(o origin) Document { return parts[o.part].all[o.doc] }
	slices.SortStableFunc(from, func(a, b origin) int { return comparePaths(of(a), of(b)) })
	docs = make([]Document, len(from))
	found := 0
	for i, o := range from {
		docs[i], places[o.part][o.doc] = of(o), uint32(i+1)
		if m, ok := marks[docs[i].Path]; ok && o.part < old && docs[i].File == m.was {
			docs[i].Mark, docs[i].File = m.mark, m.file
			found++
		}
	}
	if found < len(marks) {
		return nil, nil, fmt.Errorf("%w: has not all that was marked", ErrCorrupt)
	}
	return docs, places, nil
}
