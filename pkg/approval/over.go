package approval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Over settles the calls that the main agent of a session was let make, or was
// shown a dialog for, and that nothing has settled: asked when no turn is under way
// it finds those that were not run. The client tells of every call that ran, and of
// none that a person said no to in its dialog. Such a call waits no more, and can
// still be approved by its id. A subagent may be at work between turns, so its calls
// stay.
func (d Dir) Over(session string, now time.Time) error {
	dir := filepath.Join(string(d), "taken")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		use, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || strings.HasPrefix(use, ".") {
			continue
		}
		r, err := d.load(filepath.Join(dir, e.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist): // settled meanwhile
		case err != nil:
			errs = append(errs, err)
		case r.Session == session && r.Agent == "":
			errs = append(errs, d.decline(r), d.Settle(r, use, Outcome{Time: now, Result: NotRun}))
		}
	}
	return errors.Join(errs...)
}

// decline puts aside the request of a call that the dialog was shown for.
func (d Dir) decline(r Request) error {
	if r.By != Dialog {
		return nil
	}
	if err := d.make("declined"); err != nil {
		return err
	}
	if err := os.Rename(d.path("asked", r.ID), d.path("declined", r.ID)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // answered elsewhere meanwhile
}
