package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"keepsake/pkg/disk"
)

// A Ring is a file that keeps the last lines that were added to it: at most Lines of them, in at most Bytes
// bytes. It is private to the user. It never waits for a lock: a line that two processes add at the same time
// may get lost. The zero Ring keeps nothing.
type Ring struct {
	Path  string // absolute
	Lines int
	Bytes int
}

// Append adds one line, given without its line break. A line that is longer than the ring is left out.
func (r Ring) Append(line []byte) error {
	if r.Path == "" || len(line) >= r.Bytes {
		return nil
	}
	old, err := disk.Read(r.Path, r.most())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := disk.Private(filepath.Dir(r.Path)); err != nil {
			return err
		}
	case errors.Is(err, disk.ErrTooLarge): // nothing of ours grows so large: it is begun anew
		old = nil
	case err != nil:
		return err
	default:
		whole := len(old) == 0 || old[len(old)-1] == '\n'
		if whole && bytes.Count(old, newline) < r.Lines && len(old)+len(line) < r.Bytes {
			return disk.AppendLine(r.Path, line, r.most())
		}
		if !whole { // a call was cut short
			old = append(old, '\n')
		}
	}
	return disk.Replace(r.Path, append(r.last(old, line), '\n'), 0o600)
}

var newline = []byte("\n")

// last returns the lines of a file with one more, without the first ones if they are too many.
func (r Ring) last(old, line []byte) []byte {
	all := append(old[:len(old):len(old)], line...)
	for n := bytes.Count(all, newline) + 1; n > r.Lines || len(all) >= r.Bytes; n-- {
		_, all, _ = bytes.Cut(all, newline)
	}
	return all
}

// most is the size of the largest file that is read, in bytes. Lines that several processes add at the same
// time go beyond the ring's own size.
func (r Ring) most() int64 { return 2 * int64(r.Bytes) }

// Read returns the lines, oldest first, each with its line break. A ring without a file has none.
func (r Ring) Read() ([]byte, error) {
	if r.Path == "" {
		return nil, nil
	}
	b, err := disk.Read(r.Path, r.most())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
