// Package segment keeps an inverted index in bytes: documents, each at a path, and
// the terms that they have. What terms are and how well a document answers is
// decided above.
//
// A Builder packs documents into a segment, the large file of an index; what changes
// afterwards is collected in a delta, which is small, until both are merged into a
// new segment. Open reads of a segment only its header, and a query only the blocks
// of its terms, so that it costs what it asks and not the size of the index. Both
// are caches: deleting them loses nothing.
//
// Nothing here opens a file or reads a clock, and no input, however damaged, makes
// it panic: what is read is checked, and ErrCorrupt asks for a new index.
package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// ErrCorrupt means that the bytes are no index of this version: build a new one.
var ErrCorrupt = errors.New("not an index of this version")

// An Index is a segment, the base, with the changes since it was made, the
// delta. It is for one goroutine, and keeps what it was opened on, which must
// not change.
type Index struct {
	Base, Delta *Segment
	Dead        []Dead // documents of Base that are gone, or newer in Delta; sorted

	deadActive int  // how many of them were active
	baseless   bool // the base is nowhere but here
}

// A Dead document is no longer in an index.
type Dead struct {
	Doc  uint32
	Mark byte
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

// empty returns a segment without documents.
func empty() []byte { return newPacker(0).pack(nil) }

// New returns an index without documents.
func New() *Index {
	b := empty()
	ix, err := Open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		panic(err) // we have just packed it
	}
	ix.baseless = true
	return ix
}

// Open opens a base of size bytes, with delta or, where that is nil, without
// changes. It reads the base's header and the delta. Errors wrap ErrCorrupt: also
// when the delta is of another base.
func Open(base io.ReaderAt, size int64, delta []byte) (*Index, error) {
	b, err := openSegment(base, size)
	if err != nil {
		return nil, err
	}
	ix := &Index{Base: b}
	if delta == nil {
		ix.Delta, err = openMemory(empty())
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
		d := Dead{le.Uint32(rest[i*deadSize:]), rest[i*deadSize+4]}
		if int64(d.Doc) >= int64(b.Docs) || i > 0 && d.Doc <= ix.Dead[i-1].Doc {
			return nil, fmt.Errorf("%w: delta", ErrCorrupt)
		}
		ix.bury(d)
	}
	if ix.deadActive > b.Active {
		return nil, fmt.Errorf("%w: delta", ErrCorrupt)
	}
	ix.Delta, err = openMemory(rest[n*deadSize:])
	return ix, err
}

// With returns the index after a change, by what Done returned.
func (ix *Index) With(base, delta []byte) (*Index, error) {
	if base == nil {
		return Open(ix.Base.r, int64(ix.Base.size), delta)
	}
	return Open(bytes.NewReader(base), int64(len(base)), delta)
}

func (ix *Index) bury(d Dead) {
	ix.Dead = append(ix.Dead, d)
	if d.Mark < Inactive {
		ix.deadActive++
	}
}

// isDead reports whether a document of the base is gone, or newer in the delta.
func (ix *Index) isDead(doc int) bool {
	_, ok := slices.BinarySearchFunc(ix.Dead, uint32(doc), func(d Dead, doc uint32) int {
		return int(int64(d.Doc) - int64(doc))
	})
	return ok
}

// encode returns the delta in the form that Open reads.
func (ix *Index) encode(segment []byte) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, deltaHead+deadSize*len(ix.Dead)+len(segment))
	b = append(b, deltaMagic...)
	b = le.AppendUint32(b, ix.Base.sum)
	b = le.AppendUint32(b, uint32(len(ix.Dead)))
	b = le.AppendUint64(b, ix.Base.size)
	for _, d := range ix.Dead {
		b = append(le.AppendUint32(b, d.Doc), d.Mark)
	}
	return append(b, segment...)
}

// Seal returns the file that is kept beside a base. made records what the index was made of. The file is
// magic 8, CRC-32 of what follows 4, length of made 4, made and delta.
func Seal(made, delta []byte) []byte {
	b := make([]byte, sealHead, sealHead+len(made)+len(delta))
	copy(b, sealMagic)
	binary.LittleEndian.PutUint32(b[12:], uint32(len(made)))
	b = append(append(b, made...), delta...)
	binary.LittleEndian.PutUint32(b[8:], crc32.ChecksumIEEE(b[12:]))
	return b
}

const (
	sealMagic = "KEEPSEAL"
	sealHead  = 16
)

// Unseal returns what was sealed, and whether b is whole.
func Unseal(b []byte) (made, delta []byte, ok bool) {
	le := binary.LittleEndian
	if len(b) < sealHead || string(b[:8]) != sealMagic || crc32.ChecksumIEEE(b[12:]) != le.Uint32(b[8:]) {
		return nil, nil, false
	}
	n, rest := uint64(le.Uint32(b[12:])), b[sealHead:]
	if n > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:n:n], rest[n:], true
}

// Docs returns the number of active documents, or with inactive true that of all.
func (ix *Index) Docs(inactive bool) int {
	if inactive {
		return ix.Base.Docs - len(ix.Dead) + ix.Delta.Docs
	}
	return ix.Base.Active - ix.deadActive + ix.Delta.Active
}

// Each calls see with every document in order of path, until see returns false. It
// reads all of them at once.
func (ix *Index) Each(see func(*Document) bool) error {
	for _, s := range []*Segment{ix.Base, ix.Delta} {
		if _, err := s.Documents(); err != nil {
			return err
		}
	}
	return ix.From("", see)
}

// From calls see as Each does, from a path on. It reads no more than it needs.
func (ix *Index) From(path string, see func(*Document) bool) error {
	b, _, err := ix.Base.place(path)
	if err != nil {
		return err
	}
	d, _, err := ix.Delta.place(path)
	if err != nil {
		return err
	}
	for b < ix.Base.Docs || d < ix.Delta.Docs {
		if b < ix.Base.Docs && ix.isDead(b) {
			b++
			continue
		}
		var old, changed *Document
		if b < ix.Base.Docs {
			if old, err = ix.Base.Document(b); err != nil {
				return err
			}
		}
		if d < ix.Delta.Docs {
			if changed, err = ix.Delta.Document(d); err != nil {
				return err
			}
		}
		next := old
		if old == nil || changed != nil && changed.Path < old.Path {
			next = changed
			d++
		} else {
			b++
		}
		if !see(next) {
			return nil
		}
	}
	return nil
}
