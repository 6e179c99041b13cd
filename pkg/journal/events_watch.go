package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"keepsake/pkg/journal/event"
)

// An EventWatch follows a log: each Poll returns the events since the one before. It notices when a full
// file is put aside, when a file is replaced or cut short, and when a day begins.
type EventWatch struct {
	log  Events
	path string
	file *os.File
	at   int64
	part []byte // a line that is still being written
}

// Watch returns an EventWatch that begins at the present end of the log.
func (l Events) Watch(now time.Time) (*EventWatch, error) {
	w := &EventWatch{log: l}
	if err := w.open(now); err != nil {
		return nil, err
	}
	if w.file != nil {
		end, err := w.file.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, err
		}
		w.at = end
	}
	return w, nil
}

// Close closes the file.
func (w *EventWatch) Close() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

// Poll returns the new events.
func (w *EventWatch) Poll(now time.Time) ([]event.Event, error) {
	events, err := w.readNew(nil)
	if err != nil {
		return events, err
	}
	if w.file != nil && w.isCurrent(now) {
		return events, nil
	}
	// Nothing of the old file is lost: it is read to its end after the new one has its name.
	if events, err = w.readNew(events); err != nil {
		return events, err
	}
	if err := w.Close(); err != nil {
		return events, err
	}
	if err := w.open(now); err != nil {
		return events, err
	}
	return w.readNew(events)
}

// open opens the file of the day at its beginning. A missing file is no error.
func (w *EventWatch) open(now time.Time) error {
	w.path, w.at, w.part = filepath.Join(w.log.Dir, now.UTC().Format(dayForm)+daySuffix), 0, nil
	f, err := os.OpenFile(w.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	w.file = f
	return err
}

// isCurrent reports whether the open file is still the file of the day.
func (w *EventWatch) isCurrent(now time.Time) bool {
	if filepath.Base(w.path) != now.UTC().Format(dayForm)+daySuffix {
		return false
	}
	there, err := os.Lstat(w.path)
	if err != nil {
		return false
	}
	open, err := w.file.Stat()
	return err == nil && os.SameFile(there, open)
}

// readNew appends the events of the whole lines between the last position and the end.
func (w *EventWatch) readNew(events []event.Event) ([]event.Event, error) {
	if w.file == nil {
		return events, nil
	}
	info, err := w.file.Stat()
	if err != nil {
		return events, err
	}
	if info.Size() < w.at { // cut short
		w.at, w.part = 0, nil
	}
	b, err := io.ReadAll(io.NewSectionReader(w.file, w.at, info.Size()-w.at))
	w.at += int64(len(b))
	w.part = append(w.part, b...)
	for {
		line, rest, whole := bytes.Cut(w.part, []byte{'\n'})
		if !whole {
			return events, err
		}
		if e, err := event.Parse(line); err == nil {
			events = append(events, e)
		}
		w.part = rest
	}
}
