package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/journal/event"
)

// An EventReading is the result of reading a log.
type EventReading struct {
	Events []event.Event // oldest first
	Broken int           // lines that are not events
	More   bool          // there were more than the limit
}

// Last returns the newest events since a time that match, at most limit of them. If a file cannot be read it
// is left out, and its error is returned with the rest.
func (l Events) Last(since time.Time, limit int, match func(event.Event) bool) (EventReading, error) {
	files, err := l.Files()
	if err != nil {
		return EventReading{}, err
	}
	var r EventReading
	var errs []error
	first := since.UTC().Truncate(24 * time.Hour)
	for _, name := range slices.Backward(files) {
		if d, _ := dayOf(name); d.Before(first) {
			break
		}
		// The file being written may have grown past its bound by a few lines.
		b, err := disk.Read(filepath.Join(l.Dir, name), 2*maxDay)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed or put aside meanwhile
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lines := bytes.Split(b, []byte{'\n'})
		// a part without a newline is still being written
		for _, line := range slices.Backward(lines[:len(lines)-1]) {
			e, err := event.Parse(line)
			switch {
			case err != nil:
				r.Broken++
				continue
			case e.Time.Before(since) || !match(e):
				continue
			case len(r.Events) == limit:
				r.More = true
				slices.Reverse(r.Events)
				return r, errors.Join(errs...)
			}
			r.Events = append(r.Events, e)
		}
	}
	slices.Reverse(r.Events)
	return r, errors.Join(errs...)
}
