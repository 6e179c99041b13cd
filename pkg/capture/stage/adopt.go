package stage

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memory"
)

// An Adopter takes over what versions without a journal left: statements and moments
// that are no findings yet. What it returned an error for stays as it is.
type Adopter interface {
	// Statements returns the numbers of a context's snippets, in order. session is whose
	// they are, and at when the file was last written.
	Statements(session string, c Context, at time.Time) ([]int, error)
	Moments(session string, said []Moment, at time.Time) error
}

// Adopt hands over what lies on a session's desk without a number. A context then has
// the numbers; it is taken off the desk when live is false and no draft of it lies
// there. Killed at any instant, it can be called again.
func (d Desk) Adopt(session string, live bool, a Adopter) error {
	names, err := d.Files()
	if err != nil {
		return err
	}
	var errs []error
	for _, cat := range memory.Categories() {
		if cat == memory.SessionSummary || !slices.Contains(names, ContextName(cat)) {
			continue
		}
		c, err := d.Context(cat)
		if err != nil || len(c.Snippets) == 0 || c.Numbered() {
			continue // a file that can't be read is reported when it is claimed
		}
		numbers, err := a.Statements(session, c, d.written(c.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for i := range c.Snippets {
			c.Snippets[i].Number = numbers[i]
		}
		if live || slices.ContainsFunc(names, func(n string) bool { return drafts(n, cat) }) {
			err = d.Write(c.Name(), c.Encode())
		} else {
			_, err = d.Remove(c.Name())
		}
		errs = append(errs, err)
	}
	if slices.Contains(names, MomentsName) {
		said, err := d.Moments()
		if err == nil {
			err = a.Moments(session, said, d.written(MomentsName))
		}
		if err == nil {
			_, err = d.Remove(MomentsName)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// written returns when a file of the desk was last written, UTC. It is zero if there is no such file.
func (d Desk) written(name string) time.Time {
	info, err := os.Lstat(filepath.Join(d.Dir, name))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC()
}

// drafts reports whether a file is a draft of a category, refused or not.
func drafts(name string, c memory.Category) bool {
	refused, _, ok := refusedCategory(name)
	return ok && refused == c || strings.HasPrefix(name, "intent-"+string(c)+".")
}

// Adopt hands over what ended sessions left without a number.
func (p Pending) Adopt(a Adopter) error {
	left, err := Desks(p.Dir)
	if err != nil || len(left) == 0 {
		return err
	}
	return p.locked(func() error {
		var errs []error
		for _, d := range left {
			errs = append(errs, d.Adopt(d.session(), false, a))
			_ = os.Remove(d.Dir) // only when empty
		}
		return errors.Join(errs...)
	})
}
