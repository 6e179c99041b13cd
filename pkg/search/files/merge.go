package files

import (
	"bytes"
	"encoding/binary"
)

// A Part is a segment and those of its files that are gone or are in another
// part; nil is none.
type Part struct {
	*Segment
	Dead []bool
}

func (p Part) dead(i int) bool { return i < len(p.Dead) && p.Dead[i] }

// Merge joins the living files of segments into one, in the order of the parts.
func Merge(meta []byte, parts ...Part) ([]byte, error) {
	w := writer{}
	tos := make([][]uint32, len(parts)) // the new number of each document, from 1; 0 is gone
	for p, part := range parts {
		to := make([]uint32, part.Len())
		for i := range to {
			if part.dead(i) {
				continue
			}
			d := part.doc(i)
			name := part.Path(i)
			d.path = uint32(len(w.names))
			w.names = append(w.names, name...)
			w.docs = append(w.docs, d)
			to[i] = uint32(len(w.docs))
		}
		tos[p] = to
	}
	cursors := make([]*cursor, len(parts))
	for p, part := range parts {
		var err error
		if cursors[p], err = newCursor(part.Segment); err != nil {
			return nil, err
		}
	}
	var name, posts []byte
	for {
		first := -1
		for p, c := range cursors {
			if c.ok() && (first < 0 || bytes.Compare(c.name, cursors[first].name) < 0) {
				first = p
			}
		}
		if first < 0 {
			return w.bytes(meta), nil
		}
		name, posts = append(name[:0], cursors[first].name...), posts[:0]
		last, docs := uint32(0), uint32(0)
		for p, c := range cursors {
			if !c.ok() || !bytes.Equal(c.name, name) {
				continue
			}
			at := uint64(0)
			for b := c.posts; len(b) > 0; {
				d, n := binary.Uvarint(b)
				if n <= 0 || len(b) <= n || d == 0 || d > uint64(len(tos[p]))-at {
					return nil, ErrCorrupt
				}
				at += d
				if to := tos[p][at-1]; to > 0 {
					posts = appendPosting(posts, to-last, mark(b[n]))
					last = to
					docs++
				}
				b = b[n+1:]
			}
			if err := c.next(); err != nil {
				return nil, err
			}
		}
		if docs > 0 {
			w.term(name, docs, posts)
		}
	}
}

// A cursor goes through the terms of a segment with their postings.
type cursor struct {
	dict, all   []byte // what is left of both
	name, posts []byte
	done        bool
}

func newCursor(s *Segment) (*cursor, error) {
	both := make([]byte, s.dictLen+s.postsLen)
	if len(both) > 0 {
		if _, err := s.from.ReadAt(both, s.dict); err != nil {
			return nil, ErrCorrupt
		}
	}
	c := &cursor{dict: both[:s.dictLen], all: both[s.dictLen:]}
	return c, c.next()
}

func (c *cursor) ok() bool { return !c.done }

func (c *cursor) next() error {
	if len(c.dict) == 0 {
		c.done = true
		return nil
	}
	b := c.dict
	if len(b) < 2 || int(b[0]) > len(c.name) || len(b) < 2+int(b[1]) {
		return ErrCorrupt
	}
	c.name = append(c.name[:b[0]], b[2:2+int(b[1])]...)
	b = b[2+int(b[1]):]
	_, n := binary.Uvarint(b)
	size, m := binary.Uvarint(b[max(n, 0):])
	if n <= 0 || m <= 0 || size > uint64(len(c.all)) {
		return ErrCorrupt
	}
	c.dict = b[n+m:]
	c.posts, c.all = c.all[:size], c.all[size:]
	return nil
}
