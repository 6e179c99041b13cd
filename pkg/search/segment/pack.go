package segment

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// A packer writes a segment: first the terms in order, each once, then the
// documents. Same input, same bytes.
type packer struct {
	b     []byte // header and postings
	dict  []byte // finished blocks of terms
	block []byte // of terms, unfinished
	rows  []termBlock
	last  []byte // term
	terms int
}

type termBlock struct {
	at    pointer // the offset counts from the beginning of the blocks of terms
	first []byte
}

func newPacker(room int) *packer {
	return &packer{b: make([]byte, headerSize, headerSize+room)}
}

// term adds a term with its postings, which are sorted by document.
func (p *packer) term(term []byte, list []Posting, docs []Document) {
	if len(list) == 0 {
		return
	}
	shared := 0
	if p.terms%perBlock == 0 {
		p.finish()
		p.rows = append(p.rows, termBlock{first: bytes.Clone(term)})
		p.block = binary.LittleEndian.AppendUint64(p.block, uint64(len(p.b)))
	} else {
		for shared < min(len(p.last), len(term)) && p.last[shared] == term[shared] {
			shared++
		}
	}
	start, before, inactive := len(p.b), uint32(0), 0
	for _, d := range list {
		step := uint64(d.Doc-before) << 1
		before = d.Doc
		if d.Head {
			step |= 1
		}
		p.b = binary.AppendUvarint(p.b, step)
		p.b = append(p.b, d.Weight)
		if docs[d.Doc].Mark >= Inactive {
			inactive++
		}
	}
	p.block = binary.AppendUvarint(p.block, uint64(shared))
	p.block = binary.AppendUvarint(p.block, uint64(len(term)-shared))
	p.block = append(p.block, term[shared:]...)
	p.block = binary.AppendUvarint(p.block, uint64(len(list)))
	p.block = binary.AppendUvarint(p.block, uint64(inactive))
	p.block = binary.AppendUvarint(p.block, uint64(len(p.b)-start))
	p.block = binary.LittleEndian.AppendUint32(p.block, checksum(p.b[start:]))
	p.last = append(p.last[:0], term...)
	p.terms++
}

// finish ends the block of terms that is being written.
func (p *packer) finish() {
	if len(p.block) == 0 {
		return
	}
	p.rows[len(p.rows)-1].at = pointer{uint64(len(p.dict)), uint32(len(p.block)), checksum(p.block)}
	p.dict = append(p.dict, p.block...)
	p.block = p.block[:0]
}

// pack ends the segment with its documents, which are sorted by path.
func (p *packer) pack(docs []Document) []byte {
	p.finish()
	terms := uint64(len(p.b))
	p.b = append(p.b, p.dict...)

	var table, marks, block []byte
	active := 0
	for i := range docs {
		d := &docs[i]
		block = appendText(appendText(block, d.Path), d.Data)
		block = append(block, d.Mark)
		block = binary.AppendUvarint(block, uint64(d.File.Time))
		block = binary.AppendUvarint(block, uint64(d.File.Size))
		marks = append(marks, d.Mark)
		if d.Mark < Inactive {
			active++
		}
		if (i+1)%docsPerBlock == 0 || i+1 == len(docs) {
			table = p.add(block).append(table)
			block = block[:0]
		}
	}
	var heads, names []byte
	for _, r := range p.rows {
		r.at.off += terms
		names = append(names, r.first...)
		heads = r.at.append(heads)
		heads = binary.LittleEndian.AppendUint32(heads, uint32(len(names)))
	}
	pointers := [3]pointer{p.add(table), p.add(marks), p.add(append(heads, names...))}

	le := binary.LittleEndian
	h := p.b[:0]
	h = append(h, magic...)
	h = le.AppendUint32(h, Version)
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, uint32(len(docs)))
	h = le.AppendUint32(h, uint32(active))
	h = le.AppendUint32(h, uint32(p.terms))
	h = le.AppendUint32(h, 0)
	h = le.AppendUint64(h, uint64(len(p.b)))
	for _, at := range pointers {
		h = at.append(h)
	}
	le.PutUint32(p.b[12:], checksum(p.b[16:headerSize]))
	return p.b
}

// add appends a block to the segment.
func (p *packer) add(block []byte) pointer {
	at := pointer{uint64(len(p.b)), uint32(len(block)), checksum(block)}
	p.b = append(p.b, block...)
	return at
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A Builder packs documents with their terms into a segment. C is the type that counts a term while a
// document is read. The zero value is ready.
type Builder[C any] struct {
	ids   map[string]uint32
	terms []builtTerm[C]
	docs  []Document
	seen  []uint32 // the terms of the document in hand
}

type builtTerm[C any] struct {
	name  string
	list  []Posting
	doc   uint32 // that counts belongs to, from 1
	count C
}

// Count returns the counts of a term in the document in hand, to be changed before
// the next call.
func (b *Builder[C]) Count(term []byte) *C {
	id, ok := b.ids[string(term)]
	if !ok {
		if b.ids == nil {
			b.ids = map[string]uint32{}
		}
		id = uint32(len(b.terms))
		name := string(term)
		b.ids[name] = id
		b.terms = append(b.terms, builtTerm[C]{name: name})
	}
	t := &b.terms[id]
	if doc := uint32(len(b.docs)) + 1; t.doc != doc {
		var none C
		t.doc, t.count = doc, none
		b.seen = append(b.seen, id)
	}
	return &t.count
}

// Add ends the document in hand, whose path no other has. Weigh makes a posting of
// the counts of each of its terms.
func (b *Builder[C]) Add(d Document, weigh func(C) (head bool, weight uint8)) {
	doc := uint32(len(b.docs))
	for _, id := range b.seen {
		t := &b.terms[id]
		head, weight := weigh(t.count)
		t.list = append(t.list, Posting{doc, head, weight})
	}
	b.seen = b.seen[:0]
	b.docs = append(b.docs, d)
}

// Len returns the number of documents.
func (b *Builder[C]) Len() int { return len(b.docs) }

// Pack returns the segment. The builder must not be used any more.
func (b *Builder[C]) Pack() []byte {
	order := make([]uint32, len(b.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return comparePaths(b.docs[x], b.docs[y]) })
	docs := make([]Document, len(order))
	place := make([]uint32, len(order)) // of each document in docs
	for i, at := range order {
		docs[i], place[at] = b.docs[at], uint32(i)
	}
	sorted := slices.IsSorted(order)
	slices.SortFunc(b.terms, func(x, y builtTerm[C]) int { return strings.Compare(x.name, y.name) })
	p := newPacker(64 * len(docs))
	for i := range b.terms {
		t := &b.terms[i]
		if !sorted {
			for i := range t.list {
				t.list[i].Doc = place[t.list[i].Doc]
			}
			slices.SortFunc(t.list, compareDocs)
		}
		p.term([]byte(t.name), t.list, docs)
	}
	return p.pack(docs)
}
