// Package files finds where something is in the files of a project, by the
// words of their paths, their headings, the symbols that they define and their
// text. It knows no language and asks no model.
//
// Builder packs files into a segment; Merge joins segments and leaves out what
// is gone. Open reads of a segment what every search needs, and Search the
// terms of its query. A segment is a cache: deleting it loses nothing. Which
// line of a file answers best is asked of the file as it is now (Query.Best).
//
// Nothing here opens a file or reads a clock. What is read of a segment is
// checked: a damaged one is ErrCorrupt or finds less, and never a panic.
package files

import (
	"bytes"
	"math/bits"
)

// A File is what a segment is built from.
type File struct {
	Path  string // with slashes
	Size  int64  // bytes
	Mtime int64  // nanoseconds since 1970
	Text  []byte // nil where only the path is to be found: binary, too large, not read yet
	// Unread is set where the text is still to be read.
	Unread bool
}

// A mark says where in a file a term stands and how often: one byte of a posting.
type mark uint8

const (
	inName    mark = 1 << iota // of the file
	inFolder                   // of a folder above it
	inSymbol                   // that the file defines
	inHeading                  // of a document, or at the top of the file
	often                      // the four high bits: the logarithm of how often in the text
)

// Builder packs files into one segment. The zero value is ready.
type Builder struct {
	ids   map[string]uint32
	terms []term
	docs  []doc
	names []byte

	seen []uint32 // the terms of the file that is added
}

type term struct {
	name  string
	posts []byte
	last  uint32 // the document of the last posting, from 1
	doc   uint32 // the document that marks and count belong to, from 1
	marks mark
	count uint16
}

// Add adds a file. Paths longer than 65,535 bytes are left out.
func (b *Builder) Add(f File) {
	if len(f.Path) > 1<<16-1 {
		return
	}
	if b.ids == nil {
		b.ids = make(map[string]uint32, 1<<14)
	}
	at := uint32(len(b.docs)) + 1
	b.seen = b.seen[:0]
	length := 0
	m := mark(0)
	note := func(t []byte) {
		id, ok := b.ids[string(t)]
		if !ok {
			id = uint32(len(b.terms))
			name := string(t)
			b.ids[name] = id
			b.terms = append(b.terms, term{name: name})
		}
		e := &b.terms[id]
		if e.doc != at {
			e.doc, e.marks, e.count = at, 0, 0
			b.seen = append(b.seen, id)
		}
		e.marks |= m
		if m&(inName|inFolder) == 0 {
			length++
			if e.count < 1<<15 {
				e.count++
			}
		}
	}
	eachPlace(f.Path, func(place mark, words []byte) { m = place; eachTerm(words, note) })
	r := newReader(f.Path)
	for text := f.Text; len(text) > 0; {
		line, rest := cutLine(text)
		text = rest
		p, name := r.line(line)
		switch p {
		case heading:
			m = inHeading
		case defines:
			m = inSymbol
			eachTerm(name, note)
			m = 0
		default:
			m = 0
		}
		eachTerm(line, note)
	}
	for _, id := range b.seen {
		e := &b.terms[id]
		e.posts = appendPosting(e.posts, at-e.last, e.marks|mark(min(bits.Len16(e.count), 15))<<4)
		e.last = at
	}
	b.docs = append(b.docs, doc{mtime: f.Mtime, size: f.Size, path: uint32(len(b.names)),
		pathLen: uint16(len(f.Path)), length: uint16(min(length, 1<<16-1)), unread: f.Unread})
	b.names = append(b.names, f.Path...)
}

// eachPlace gives the parts of a path: its folders and its name.
func eachPlace(path string, emit func(mark, []byte)) {
	p := []byte(path)
	slash := bytes.LastIndexByte(p, '/')
	if slash > 0 {
		emit(inFolder, p[:slash])
	}
	emit(inName, p[slash+1:])
}

// cutLine cuts a line off, of at most maxLine bytes.
func cutLine(text []byte) (line, rest []byte) {
	n := bytes.IndexByte(text[:min(len(text), maxLine)], '\n')
	if n >= 0 {
		return bytes.TrimSuffix(text[:n], []byte("\r")), text[n+1:]
	}
	n = min(len(text), maxLine)
	line = text[:n]
	// What is longer is minified or data: its beginning says enough.
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return line, text[end+1:]
	}
	return line, nil
}

// maxLine is how much of a line is looked at, in bytes.
const maxLine = 1000
