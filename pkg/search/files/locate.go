// Package files finds where something is in the files of a project, by the
// words of their paths, their headings, the symbols that they define and their
// text. It knows no language and asks no model.
//
// Builder packs files into a segment of an index (package segment), and Search asks
// it for the terms of a query. Which line of a file answers best is asked of the file
// as it is now (Query.Best). Nothing here opens a file or reads a clock.
package files

import (
	"bytes"
	"math/bits"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

// A File is what a segment is built from.
type File struct {
	Path string      // with slashes
	Stat memory.File // as it was when it was read
	Text []byte      // nil where only the path is to be found: binary, too large, not read yet
}

// Unread is the Stat of a file whose text is still to be read. No file has it.
var Unread = memory.File{Time: -1, Size: -1}

// A mark is where in a file a term stands and how often: one byte of a posting.
type mark uint8

const (
	inName    mark = 1 << iota // of the file
	inFolder                   // of a folder above it
	inSymbol                   // that the file defines
	inHeading                  // of a document, or at the top of the file
	often                      // the four high bits: the logarithm of how often in the text
)

// Builder packs files into one segment. The zero value is ready.
type Builder struct{ words segment.Builder[counted] }

// counted is where a term stands in a file, and how often.
type counted struct {
	marks mark
	n     uint16
}

// Add adds a file.
func (b *Builder) Add(f File) {
	length := 0
	m := mark(0)
	note := func(t []byte) {
		c := b.words.Count(t)
		c.marks |= m
		if m&(inName|inFolder) == 0 {
			length++
			if c.n < 1<<15 {
				c.n++
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
	b.words.Add(segment.Document{Path: f.Path, Data: lengthData(length), File: f.Stat},
		func(c counted) (head bool, weight uint8) {
			return false, uint8(c.marks | mark(min(bits.Len16(c.n), 15))<<4)
		})
}

// Pack returns the segment. The builder must not be used any more.
func (b *Builder) Pack() []byte { return b.words.Pack() }

// lengthData returns how a document keeps the number of its terms, in two bytes. Larger numbers are cut to
// the largest one.
func lengthData(terms int) string {
	n := min(terms, 1<<16-1)
	return string([]byte{byte(n), byte(n >> 8)})
}

// lengthOf returns the number of terms of a document.
func lengthOf(d *segment.Document) int {
	if len(d.Data) != 2 {
		return 0
	}
	return int(d.Data[0]) | int(d.Data[1])<<8
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
