package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sort"
)

// ErrCorrupt says that bytes are no segment of this version.
var ErrCorrupt = errors.New("locate: not an index of this version")

// A segment:
//
//	header     magic, then seven uint32 and a checksum of all up to the dictionary
//	meta       the caller's bytes
//	documents  docSize bytes each
//	names      the paths, one after the other
//	sparse     for each block of the dictionary its place, that of its postings, and its first term
//	dictionary blocks of blockTerms terms: shared bytes, more bytes, documents, length of the postings
//	postings   for each document its distance from the last, and a mark
const (
	magic      = "kslocat3"
	headSize   = len(magic) + 7*4 + 4
	docSize    = 8 + 8 + 4 + 2 + 2 + 1
	blockTerms = 32
	maxHead    = 1 << 28
)

type doc struct {
	mtime, size     int64
	path            uint32
	pathLen, length uint16
	unread          bool
}

func appendPosting(to []byte, distance uint32, m mark) []byte {
	return append(binary.AppendUvarint(to, uint64(distance)), byte(m))
}

// Bytes is the segment of all files that were added, with what the caller wants
// to find beside them. The builder must not be used any more.
func (b *Builder) Bytes(meta []byte) []byte {
	slices.SortFunc(b.terms, func(x, y term) int {
		switch {
		case x.name < y.name:
			return -1
		case x.name > y.name:
			return 1
		}
		return 0
	})
	w := writer{docs: b.docs, names: b.names}
	for i := range b.terms {
		t := &b.terms[i]
		w.term([]byte(t.name), countPosts(t.posts), t.posts)
	}
	return w.bytes(meta)
}

// countPosts counts postings that this package has just made.
func countPosts(posts []byte) (n uint32) {
	for len(posts) > 0 {
		_, size := binary.Uvarint(posts)
		posts = posts[size+1:]
		n++
	}
	return n
}

// writer puts a segment together from terms in order.
type writer struct {
	docs                      []doc
	names                     []byte
	sparse, dictionary, posts []byte
	terms, blocks             uint32
	last                      []byte
}

func (w *writer) term(name []byte, docs uint32, posts []byte) {
	shared := 0
	if w.terms%blockTerms == 0 {
		w.blocks++
		w.sparse = binary.LittleEndian.AppendUint32(w.sparse, uint32(len(w.dictionary)))
		w.sparse = binary.LittleEndian.AppendUint32(w.sparse, uint32(len(w.posts)))
		w.sparse = append(append(w.sparse, byte(len(name))), name...)
	} else {
		for shared < len(name) && shared < len(w.last) && name[shared] == w.last[shared] {
			shared++
		}
	}
	w.dictionary = append(w.dictionary, byte(shared), byte(len(name)-shared))
	w.dictionary = append(w.dictionary, name[shared:]...)
	w.dictionary = binary.AppendUvarint(w.dictionary, uint64(docs))
	w.dictionary = binary.AppendUvarint(w.dictionary, uint64(len(posts)))
	w.posts = append(w.posts, posts...)
	w.last = append(w.last[:0], name...)
	w.terms++
}

func (w *writer) bytes(meta []byte) []byte {
	out := make([]byte, headSize, headSize+len(meta)+docSize*len(w.docs)+len(w.names)+len(w.sparse)+
		len(w.dictionary)+len(w.posts))
	copy(out, magic)
	for i, n := range []int{len(meta), len(w.docs), len(w.names), int(w.blocks), len(w.sparse),
		len(w.dictionary), len(w.posts)} {
		binary.LittleEndian.PutUint32(out[len(magic)+4*i:], uint32(n))
	}
	out = append(out, meta...)
	for _, d := range w.docs {
		out = binary.LittleEndian.AppendUint64(out, uint64(d.mtime))
		out = binary.LittleEndian.AppendUint64(out, uint64(d.size))
		out = binary.LittleEndian.AppendUint32(out, d.path)
		out = binary.LittleEndian.AppendUint16(out, d.pathLen)
		out = binary.LittleEndian.AppendUint16(out, d.length)
		out = append(out, 0)
		if d.unread {
			out[len(out)-1] = 1
		}
	}
	out = append(append(out, w.names...), w.sparse...)
	binary.LittleEndian.PutUint32(out[headSize-4:], checksum(out))
	return append(append(out, w.dictionary...), w.posts...)
}

// checksum of all that is read at once, but for itself. It is CRC-32 (IEEE): the
// tables of Castagnoli's take a start 0.2 ms to build.
func checksum(head []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(head[:headSize-4]), crc32.IEEETable, head[headSize:])
}

// Segment is an opened index of files.
type Segment struct {
	from        io.ReaderAt
	id          uint32
	meta        []byte
	docs, names []byte
	blocks      []block
	dict, posts int64 // where they begin
	dictLen     int64
	postsLen    int64
}

type block struct {
	dict, posts uint32
	first       []byte
}

// Open opens a segment of that many bytes.
func Open(from io.ReaderAt, size int64) (*Segment, error) {
	head := make([]byte, headSize)
	if _, err := from.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic {
		return nil, ErrCorrupt
	}
	var n [7]int64
	for i := range n {
		n[i] = int64(binary.LittleEndian.Uint32(head[len(magic)+4*i:]))
	}
	rest := n[0] + n[1]*int64(docSize) + n[2] + n[4]
	if rest > maxHead || int64(headSize)+rest+n[5]+n[6] != size || n[3] > n[4] {
		return nil, ErrCorrupt
	}
	all := make([]byte, int64(headSize)+rest)
	if _, err := from.ReadAt(all, 0); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	s := &Segment{from: from, id: binary.LittleEndian.Uint32(head[headSize-4:])}
	if checksum(all) != s.id {
		return nil, ErrCorrupt
	}
	all = all[headSize:]
	take := func(n int64) (b []byte) { b, all = all[:n:n], all[n:]; return b }
	s.meta, s.docs, s.names = take(n[0]), take(n[1]*int64(docSize)), take(n[2])
	s.blocks = make([]block, 0, n[3])
	for range n[3] {
		if len(all) < 9 || len(all) < 9+int(all[8]) {
			return nil, ErrCorrupt
		}
		end := 9 + int(all[8])
		s.blocks = append(s.blocks,
			block{binary.LittleEndian.Uint32(all), binary.LittleEndian.Uint32(all[4:]), all[9:end]})
		all = all[end:]
	}
	s.dict = int64(headSize) + rest
	s.posts = s.dict + n[5]
	s.dictLen, s.postsLen = n[5], n[6]
	for i := range s.Len() {
		if d := s.doc(i); int64(d.path)+int64(d.pathLen) > n[2] {
			return nil, ErrCorrupt
		}
	}
	return s, nil
}

// Len is the number of files.
func (s *Segment) Len() int { return len(s.docs) / docSize }

// ID tells segments apart.
func (s *Segment) ID() uint32 { return s.id }

// Meta is what the caller put beside the files.
func (s *Segment) Meta() []byte { return s.meta }

func (s *Segment) doc(i int) doc {
	b := s.docs[i*docSize:][:docSize]
	return doc{
		mtime: int64(binary.LittleEndian.Uint64(b)), size: int64(binary.LittleEndian.Uint64(b[8:])),
		path: binary.LittleEndian.Uint32(b[16:]), pathLen: binary.LittleEndian.Uint16(b[20:]),
		length: binary.LittleEndian.Uint16(b[22:]), unread: b[24] != 0,
	}
}

func (s *Segment) length(i int) uint16 {
	return binary.LittleEndian.Uint16(s.docs[i*docSize+22:])
}

// Path is the path of a file, with slashes. The bytes must not be changed.
func (s *Segment) Path(i int) []byte {
	d := s.doc(i)
	return s.names[d.path:][:d.pathLen]
}

// Same tells whether a file was like this when it was read.
func (s *Segment) Same(i int, size, mtime int64) bool {
	b := s.docs[i*docSize:][:docSize]
	return int64(binary.LittleEndian.Uint64(b)) == mtime &&
		int64(binary.LittleEndian.Uint64(b[8:])) == size && b[24] == 0
}

// entry is a term of the dictionary.
type entry struct {
	name  []byte
	docs  int
	posts int64 // where they are
	size  int
}

// each calls emit for the terms from the first that is not less than from, until
// emit returns false. The name is only valid during the call.
func (s *Segment) each(from []byte, emit func(entry) bool) error {
	start := sort.Search(len(s.blocks), func(i int) bool {
		return bytes.Compare(s.blocks[i].first, from) > 0
	})
	var name []byte
	for i := max(start-1, 0); i < len(s.blocks); i++ {
		at, end := int64(s.blocks[i].dict), s.dictLen
		if i+1 < len(s.blocks) {
			end = int64(s.blocks[i+1].dict)
		}
		if at > end || end > s.dictLen {
			return ErrCorrupt
		}
		b := make([]byte, end-at)
		if _, err := s.from.ReadAt(b, s.dict+at); err != nil && !(err == io.EOF && len(b) == 0) {
			return fmt.Errorf("%w: %v", ErrCorrupt, err)
		}
		posts := int64(s.blocks[i].posts)
		for name = name[:0]; len(b) > 0; {
			if len(b) < 2 || int(b[0]) > len(name) || len(b) < 2+int(b[1]) {
				return ErrCorrupt
			}
			name = append(name[:b[0]], b[2:2+int(b[1])]...)
			b = b[2+int(b[1]):]
			docs, n := binary.Uvarint(b)
			size, m := binary.Uvarint(b[max(n, 0):])
			if n <= 0 || m <= 0 || docs > uint64(s.Len()) || size > math.MaxInt32 ||
				posts+int64(size) > s.postsLen {
				return ErrCorrupt
			}
			b = b[n+m:]
			if bytes.Compare(name, from) >= 0 && !emit(entry{name, int(docs), s.posts + posts, int(size)}) {
				return nil
			}
			posts += int64(size)
		}
	}
	return nil
}

// postings calls emit with each file of a term and its mark.
func (s *Segment) postings(e entry, emit func(doc int, m mark)) error {
	b := make([]byte, e.size)
	if _, err := s.from.ReadAt(b, e.posts); err != nil && !(err == io.EOF && e.size == 0) {
		return fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	at, count := uint64(0), uint64(s.Len())
	for len(b) > 0 {
		d, n := binary.Uvarint(b)
		if n <= 0 || len(b) <= n || d == 0 || d > count-at {
			return ErrCorrupt
		}
		at += d
		emit(int(at-1), mark(b[n]))
		b = b[n+1:]
	}
	return nil
}
