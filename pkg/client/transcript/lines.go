package transcript

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Sizes for the line reader, in bytes. Lines of up to longLine are returned unchanged. In a longer line each
// JSON string is cut to its first maxString bytes; the line stays valid JSON with all its fields, but loses
// the pictures and file contents that made it long. If it is still longer than maxLine, the rest is dropped,
// and it will not parse.
const (
	chunkSize = 64 << 10
	longLine  = 2 * MaxText
	maxString = MaxText + 1024 // more than MaxText, so that clip sees the cut
	maxLine   = 1 << 20
	headSize  = 512
)

// lines reads whole lines from a stretch of a file.
type lines struct {
	src   io.ReaderAt
	off   int64 // of the next byte to load
	end   int64
	done  int64  // just after the newline of the last line returned
	err   error  // an I/O error that stopped the reading
	chunk []byte // loaded and not yet returned
	buf   []byte // behind chunk
	long  squeezer
}

// newLines returns a reader of the lines of a stretch. buf, which may be nil, has room for what is loaded,
// and keeps it for the next reader.
func newLines(src io.ReaderAt, start, end int64, buf *[]byte) *lines {
	l := &lines{src: src, off: start, end: end, done: start}
	need := int(min(chunkSize, max(end-start, 0)))
	switch {
	case buf == nil:
		l.buf = make([]byte, need)
	case cap(*buf) < need:
		*buf = make([]byte, need)
		fallthrough
	default:
		l.buf = (*buf)[:need]
	}
	return l
}

// next returns the next whole line, without its newline, and its offset. The line is valid until the next
// call. A last line without a newline is still being written and is not returned.
func (l *lines) next() (line []byte, at int64, ok bool) {
	at = l.done
	l.long.reset()
	spilled := false
	for {
		i := bytes.IndexByte(l.chunk, '\n')
		if i >= 0 {
			line, l.chunk = l.chunk[:i], l.chunk[i+1:]
			if spilled {
				l.long.write(line)
				line = l.long.out
			}
			l.done = l.off - int64(len(l.chunk))
			return line, at, true
		}
		if len(l.chunk) > 0 {
			l.long.write(l.chunk)
			spilled = true
		}
		if !l.load() {
			return nil, at, false
		}
	}
}

// load replaces the chunk with the next one.
func (l *lines) load() bool {
	l.chunk = nil
	n := min(int64(len(l.buf)), l.end-l.off)
	if n <= 0 {
		return false
	}
	got, err := l.src.ReadAt(l.buf[:n], l.off)
	if got == 0 {
		l.err = ignoreEOF(err) // a file that shrank meanwhile ends here
		return false
	}
	l.chunk = l.buf[:got]
	l.off += int64(got)
	return true
}

// squeezer collects a line that comes in pieces. It cuts the strings of a long line. Of a line whose head
// shows that it is dull it keeps only the head.
type squeezer struct {
	out     []byte
	all     bool // keep dull lines too
	looked  bool // the head was examined
	dull    bool
	cutting bool // the line is long: out holds what scan has kept
	str     bool // inside a string
	esc     bool // after a backslash
	hex     int  // digits of \uXXXX still expected
	n       int  // bytes of this string so far
	drop    bool // drop the rest of this string
}

func (s *squeezer) reset() {
	out := s.out[:0]
	*s = squeezer{out: out, all: s.all}
}

func (s *squeezer) write(p []byte) {
	if s.dull {
		return
	}
	if !s.cutting {
		s.out = append(s.out, p...)
		if !s.looked && len(s.out) >= headSize {
			s.looked = true
			if s.dull = !s.all && isDull(s.out); s.dull {
				s.out = s.out[:headSize]
				return
			}
		}
		if len(s.out) <= longLine {
			return
		}
		s.cutting = true
		p, s.out = s.out, make([]byte, 0, longLine)
	}
	s.scan(p)
}

func (s *squeezer) scan(p []byte) {
	for _, b := range p {
		if len(s.out) >= maxLine {
			return
		}
		switch {
		case !s.str:
			s.str, s.n = b == '"', 0
		case b == '"' && !s.esc:
			s.str, s.drop, s.hex = false, false, 0
		default:
			// Cut only where a rune or an escape begins, so that the rest is valid.
			if s.n >= maxString && !s.esc && s.hex == 0 && utf8.RuneStart(b) {
				s.drop = true
			}
			switch {
			case s.esc:
				s.esc = false
				if b == 'u' {
					s.hex = 4
				}
			case b == '\\':
				s.esc, s.hex = true, 0
			case s.hex > 0:
				s.hex--
			}
			s.n++
			if s.drop {
				continue
			}
		}
		s.out = append(s.out, b)
	}
}
