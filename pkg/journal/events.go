package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/journal/event"
)

// Events is the log of the events of one project, in files, one for each day (UTC), such as
// 2026-11-20.jsonl. When a day's file grows past maxDay it is renamed to 2026-11-20.1.jsonl, replacing an
// earlier one, and a new file is begun. The zero Events stores none.
//
// It is bounded by age and by size, private to the user, never follows a link and never waits: several
// processes append whole lines without a lock. It knows nothing of what the events mean.
type Events struct {
	Dir string // absolute
	// Least is the lowest level that is written; "" is info.
	Least event.Level
	// Days is how many days before today are kept; 0 keeps all that fit.
	Days int
}

// Bounds in bytes, of one file and of all files of a log. A session of a long day writes about 200 KB.
const (
	maxDay    = 4 << 20
	maxEvents = 32 << 20
)

const (
	dayForm   = "2006-01-02"
	daySuffix = ".jsonl"
	dayFull   = ".1" + daySuffix
)

// Append writes the events that reach the log's level into the file for the day of now, in one write. Events
// without a time get now.
func (l Events) Append(now time.Time, events ...event.Event) error {
	if l.Dir == "" {
		return nil
	}
	var lines []byte
	for _, e := range events {
		if !e.Level.AtLeast(l.least()) {
			continue
		}
		if e.Time.IsZero() {
			e.Time = now
		}
		if lines == nil {
			lines = make([]byte, 0, 512*len(events))
		}
		lines = e.Append(lines)
	}
	if len(lines) == 0 {
		return nil
	}
	f, err := l.openToday(now)
	if err != nil {
		return err
	}
	_, err = f.Write(lines)
	return errors.Join(err, f.Close())
}

func (l Events) least() event.Level {
	if l.Least == "" {
		return event.Info
	}
	return l.Least
}

// eventFlags keep a link from being followed and a pipe from blocking.
const eventFlags = os.O_APPEND | os.O_WRONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// openToday opens the file of the day. Whoever creates one removes what is too old or too much.
func (l Events) openToday(now time.Time) (*os.File, error) {
	name := now.UTC().Format(dayForm)
	path := filepath.Join(l.Dir, name+daySuffix)
	f, err := os.OpenFile(path, eventFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return l.beginDay(path, now)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "write", Path: path, Err: disk.ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.Size() < maxDay {
		return f, nil
	}
	f.Close()
	// Only the file that was full is put aside, as another process may have done so already.
	if there, err := os.Lstat(path); err == nil && os.SameFile(there, info) {
		if err := os.Rename(path, filepath.Join(l.Dir, name+dayFull)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return l.beginDay(path, now)
}

func (l Events) beginDay(path string, now time.Time) (*os.File, error) {
	if err := disk.Private(l.Dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, eventFlags|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l.sweep(now)
	return f, nil
}

// sweep removes the files of days that are too old, and the oldest files while there are too many bytes.
// Other files stay. A file that cannot be removed now is tried again tomorrow.
func (l Events) sweep(now time.Time) {
	files, _ := l.Files()
	oldest := ""
	if l.Days > 0 {
		oldest = now.UTC().AddDate(0, 0, -l.Days).Format(dayForm)
	}
	size := int64(0)
	for _, name := range slices.Backward(files) {
		path := filepath.Join(l.Dir, name)
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		size += info.Size()
		if name < oldest || size > maxEvents {
			_ = os.Remove(path)
		}
	}
}

// An Extent is how much a log holds.
type Extent struct {
	Files int
	Bytes int64
	First time.Time // the day (UTC) of the oldest file
}

// Extent returns the number, size and first day of the log's files, without reading them.
func (l Events) Extent() (Extent, error) {
	files, err := l.Files()
	e := Extent{Files: len(files)}
	for _, name := range files {
		if info, err := os.Lstat(filepath.Join(l.Dir, name)); err == nil { // else it was removed meanwhile
			e.Bytes += info.Size()
		}
	}
	if len(files) > 0 {
		e.First, _ = dayOf(files[0])
	}
	return e, err
}

// Files returns the names of the log's files, oldest first. A missing log has none.
func (l Events) Files() ([]string, error) {
	if l.Dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(l.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if _, ok := dayOf(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err // sorted by name, and "….1.jsonl" sorts before "….jsonl"
}

// dayOf returns the day of a file; ok is false for a name that is not ours.
func dayOf(name string) (time.Time, bool) {
	stem, ok := strings.CutSuffix(name, dayFull)
	if !ok {
		stem, ok = strings.CutSuffix(name, daySuffix)
	}
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(dayForm, stem)
	return t, err == nil
}
