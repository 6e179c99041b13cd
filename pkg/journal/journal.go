// Package journal keeps append-only logs of whole lines: what has once been added
// is there, or the line it stood in is not there at all. A Journal has what was
// noticed, [Events] what Keepsake did, and the ledger each [Failure].
//
// A journal is one file of mode 0600 with a lock beside it. Whoever adds holds the
// lock; whoever reads needs none, since a line counts only with its end. What a
// process that was killed left half written is cut off by the next one that adds.
// A journal that has grown is rewritten: the new text takes the place of the old
// one by a rename. Its first line tells which writing of it this is, so that a
// reader that knows a place in an older one begins anew.
//
// The package knows nothing of what the lines mean.
package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/disk"
)

// A Journal is one file, by its absolute path. It need not exist.
type Journal string

// A Position is a place between two lines of one writing of a journal.
type Position struct {
	Writing string // "" for the zero place, behind which every line is new
	Offset  int64  // bytes
}

// head begins the first line of a journal; the name of its writing follows.
const head = `{"journal":"`

// tailBytes is how much of the end is read at first to find the last line.
const tailBytes = 16 << 10

// maxBytes bounds how much of a journal is read at once. One of that size is
// rewritten long before.
const maxBytes = 1 << 30

// lock takes the journal's lock within the context's time and makes its folder.
func (j Journal) lock(ctx context.Context) (*disk.Lock, error) {
	if err := disk.Private(filepath.Dir(string(j))); err != nil {
		return nil, err
	}
	return disk.Exclusive(ctx, string(j)+".lock")
}

// Append adds the lines that more makes of the journal's last whole line (nil in an
// empty one), in one write, and returns the place behind them. Where more returns
// nothing, nothing is added. With sync they are on the disk when it returns; without,
// a power cut may take the newest lines, each with all that came after it.
func (j Journal) Append(ctx context.Context, sync bool, more func(last []byte) ([]byte, error)) (Position,
	error) {
	lock, err := j.lock(ctx)
	if err != nil {
		return Position{}, err
	}
	defer lock.Unlock()
	f, err := j.open(os.O_RDWR | os.O_CREATE)
	if err != nil {
		return Position{}, err
	}
	defer f.Close()
	size, err := wholeLines(f)
	if err != nil {
		return Position{}, err
	}
	last, writing, err := j.ends(f, size)
	if err != nil {
		return Position{}, err
	}
	lines, err := more(last)
	if err != nil || len(lines) == 0 {
		return Position{writing, size}, err
	}
	if lines[len(lines)-1] != '\n' {
		return Position{}, errors.New("journal: a line without its end")
	}
	if writing == "" {
		writing = newWriting()
		lines = append(headLine(writing), lines...)
	}
	if _, err = f.WriteAt(lines, size); err == nil && sync {
		err = f.Sync()
	}
	if err != nil {
		return Position{}, errors.Join(err, f.Truncate(size)) // which names the file
	}
	return Position{writing, size + int64(len(lines))}, nil
}

// open opens the file, private to this user; a link is not followed, and what is no
// regular file is refused.
func (j Journal) open(flags int) (*os.File, error) {
	f, err := os.OpenFile(string(j), flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: string(j), Err: disk.ErrNotRegular}
	case !disk.OwnedByUs(info) || info.Mode().Perm()&0o077 != 0:
		err = fmt.Errorf("%s: %w; hint: it should be yours alone, of mode 0600", j, disk.ErrNotPrivate)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// wholeLines cuts an unfinished last line off the file, and returns the size of the rest.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	end, err := lastEnd(f, size)
	if err == nil && end < size {
		err = f.Truncate(end)
	}
	return end, err
}

// lastEnd returns where the last whole line of the first size bytes ends.
func lastEnd(f io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, tailBytes)
	for at := size; at > 0; {
		n := min(int64(len(buf)), at)
		if _, err := f.ReadAt(buf[:n], at-n); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return 0, nil
}

// ends returns the last line and the name of the writing.
func (j Journal) ends(f io.ReaderAt, size int64) (last []byte, writing string, err error) {
	if size == 0 {
		return nil, "", nil
	}
	if writing, err = writingOf(f); err != nil {
		return nil, "", fmt.Errorf("%s: %w", j, err)
	}
	begin, err := lastEnd(f, size-1)
	if err != nil {
		return nil, "", err
	}
	last = make([]byte, size-begin)
	_, err = f.ReadAt(last, begin)
	return last, writing, err
}

// errHead is a file that is no journal. It is left as it is.
var errHead = errors.New("not a journal: its first line does not say so; hint: move it away, and a new one " +
	"is begun")

// writingOf returns the name of a file's writing, "" where it has no line yet: whoever
// began it was killed.
func writingOf(f io.ReaderAt) (string, error) {
	buf := make([]byte, 128)
	n, err := f.ReadAt(buf, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	if err == io.EOF && bytes.IndexByte(buf[:n], '\n') < 0 {
		return "", nil
	}
	rest, ok := strings.CutPrefix(string(buf[:n]), head)
	name, _, end := strings.Cut(rest, `"`)
	if !ok || !end {
		return "", errHead
	}
	return name, nil
}

func newWriting() string {
	return strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
}

func headLine(writing string) []byte { return []byte(head + writing + `","version":1}` + "\n") }

// Read returns the whole lines behind a place, and the place behind them. If the journal was rewritten
// since, or if the place is the zero place, it returns all lines and sets anew. A missing journal has no
// lines.
func (j Journal) Read(from Position) (lines []byte, next Position, anew bool, err error) {
	f, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Position{}, from != Position{}, nil
	}
	if err != nil {
		return nil, from, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, from, false, err
	}
	writing, err := writingOf(f)
	if err != nil {
		return nil, from, false, fmt.Errorf("%s: %w", j, err)
	}
	if writing == "" {
		return nil, Position{}, from != Position{}, nil
	}
	at := from.Offset
	if anew = from.Writing != writing || at > info.Size(); anew {
		at = 0
	}
	lines, err = linesFrom(f, at, info.Size())
	return lines, Position{writing, at + int64(len(lines))}, anew, err
}

// Tail returns whole lines from the journal's end, and the place behind them. It returns about limit
// bytes at most, but always everything behind the given place. If the journal was rewritten since that
// place was noted, it returns all lines. The zero place is ignored.
func (j Journal) Tail(limit int64, behind Position) (lines []byte, next Position, err error) {
	f, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Position{}, nil
	}
	if err != nil {
		return nil, Position{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, Position{}, err
	}
	writing, err := writingOf(f)
	if err != nil {
		return nil, Position{}, fmt.Errorf("%s: %w", j, err)
	}
	if writing == "" {
		return nil, Position{}, nil
	}
	from := max(0, info.Size()-limit)
	whole := false // a line begins there
	switch {
	case behind == Position{}:
	case behind.Writing != writing:
		from = 0
	case behind.Offset <= from:
		from, whole = behind.Offset, true
	}
	lines, err = linesFrom(f, from, info.Size())
	next = Position{writing, from + int64(len(lines))}
	if from > 0 && !whole {
		lines = lines[bytes.IndexByte(lines, '\n')+1:]
	}
	return lines, next, err
}

// Line returns the whole line that ends at a place, or nil if no line ends there.
func (j Journal) Line(behind Position) ([]byte, error) {
	f, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || behind.Offset > info.Size() || behind.Offset <= 0 {
		return nil, err
	}
	if writing, err := writingOf(f); err != nil || writing != behind.Writing {
		return nil, err
	}
	begin, err := lastEnd(f, behind.Offset-1)
	if err != nil {
		return nil, err
	}
	line := make([]byte, behind.Offset-begin)
	if _, err := f.ReadAt(line, begin); err != nil || line[len(line)-1] != '\n' {
		return nil, err
	}
	return line, nil
}

func linesFrom(f io.ReaderAt, from, size int64) ([]byte, error) {
	if size-from > maxBytes {
		return nil, fmt.Errorf("journal: %d bytes: %w", size-from, disk.ErrTooLarge)
	}
	b := make([]byte, max(0, size-from))
	n, err := f.ReadAt(b, from)
	if err == io.EOF {
		err = nil
	}
	return b[:bytes.LastIndexByte(b[:n], '\n')+1], err
}

// Writing returns the name of the journal's present writing, "" for no journal.
func (j Journal) Writing() (string, error) {
	f, err := j.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	return writingOf(f)
}

// Size returns the size of the journal in bytes, 0 for none.
func (j Journal) Size() int64 {
	info, err := os.Lstat(string(j))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Rewrite replaces the lines of the journal by what change returns for them, durably and all or nothing.
// If change returns an error, the journal stays as it is.
func (j Journal) Rewrite(ctx context.Context, change func(lines []byte) ([]byte, error)) error {
	lock, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	lines, _, _, err := j.Read(Position{})
	if err != nil || len(lines) == 0 {
		return err
	}
	made, err := change(lines)
	if err != nil {
		return err
	}
	return disk.Write(string(j), append(headLine(newWriting()), made...), 0o600)
}
