package records

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// Version is the version of the index's form. Each has files of its own, so that
// two versions of Keepsake can run side by side. It changes with the tokeniser
// and the weights too: terms are looked up as they were cut.
const Version = 3

// A segment, little-endian throughout. It is a tree of blocks: whoever points at
// a block says how long it is and what its CRC-32 (IEEE) is, so that each is
// checked when it is read and nobody ever needs to read all of them.
//
//	header    magic 8, version 4, CRC-32 of what follows in the header 4,
//	          documents 4, of which are active 4, terms 4, zero 4, size of the
//	          whole 8, and three pointers (offset 8, length 4, CRC-32 4): to the
//	          document table, the marks and the term table
//	postings  one block per term, in the order of terms: per document a varint,
//	          the distance from the document before it times two plus one if
//	          title or tags hold the term, and a byte, the weight of the term in
//	          the document (255 is 1)
//	terms     blocks of perBlock terms, sorted by their bytes: the offset of the
//	          first one's postings 8, then per term varints of how many bytes it
//	          shares with the one before and how many follow, these bytes, varints
//	          of the number of its postings, how many of them are of documents
//	          that are not active and the length of the postings, and CRC-32 4
//	documents blocks of docsPerBlock documents, sorted by path: texts (a varint of the
//	          length, bytes) of path and title, a varint of the number of tags,
//	          the tags as texts, the mark, varints of the stamp's time and size
//	document  table: a pointer per block of documents
//	marks     a byte per document: the category (its place in memory.Categories)
//	          and 16 times the status (its place in statuses)
//	term      table: per block of terms a pointer and the end of its first term,
//	          counted from the end of the table 4; then these terms
const (
	magic        = "KEEPIDX\x00"
	headerSize   = 88
	pointerSize  = 16
	termRow      = pointerSize + 4
	perBlock     = 64 // terms
	docsPerBlock = 8  // few: whoever wants one reads all
)

var statuses = [...]memory.Status{memory.Active, memory.Retired, memory.Archived}

// A mark is what a query filters by: category and status of a document.
type mark uint8

// markOf returns the mark of a record, and whether it has one.
func markOf(c memory.Category, s memory.Status) (mark, bool) {
	ci, si := slices.Index(memory.Categories(), c), slices.Index(statuses[:], s)
	return mark(ci | si<<4), ci >= 0 && si >= 0
}

func (m mark) active() bool { return m>>4 == 0 }

func (m mark) category() int { return int(m & 15) }

// A document is one record as a segment has it.
type document struct {
	path, title string
	tags        []string
	mark        mark
	file        memory.File
}

func (d *document) entry() Entry {
	_, id, _ := strings.Cut(d.path, "/")
	return Entry{
		Path: d.path, ID: strings.TrimSuffix(id, ".json"), Title: d.title, Tags: d.tags,
		Category: memory.Categories()[d.mark.category()], Status: statuses[d.mark>>4], File: d.file,
	}
}

// A posting is one document that has a term.
type posting struct {
	doc    uint32
	head   bool  // title or tags have it
	weight uint8 // 255 is 1
}

// A pointer leads to a block.
type pointer struct {
	off uint64
	n   uint32
	sum uint32
}

func readPointer(b []byte) pointer {
	le := binary.LittleEndian
	return pointer{le.Uint64(b), le.Uint32(b[8:]), le.Uint32(b[12:])}
}

func (p pointer) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, p.off)
	b = binary.LittleEndian.AppendUint32(b, p.n)
	return binary.LittleEndian.AppendUint32(b, p.sum)
}

// A segment is read through it. It is for one goroutine.
type segment struct {
	r    io.ReaderAt
	mem  []byte // the whole segment, where it is in memory; else nil
	size uint64
	sum  uint32 // of the header, and through it of everything

	docs, active, terms        int
	docTable, marks, termTable pointer

	table    []byte // the term table, once it was read
	block    []row  // the terms of the block that was read last
	blockAt  int    // which one that is; -1 for none
	docBlock []document
	docAt    int
	buf      []byte // for postings
}

// openMemory opens a segment that is in memory, which must not change.
func openMemory(b []byte) (*segment, error) {
	s, err := openSegment(bytes.NewReader(b), int64(len(b)))
	if err == nil {
		s.mem = b
	}
	return s, err
}

// openSegment reads the header of a segment.
func openSegment(r io.ReaderAt, size int64) (*segment, error) {
	var h [headerSize]byte
	if n, err := r.ReadAt(h[:], 0); n < headerSize {
		return nil, fmt.Errorf("%w: no header: %w", ErrCorrupt, err)
	}
	le := binary.LittleEndian
	s := &segment{
		r: r, size: le.Uint64(h[32:]), sum: le.Uint32(h[12:]), blockAt: -1, docAt: -1,
		docs: int(le.Uint32(h[16:])), active: int(le.Uint32(h[20:])), terms: int(le.Uint32(h[24:])),
		docTable: readPointer(h[40:]), marks: readPointer(h[56:]), termTable: readPointer(h[72:]),
	}
	switch {
	case string(h[:8]) != magic || le.Uint32(h[8:]) != Version:
		return nil, fmt.Errorf("%w: magic or version", ErrCorrupt)
	case checksum(h[16:]) != s.sum:
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	case s.size != uint64(size):
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrCorrupt, size, s.size)
	case s.active > s.docs || uint64(s.marks.n) != uint64(s.docs):
		return nil, fmt.Errorf("%w: marks", ErrCorrupt)
	case uint64(s.docTable.n) != uint64(blocks(s.docs, docsPerBlock))*pointerSize:
		return nil, fmt.Errorf("%w: document table", ErrCorrupt)
	case uint64(s.termTable.n) < uint64(blocks(s.terms, perBlock))*termRow:
		return nil, fmt.Errorf("%w: term table", ErrCorrupt)
	}
	return s, nil
}

// checksum is CRC-32 (IEEE): the tables of Castagnoli's take a hook 0.15 ms to
// build. Fuzzing turns it off to get behind it.
var checksum = crc32.ChecksumIEEE

// blocks is the number of blocks of size rows that n rows take.
func blocks(n, size int) int { return (n + size - 1) / size }

// A checksum says that nothing changed since the segment was made, not that we
// made it: the file can be anybody's. So every length and every offset is
// checked before it is used.

// read returns the block at p, in buf where it has room.
func (s *segment) read(p pointer, buf []byte) ([]byte, error) {
	end := p.off + uint64(p.n)
	if end > s.size || end < p.off {
		return nil, fmt.Errorf("%w: a block ends at %d of %d", ErrCorrupt, end, s.size)
	}
	var b []byte
	if s.mem != nil {
		b = s.mem[p.off:end]
	} else {
		b = slices.Grow(buf[:0], int(p.n))[:p.n]
		if n, err := s.r.ReadAt(b, int64(p.off)); n < len(b) {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if checksum(b) != p.sum {
		return nil, fmt.Errorf("%w: the block at %d has another checksum", ErrCorrupt, p.off)
	}
	return b, nil
}

// readMarks returns the marks of all documents.
func (s *segment) readMarks() ([]byte, error) { return s.read(s.marks, nil) }

// document returns the i-th document.
func (s *segment) document(i int) (*document, error) {
	if i < 0 || i >= s.docs {
		return nil, fmt.Errorf("%w: document %d of %d", ErrCorrupt, i, s.docs)
	}
	if at := i / docsPerBlock; at != s.docAt {
		if err := s.readDocuments(at); err != nil {
			return nil, err
		}
	}
	return &s.docBlock[i%docsPerBlock], nil
}

func (s *segment) readDocuments(at int) error {
	// The pointer itself is not checked: a wrong one leads to a block with
	// another checksum.
	var row [pointerSize]byte
	off := s.docTable.off + uint64(at)*pointerSize
	if off+pointerSize > s.size || off+pointerSize < off {
		return fmt.Errorf("%w: document table", ErrCorrupt)
	}
	if n, err := s.r.ReadAt(row[:], int64(off)); n < len(row) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	b, err := s.read(readPointer(row[:]), nil)
	if err != nil {
		return err
	}
	s.docAt = -1
	s.docBlock = s.docBlock[:0]
	p := scanner{b: b}
	for range min(docsPerBlock, s.docs-at*docsPerBlock) {
		d := document{path: p.text(), title: p.text()}
		if n := p.number(); n > 0 && n <= uint64(len(p.b)) {
			d.tags = make([]string, 0, n)
			for range n {
				d.tags = append(d.tags, p.text())
			}
		}
		d.mark = mark(p.byte())
		d.file = memory.File{Time: int64(p.number()), Size: int64(p.number())}
		if p.bad || d.mark.category() >= len(memory.Categories()) || int(d.mark>>4) >= len(statuses) {
			return fmt.Errorf("%w: document", ErrCorrupt)
		}
		s.docBlock = append(s.docBlock, d)
	}
	s.docAt = at
	return nil
}

// place returns the place of the document at path.
func (s *segment) place(path string) (i int, ok bool, err error) {
	// By block first, so that few are read.
	lo, hi := 0, blocks(s.docs, docsPerBlock)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		d, err := s.document(mid * docsPerBlock)
		if err != nil {
			return 0, false, err
		}
		if d.path <= path {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false, nil
	}
	if _, err := s.document((lo - 1) * docsPerBlock); err != nil {
		return 0, false, err
	}
	i, ok = slices.BinarySearchFunc(s.docBlock, path, func(d document, path string) int {
		return strings.Compare(d.path, path)
	})
	return (lo-1)*docsPerBlock + i, ok, nil
}

// A row is a term with where its postings are.
type row struct {
	term     []byte
	n        int // postings
	inactive int // of them, of documents that are not active
	postings pointer
}

// find returns the place of term, or where it would be.
func (s *segment) find(term []byte) (i int, ok bool, err error) {
	if s.terms == 0 {
		return 0, false, nil
	}
	if s.table == nil {
		if s.table, err = s.read(s.termTable, nil); err != nil {
			return 0, false, err
		}
	}
	lo, hi := 0, blocks(s.terms, perBlock)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if bytes.Compare(s.first(mid), term) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false, nil
	}
	if err := s.readTerms(lo - 1); err != nil {
		return 0, false, err
	}
	i, ok = slices.BinarySearchFunc(s.block, term, func(r row, term []byte) int {
		return bytes.Compare(r.term, term)
	})
	return (lo-1)*perBlock + i, ok, nil
}

// first is the first term of a block; nil where the table is wrong.
func (s *segment) first(at int) []byte {
	le := binary.LittleEndian
	names := uint64(blocks(s.terms, perBlock)) * termRow
	start, end := names, names+uint64(le.Uint32(s.table[at*termRow+pointerSize:]))
	if at > 0 {
		start += uint64(le.Uint32(s.table[(at-1)*termRow+pointerSize:]))
	}
	if start > end || end > uint64(len(s.table)) {
		return nil
	}
	return s.table[start:end]
}

// row returns the i-th term; it is valid until the next call.
func (s *segment) row(i int) (*row, error) {
	if s.table == nil {
		var err error
		if s.table, err = s.read(s.termTable, nil); err != nil {
			return nil, err
		}
	}
	if err := s.readTerms(i / perBlock); err != nil {
		return nil, err
	}
	return &s.block[i%perBlock], nil
}

func (s *segment) readTerms(at int) error {
	if s.blockAt == at {
		return nil
	}
	b, err := s.read(readPointer(s.table[at*termRow:]), nil)
	if err != nil {
		return err
	}
	if len(b) < 8 {
		return fmt.Errorf("%w: terms", ErrCorrupt)
	}
	s.blockAt = -1
	s.block = s.block[:0]
	off := binary.LittleEndian.Uint64(b)
	p := scanner{b: b[8:]}
	var before []byte
	terms := make([]byte, 0, 2*len(b))
	for range min(perBlock, s.terms-at*perBlock) {
		shared, rest := p.number(), p.number()
		if shared > uint64(len(before)) || shared+rest > math.MaxUint8 {
			return fmt.Errorf("%w: terms", ErrCorrupt)
		}
		start := len(terms)
		terms = append(append(terms, before[:shared]...), p.bytes(rest)...)
		r := row{term: terms[start:len(terms):len(terms)], n: int(p.number32()), inactive: int(p.number32())}
		r.postings = pointer{off, p.number32(), p.sum()}
		off += uint64(r.postings.n)
		if p.bad || r.inactive > r.n || r.n > s.docs {
			return fmt.Errorf("%w: terms", ErrCorrupt)
		}
		before = r.term
		s.block = append(s.block, r)
	}
	s.blockAt = at
	return nil
}

// readPostings returns the postings of a term; they are valid until the next call.
func (s *segment) readPostings(r *row) (postings, error) {
	b, err := s.read(r.postings, s.buf)
	if err != nil {
		return postings{}, err
	}
	if s.mem == nil {
		s.buf = b
	}
	return postings{b: b, left: r.n, docs: uint32(s.docs)}, nil
}

// postings are read one after the other.
type postings struct {
	b    []byte
	doc  uint32
	left int
	docs uint32
}

// next returns the next posting, and whether there was one. What is garbage ends
// them early.
func (p *postings) next() (posting, bool) {
	if p.left == 0 {
		return posting{}, false
	}
	p.left--
	step, k := uint64(0), 1
	if len(p.b) > 1 && p.b[0] < 0x80 {
		step = uint64(p.b[0])
	} else if step, k = binary.Uvarint(p.b); k <= 0 || k >= len(p.b) || step>>1 > math.MaxUint32 {
		p.left = 0
		return posting{}, false
	}
	doc := uint64(p.doc) + step>>1
	if doc >= uint64(p.docs) {
		p.left = 0
		return posting{}, false
	}
	p.doc = uint32(doc)
	out := posting{p.doc, step&1 == 1, p.b[k]}
	p.b = p.b[k+1:]
	return out, true
}

// A scanner reads numbers and texts; bad says that there were not enough.
type scanner struct {
	b   []byte
	bad bool
}

func (p *scanner) number() uint64 {
	n, k := binary.Uvarint(p.b)
	if k <= 0 {
		p.bad, p.b = true, nil
		return 0
	}
	p.b = p.b[k:]
	return n
}

func (p *scanner) number32() uint32 {
	n := p.number()
	if n > math.MaxInt32 {
		p.bad = true
		return 0
	}
	return uint32(n)
}

func (p *scanner) bytes(n uint64) []byte {
	if n > uint64(len(p.b)) {
		p.bad, p.b = true, nil
		return nil
	}
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *scanner) text() string { return string(p.bytes(p.number())) }

func (p *scanner) byte() byte {
	if b := p.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (p *scanner) sum() uint32 {
	if b := p.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}
