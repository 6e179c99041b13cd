package records

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// An Index is a segment, the base, with the changes since it was made, the
// delta. It is for one goroutine, and keeps what it was opened on, which must
// not change.
type Index struct {
	base, delta *segment
	dead        []dead // documents of base that are gone, or newer in delta; sorted
	deadActive  int    // how many of them were active
	baseless    bool   // the base is nowhere but here
}

type dead struct {
	doc  uint32
	mark mark
}

// The delta, little-endian: magic 8, CRC-32 of the header of its base 4, number
// of dead documents 4, size of the base 8, per dead document its place in the
// base 4 and its mark 1, and a segment of the documents that are new. It has no
// checksum of its own: it is small, and whoever keeps it keeps it with one.
const (
	deltaMagic = "KEEPDLT\x00"
	deltaHead  = 24
	deadSize   = 5
)

// Open opens a base of size bytes, with delta or, where that is nil, without
// changes. It reads the base's header and the delta. A base of nil is that of no
// records. Errors wrap ErrCorrupt: also when the delta is of another base.
func Open(base io.ReaderAt, size int64, delta []byte) (*Index, error) {
	if base == nil {
		b := nothing()
		ix, err := Open(bytes.NewReader(b), int64(len(b)), delta)
		if err == nil {
			ix.baseless = true
		}
		return ix, err
	}
	b, err := openSegment(base, size)
	if err != nil {
		return nil, err
	}
	ix := &Index{base: b}
	if delta == nil {
		ix.delta, err = openMemory(nothing())
		return ix, err
	}
	le := binary.LittleEndian
	if len(delta) < deltaHead || string(delta[:8]) != deltaMagic {
		return nil, fmt.Errorf("%w: no delta", ErrCorrupt)
	}
	if le.Uint32(delta[8:]) != b.sum || le.Uint64(delta[16:]) != uint64(size) {
		return nil, fmt.Errorf("%w: the delta is of another base", ErrCorrupt)
	}
	n := uint64(le.Uint32(delta[12:]))
	rest := delta[deltaHead:]
	if n*deadSize > uint64(len(rest)) {
		return nil, fmt.Errorf("%w: delta", ErrCorrupt)
	}
	for i := range n {
		d := dead{le.Uint32(rest[i*deadSize:]), mark(rest[i*deadSize+4])}
		if int64(d.doc) >= int64(b.docs) || i > 0 && d.doc <= ix.dead[i-1].doc {
			return nil, fmt.Errorf("%w: delta", ErrCorrupt)
		}
		ix.bury(d)
	}
	if ix.deadActive > b.active {
		return nil, fmt.Errorf("%w: delta", ErrCorrupt)
	}
	ix.delta, err = openMemory(rest[n*deadSize:])
	return ix, err
}

func (ix *Index) bury(d dead) {
	ix.dead = append(ix.dead, d)
	if d.mark.active() {
		ix.deadActive++
	}
}

func (ix *Index) isDead(doc int) bool {
	_, ok := slices.BinarySearchFunc(ix.dead, uint32(doc), func(d dead, doc uint32) int {
		return int(int64(d.doc) - int64(doc))
	})
	return ok
}

// encode is the delta as Open reads it.
func (ix *Index) encode(segment []byte) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, deltaHead+deadSize*len(ix.dead)+len(segment))
	b = append(b, deltaMagic...)
	b = le.AppendUint32(b, ix.base.sum)
	b = le.AppendUint32(b, uint32(len(ix.dead)))
	b = le.AppendUint64(b, ix.base.size)
	for _, d := range ix.dead {
		b = append(le.AppendUint32(b, d.doc), byte(d.mark))
	}
	return append(b, segment...)
}

// Len is the number of active records in the index.
func (ix *Index) Len() int { return ix.docs(false) }

// docs is the number of documents that a query looks at.
func (ix *Index) docs(retired bool) int {
	if retired {
		return ix.base.docs - len(ix.dead) + ix.delta.docs
	}
	return ix.base.active - ix.deadActive + ix.delta.active
}

// Each calls see with every record in the index, of all statuses, in order of
// path, until see returns false.
func (ix *Index) Each(see func(Entry) bool) error { return ix.from("", see) }

// from is Each from a path on.
func (ix *Index) from(path string, see func(Entry) bool) error {
	b, _, err := ix.base.place(path)
	if err != nil {
		return err
	}
	d, _, err := ix.delta.place(path)
	if err != nil {
		return err
	}
	for b < ix.base.docs || d < ix.delta.docs {
		if b < ix.base.docs && ix.isDead(b) {
			b++
			continue
		}
		var old, changed *document
		if b < ix.base.docs {
			if old, err = ix.base.document(b); err != nil {
				return err
			}
		}
		if d < ix.delta.docs {
			if changed, err = ix.delta.document(d); err != nil {
				return err
			}
		}
		next := old
		if old == nil || changed != nil && changed.path < old.path {
			next = changed
			d++
		} else {
			b++
		}
		if !see(next.entry()) {
			return nil
		}
	}
	return nil
}

// Find returns what the index knows of the record at path, and whether it knows
// it.
func (ix *Index) Find(path string) (Entry, bool, error) {
	for _, s := range []*segment{ix.delta, ix.base} {
		i, ok, err := s.place(path)
		if err != nil {
			return Entry{}, false, err
		}
		if !ok || s == ix.base && ix.isDead(i) {
			continue
		}
		d, err := s.document(i)
		if err != nil {
			return Entry{}, false, err
		}
		return d.entry(), true, nil
	}
	return Entry{}, false, nil
}

// List returns up to limit active records of one category, all of them if that is
// 0, the first in order of path.
func (ix *Index) List(c memory.Category, limit int) ([]Entry, error) {
	var out []Entry
	folder := c.Folder() + "/"
	err := ix.from(folder, func(e Entry) bool {
		if !strings.HasPrefix(e.Path, folder) || limit > 0 && len(out) == limit {
			return false
		}
		if e.Status == memory.Active {
			out = append(out, e)
		}
		return true
	})
	return out, err
}
