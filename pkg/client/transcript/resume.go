package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// How many bytes a reading without a usable mark searches backwards. For a session that was never seen they
// are few, as somebody waits for the turn. After a file was replaced a longer search, once, is worth it.
const (
	searchNew  = 4 << 20
	searchMark = 64 << 20
)

// tailSize is how many bytes before a mark its Tail is the digest of.
const tailSize = 256

// resumeOffset returns the offset to read from.
func (r *reading) resumeOffset(src Source, size int64, req Request) (int64, error) {
	from := req.From
	if from != (Mark{}) {
		fits := from.Offset >= 0 && from.Offset <= size
		if fits {
			same, err := from.matches(src)
			if err != nil {
				return 0, err
			}
			fits = same
		}
		r.span.Restarted = !fits || from.Device != req.Device || from.Inode != req.Inode
		if fits {
			return from.Offset, nil // even in a copy of the file
		}
		if from.UUID != "" {
			_, next, ok, err := lastLine(src, size, searchMark, &r.buf, func(line []byte) bool {
				return bytes.Contains(line, []byte(from.UUID)) &&
					lineID(line) == from.UUID
			})
			if err != nil || ok {
				return next, err
			}
		}
	}
	if req.Known != nil {
		_, next, ok, err := lastLine(src, size, searchNew, &r.buf, func(line []byte) bool {
			if isDull(line) {
				return false
			}
			id := lineID(line)
			return id != "" && req.Known(id)
		})
		if err != nil {
			return 0, err
		}
		if ok {
			r.forked = req.Known
			return next, nil
		}
	}
	if req.Whole && !r.span.Restarted {
		return 0, nil
	}
	start, _, ok, err := lastLine(src, size, searchNew, &r.buf,
		func(line []byte) bool { return parse(line, 0, nil, nil).prompt })
	if err != nil || ok {
		return start, err
	}
	return firstLine(src, max(0, size-searchNew), size)
}

// matches reports whether the bytes before the mark are still the same.
func (m Mark) matches(src Source) (bool, error) {
	if m.Tail == "" && m.Offset > 0 {
		b, err := readAt(src, m.Offset-1, 1)
		return len(b) == 1 && b[0] == '\n', err
	}
	d, err := tailDigest(src, m.Offset)
	return d == m.Tail, err
}

// tailDigest returns a digest of the last bytes before offset, or "" at the beginning of the file.
func tailDigest(src Source, offset int64) (string, error) {
	if offset <= 0 {
		return "", nil
	}
	from := max(0, offset-tailSize)
	b, err := readAt(src, from, int(offset-from))
	if err != nil || len(b) == 0 {
		return "", err
	}
	return digest(b), nil
}

func readAt(src io.ReaderAt, off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	n, err := src.ReadAt(b, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// lastLine returns the start of the last line before end that match accepts, and of the line after it. It
// searches windows that grow backwards from end, at most limit bytes in all. Each is scanned forwards, so
// that memory holds only one line.
func lastLine(src io.ReaderAt, end, limit int64, buf *[]byte, match func(line []byte) bool) (start,
	next int64, ok bool, err error) {
	for window := int64(256 << 10); ; window *= 4 {
		window = min(window, limit, end)
		begin, err := firstLine(src, end-window, end)
		if err != nil {
			return 0, 0, false, err
		}
		lines := newLines(src, begin, end, buf)
		for {
			line, at, more := lines.next()
			if !more {
				break
			}
			if match(line) {
				start, next, ok = at, lines.done, true
			}
		}
		if lines.err != nil || ok || window >= min(limit, end) {
			return start, next, ok, lines.err
		}
	}
}

// LineAt returns the start of the first line that begins at or after an offset, the size
// where none does.
func LineAt(src Source, off int64) (int64, error) {
	at, err := firstLine(src, off, src.Size())
	if err != nil {
		return at, fmt.Errorf("transcript: %w", err)
	}
	return at, nil
}

// firstLine returns the start of the first line that begins at or after off.
func firstLine(src io.ReaderAt, off, end int64) (int64, error) {
	if off <= 0 {
		return 0, nil
	}
	buf := make([]byte, 4<<10)
	for off--; off < end; { // the byte before may be the newline
		n, err := src.ReadAt(buf[:min(int64(len(buf)), end-off)], off)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return off + int64(i) + 1, nil
		}
		if n == 0 || err != nil && !errors.Is(err, io.EOF) {
			return end, ignoreEOF(err)
		}
		off += int64(n)
		if len(buf) < chunkSize { // a long line
			buf = make([]byte, chunkSize)
		}
	}
	return end, nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
