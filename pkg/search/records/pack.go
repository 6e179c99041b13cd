package records

import (
	"bytes"
	"encoding/binary"
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
	p := &packer{b: make([]byte, headerSize, headerSize+room)}
	return p
}

// term adds a term with its postings, which are sorted by document. marks say of
// each document whether it is active.
func (p *packer) term(term []byte, list []posting, marks []byte) {
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
		step := uint64(d.doc-before) << 1
		before = d.doc
		if d.head {
			step |= 1
		}
		p.b = binary.AppendUvarint(p.b, step)
		p.b = append(p.b, d.weight)
		if !mark(marks[d.doc]).active() {
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
func (p *packer) pack(docs []document) []byte {
	p.finish()
	terms := uint64(len(p.b))
	p.b = append(p.b, p.dict...)

	var table, marks, block []byte
	active := 0
	for i := range docs {
		d := &docs[i]
		block = appendText(appendText(block, d.path), d.title)
		block = binary.AppendUvarint(block, uint64(len(d.tags)))
		for _, t := range d.tags {
			block = appendText(block, t)
		}
		block = append(block, byte(d.mark))
		block = binary.AppendUvarint(block, uint64(d.file.Time))
		block = binary.AppendUvarint(block, uint64(d.file.Size))
		marks = append(marks, byte(d.mark))
		if d.mark.active() {
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
