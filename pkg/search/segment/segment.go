package segment

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

// Version is the version of a segment: of its form, and of the terms and weights that the packages above
// put into it. Terms are part of it because they are looked up in the form in which they were cut. After a
// change of any of these it is counted up, and every index is made anew.
const Version = 5

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
//	          it is a posting of the head, and a byte, the weight
//	terms     blocks of perBlock terms, sorted by their bytes: the offset of the
//	          first one's postings 8, then per term varints of how many bytes it
//	          shares with the one before and how many follow, these bytes, varints
//	          of the number of its postings, how many of them are of documents
//	          that are not active and the length of the postings, and CRC-32 4
//	documents blocks of docsPerBlock documents, sorted by path: path and data (a
//	          varint of the length, bytes), the mark, varints of the file's time
//	          and size
//	document  table: a pointer per block of documents
//	marks     a byte per document
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

// A Document is what a segment has about one document beside its terms.
type Document struct {
	Path string
	Data string // the caller's own
	Mark byte   // what a query filters by; from Inactive on the document is not active
	File memory.File
}

// Inactive is the lowest mark of a document that is not active. Most queries are for active ones only.
// Therefore each term records how many of its documents are not.
const Inactive = 16

// MaxTerm is the longest term, in bytes.
const MaxTerm = math.MaxUint8

// A Posting is one document that has a term. What head and weight mean is the
// caller's own.
type Posting struct {
	Doc    uint32
	Head   bool
	Weight uint8
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

// A Segment is read through it. It is for one goroutine.
type Segment struct {
	Docs, Active, Terms int

	r    io.ReaderAt
	mem  []byte // the whole segment, where it is in memory; else nil
	size uint64
	sum  uint32 // of the header, and through it of everything

	docTable, marks, termTable pointer

	table    []byte // the term table, once it was read
	block    []Term // the terms of the block that was read last
	blockAt  int    // which one that is; -1 for none
	docBlock []Document
	docAt    int
	all      []Document // all documents, once they were read
	buf      []byte     // for postings
}

// openMemory opens a segment that is in memory, which must not change.
func openMemory(b []byte) (*Segment, error) {
	s, err := openSegment(bytes.NewReader(b), int64(len(b)))
	if err == nil {
		s.mem = b
	}
	return s, err
}

// openSegment reads the header of a segment.
func openSegment(r io.ReaderAt, size int64) (*Segment, error) {
	var h [headerSize]byte
	if n, err := r.ReadAt(h[:], 0); n < headerSize {
		return nil, fmt.Errorf("%w: no header: %w", ErrCorrupt, err)
	}
	le := binary.LittleEndian
	s := &Segment{
		r: r, size: le.Uint64(h[32:]), sum: le.Uint32(h[12:]), blockAt: -1, docAt: -1,
		Docs: int(le.Uint32(h[16:])), Active: int(le.Uint32(h[20:])), Terms: int(le.Uint32(h[24:])),
		docTable: readPointer(h[40:]), marks: readPointer(h[56:]), termTable: readPointer(h[72:]),
	}
	switch {
	case string(h[:8]) != magic || le.Uint32(h[8:]) != Version:
		return nil, fmt.Errorf("%w: magic or version", ErrCorrupt)
	case checksum(h[16:]) != s.sum:
		return nil, fmt.Errorf("%w: header", ErrCorrupt)
	case s.size != uint64(size):
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrCorrupt, size, s.size)
	case s.Active > s.Docs || uint64(s.marks.n) != uint64(s.Docs) || !s.has(s.marks): // so not too many
		return nil, fmt.Errorf("%w: marks", ErrCorrupt)
	case uint64(s.docTable.n) != uint64(blocks(s.Docs, docsPerBlock))*pointerSize:
		return nil, fmt.Errorf("%w: document table", ErrCorrupt)
	case uint64(s.termTable.n) < uint64(blocks(s.Terms, perBlock))*termRow || !s.has(s.termTable):
		return nil, fmt.Errorf("%w: term table", ErrCorrupt)
	}
	return s, nil
}

// checksum is CRC-32 (IEEE): the tables of Castagnoli's take a hook 0.15 ms to
// build. Fuzzing turns it off to get behind it.
var checksum = crc32.ChecksumIEEE

// blocks returns the number of blocks of size rows that n rows take.
func blocks(n, size int) int { return (n + size - 1) / size }

// A checksum proves only that nothing changed since the segment was made. It does not prove that we made
// it, as the file can be anybody's. So every length and every offset is checked before it is used.

// has reports whether the block at p is within the segment.
func (s *Segment) has(p pointer) bool {
	end := p.off + uint64(p.n)
	return end <= s.size && end >= p.off
}

// read returns the block at p, in buf where it has room.
func (s *Segment) read(p pointer, buf []byte) ([]byte, error) {
	b, err := s.bytes(p.off, uint64(p.n), buf)
	if err == nil && checksum(b) != p.sum {
		err = fmt.Errorf("%w: the block at %d has another checksum", ErrCorrupt, p.off)
	}
	return b, err
}

// bytes returns n bytes from off on, in buf where it has room.
func (s *Segment) bytes(off, n uint64, buf []byte) ([]byte, error) {
	end := off + n
	if end > s.size || end < off {
		return nil, fmt.Errorf("%w: a block ends at %d of %d", ErrCorrupt, end, s.size)
	}
	if s.mem != nil {
		return s.mem[off:end], nil
	}
	b := slices.Grow(buf[:0], int(n))[:n]
	if got, err := s.r.ReadAt(b, int64(off)); got < len(b) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return b, nil
}

// Marks returns the marks of all documents.
func (s *Segment) Marks() ([]byte, error) { return s.read(s.marks, nil) }

// Document returns the i-th document.
func (s *Segment) Document(i int) (*Document, error) {
	if i < 0 || i >= s.Docs {
		return nil, fmt.Errorf("%w: document %d of %d", ErrCorrupt, i, s.Docs)
	}
	if s.all != nil {
		return &s.all[i], nil
	}
	if at := i / docsPerBlock; at != s.docAt {
		// The pointer itself is not checked: a wrong one leads to a block with
		// another checksum.
		row, err := s.bytes(s.docTable.off+uint64(at)*pointerSize, pointerSize, nil)
		if err != nil {
			return nil, err
		}
		b, err := s.read(readPointer(row), nil)
		if err != nil {
			return nil, err
		}
		s.docAt = -1
		if s.docBlock, err = appendDocuments(s.docBlock[:0], string(b), s.inBlock(at)); err != nil {
			return nil, err
		}
		s.docAt = at
	}
	return &s.docBlock[i%docsPerBlock], nil
}

// inBlock returns the number of documents in a block.
func (s *Segment) inBlock(at int) int { return min(docsPerBlock, s.Docs-at*docsPerBlock) }

// Documents returns all documents. It reads them at once.
func (s *Segment) Documents() ([]Document, error) {
	if s.all != nil || s.Docs == 0 {
		return s.all, nil
	}
	table, err := s.read(s.docTable, nil)
	if err != nil {
		return nil, err
	}
	first := readPointer(table).off
	if first > s.docTable.off {
		return nil, fmt.Errorf("%w: document table", ErrCorrupt)
	}
	region, err := s.bytes(first, s.docTable.off-first, nil)
	if err != nil {
		return nil, err
	}
	text := string(region)
	all := make([]Document, 0, s.Docs)
	for at := 0; len(table) > 0; at, table = at+1, table[pointerSize:] {
		p := readPointer(table)
		from, end := p.off-first, p.off-first+uint64(p.n)
		if p.off < first || end < from || end > uint64(len(region)) ||
			checksum(region[from:end]) != p.sum {
			return nil, fmt.Errorf("%w: documents", ErrCorrupt)
		}
		if all, err = appendDocuments(all, text[from:end], s.inBlock(at)); err != nil {
			return nil, err
		}
	}
	s.all = all
	return all, nil
}

// appendDocuments reads the n documents of a block.
func appendDocuments(to []Document, block string, n int) ([]Document, error) {
	p := scanner[string]{rest: block}
	for range n {
		to = append(to, Document{Path: p.text(), Data: p.text(), Mark: p.byte(),
			File: memory.File{Time: int64(p.number()), Size: int64(p.number())}})
	}
	if p.bad {
		return nil, fmt.Errorf("%w: document", ErrCorrupt)
	}
	return to, nil
}

// place returns the place of the document at path, or where it would be.
func (s *Segment) place(path string) (i int, ok bool, err error) {
	// By block first, so that few are read.
	lo, hi := 0, blocks(s.Docs, docsPerBlock)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		d, err := s.Document(mid * docsPerBlock)
		if err != nil {
			return 0, false, err
		}
		if d.Path <= path {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false, nil
	}
	for i = (lo - 1) * docsPerBlock; i < min(lo*docsPerBlock, s.Docs); i++ {
		d, err := s.Document(i)
		if err != nil {
			return 0, false, err
		}
		if d.Path >= path {
			return i, d.Path == path, nil
		}
	}
	return i, false, nil
}

// A Term has its postings in a segment.
type Term struct {
	Name     []byte
	Docs     int // that have it
	Inactive int // of them, not active
	postings pointer
}

// Find returns the place of term, or where it would be.
func (s *Segment) Find(term []byte) (i int, ok bool, err error) {
	if s.Terms == 0 {
		return 0, false, nil
	}
	if err := s.readTable(); err != nil {
		return 0, false, err
	}
	lo, hi := 0, blocks(s.Terms, perBlock)
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
	i, ok = slices.BinarySearchFunc(s.block, term, func(t Term, name []byte) int {
		return bytes.Compare(t.Name, name)
	})
	return (lo-1)*perBlock + i, ok, nil
}

func (s *Segment) readTable() (err error) {
	if s.table == nil {
		s.table, err = s.read(s.termTable, nil)
	}
	return err
}

// first returns the first term of a block, nil if the table is damaged.
func (s *Segment) first(at int) []byte {
	le := binary.LittleEndian
	names := uint64(blocks(s.Terms, perBlock)) * termRow
	start, end := names, names+uint64(le.Uint32(s.table[at*termRow+pointerSize:]))
	if at > 0 {
		start += uint64(le.Uint32(s.table[(at-1)*termRow+pointerSize:]))
	}
	if start > end || end > uint64(len(s.table)) {
		return nil
	}
	return s.table[start:end]
}

// Term returns the i-th term; it is valid until the next call.
func (s *Segment) Term(i int) (*Term, error) {
	if err := s.readTable(); err != nil {
		return nil, err
	}
	if err := s.readTerms(i / perBlock); err != nil {
		return nil, err
	}
	return &s.block[i%perBlock], nil
}

func (s *Segment) readTerms(at int) error {
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
	p := scanner[[]byte]{rest: b[8:]}
	var before []byte
	names := make([]byte, 0, 2*len(b))
	for range min(perBlock, s.Terms-at*perBlock) {
		shared, rest := p.number(), p.number()
		if shared > uint64(len(before)) || shared+rest > MaxTerm {
			return fmt.Errorf("%w: terms", ErrCorrupt)
		}
		start := len(names)
		names = append(append(names, before[:shared]...), p.bytes(rest)...)
		t := Term{Name: names[start:len(names):len(names)]}
		t.Docs, t.Inactive = int(p.number32()), int(p.number32())
		t.postings = pointer{off, p.number32(), p.sum()}
		off += uint64(t.postings.n)
		if p.bad || t.Inactive > t.Docs || t.Docs > s.Docs {
			return fmt.Errorf("%w: terms", ErrCorrupt)
		}
		before = t.Name
		s.block = append(s.block, t)
	}
	s.blockAt = at
	return nil
}

// Postings returns the postings of a term; they are valid until the next call.
func (s *Segment) Postings(t *Term) (Postings, error) {
	b, err := s.read(t.postings, s.buf)
	if err != nil {
		return Postings{}, err
	}
	if s.mem == nil {
		s.buf = b
	}
	return Postings{b: b, left: t.Docs, docs: uint32(s.Docs)}, nil
}

// Postings are read one after the other.
type Postings struct {
	b    []byte
	doc  uint32
	left int
	docs uint32
}

// Next returns the next posting, and whether there was one. What is garbage ends
// them early.
func (p *Postings) Next() (Posting, bool) {
	if p.left == 0 {
		return Posting{}, false
	}
	p.left--
	step, k := uint64(0), 1
	if len(p.b) > 1 && p.b[0] < 0x80 {
		step = uint64(p.b[0])
	} else if step, k = binary.Uvarint(p.b); k <= 0 || k >= len(p.b) || step>>1 > math.MaxUint32 {
		p.left = 0
		return Posting{}, false
	}
	doc := uint64(p.doc) + step>>1
	if doc >= uint64(p.docs) {
		p.left = 0
		return Posting{}, false
	}
	p.doc = uint32(doc)
	out := Posting{p.doc, step&1 == 1, p.b[k]}
	p.b = p.b[k+1:]
	return out, true
}

// A Tally is the evidence of one document for a question.
type Tally struct {
	Evidence float32 // sum of worth times weight in the document
	Head     float32 // sum of the worth of the terms that the head has
}

// Count adds what a term is worth to the tallies of the documents that have it. A
// prompt with a common word has as many as there are documents, and this is where
// its time goes: it is Next, written out.
func (p *Postings) Count(tallies []Tally, worth float32) {
	unit := worth / math.MaxUint8
	b, doc := p.b, uint64(0)
	for at := 0; p.left > 0 && at+1 < len(b); p.left-- {
		step := uint64(b[at])
		if at++; step >= 0x80 {
			n, k := binary.Uvarint(b[at-1:])
			if k <= 0 || at+k > len(b) || n>>1 > math.MaxUint32 {
				return
			}
			step, at = n, at+k-1
		}
		if doc += step >> 1; doc >= uint64(len(tallies)) {
			return
		}
		t := &tallies[doc]
		t.Evidence += float32(unit * float32(b[at])) // converted, so that no machine fuses it with the sum
		t.Head += worth * float32(step&1)
		at++
	}
}

// A scanner reads numbers and texts. bad reports whether there were not enough.
type scanner[T string | []byte] struct {
	rest T
	bad  bool
}

func (p *scanner[T]) number() (n uint64) {
	for i := 0; i < len(p.rest) && i < binary.MaxVarintLen64; i++ {
		c := p.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			p.rest = p.rest[i+1:]
			return n
		}
	}
	p.bad, p.rest = true, p.rest[:0]
	return 0
}

func (p *scanner[T]) number32() uint32 {
	n := p.number()
	if n > math.MaxInt32 {
		p.bad = true
		return 0
	}
	return uint32(n)
}

func (p *scanner[T]) bytes(n uint64) T {
	if n > uint64(len(p.rest)) {
		p.bad, n = true, 0
	}
	out := p.rest[:n]
	p.rest = p.rest[n:]
	return out
}

func (p *scanner[T]) text() T { return p.bytes(p.number()) }

func (p *scanner[T]) byte() byte {
	if b := p.bytes(1); len(b) > 0 {
		return b[0]
	}
	return 0
}

func (p *scanner[T]) sum() uint32 {
	if b := p.bytes(4); len(b) > 0 {
		return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	}
	return 0
}

// compareDocs orders postings by document.
func compareDocs(a, b Posting) int { return int(int64(a.Doc) - int64(b.Doc)) }

func comparePaths(a, b Document) int { return strings.Compare(a.Path, b.Path) }
