package approval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Over settles calls of a session's main agent that were let through or shown in a dialog and that nothing
// has settled. Called when no turn is under way, it finds those that did not run: the client reports every
// call that ran, but not those that a person said no to in its dialog. Such a call no longer waits, but can
// still be approved by its id. Calls of subagents stay, as these work between turns too.
func (d Dir) Over(session string, now time.Time) error {
	paths, err := d.files("taken")
	errs := []error{err}
	for _, path := range paths {
		use := strings.TrimSuffix(filepath.Base(path), ".json")
		r, err := d.loadRequest(path)
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

// decline moves the request of a call that the dialog was shown for to the declined ones.
func (d Dir) decline(r Request) error {
	if r.By != Dialog {
		return nil
	}
	if err := d.makeDir("declined"); err != nil {
		return err
	}
	if err := os.Rename(d.requestPath("asked", r.ID), d.requestPath("declined", r.ID)); !errors.Is(err,
		fs.ErrNotExist) {
		return err
	}
	return nil // answered elsewhere meanwhile
}
