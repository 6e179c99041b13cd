package recall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"keepsake/pkg/memory"
)

// ErrCorrupt means that the bytes are no search file of this version: build a new one.
var ErrCorrupt = errors.New("recall: not a search file of this version")

// Open checks b and returns the index in it. It parses nothing: the cost is that
// of a checksum. Errors wrap ErrCorrupt.
func Open(b []byte) (*Index, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < headerSize || string(b[:8]) != magic:
		return nil, fmt.Errorf("%w: no header", ErrCorrupt)
	case le.Uint32(b[8:]) != version:
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

// part returns b[off:off+n], or nothing where that is outside the file.
func (ix *Index) part(off, n uint32) []byte {
	if uint64(off)+uint64(n) > uint64(len(ix.b)) {
		return nil
	}
	return ix.b[off : uint64(off)+uint64(n)]
}

// termAt is the i-th term of the dictionary.
func (ix *Index) termAt(i int) []byte {
	at := ix.b[headerSize+docSize*ix.docs+termSize*i:]
	return ix.part(binary.LittleEndian.Uint32(at), uint32(at[12]))
}

// find returns the place of term in the dictionary, or where it would be.
func (ix *Index) find(term []byte) (int, bool) {
	lo, hi := 0, ix.terms
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch c := compare(ix.termAt(mid), term); {
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

// Search returns at most limit memories that query is about, best first; equal
// ones in order of path. It returns nothing when nothing reaches Floor.
func (ix *Index) Search(query string, limit int) []Hit {
	if limit <= 0 || ix.docs == 0 {
		return nil
	}
	return nil
}

var _ = math.Log
var _ = slices.Sort[[]int]
var _ memory.Category
