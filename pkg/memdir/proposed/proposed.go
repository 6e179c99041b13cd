// Package proposed keeps the changes of a directory of notes that agents propose. Nothing of them is written
// before the person says yes. Until then the session that proposed them sees its notes as if they were.
//
// They lie in one file of a project's inbox, notes.json, held by notes.lock while it is changed.
package proposed

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// Version is the version of the file's form. A file of a newer version is not changed.
const Version = 1

// Bounds of what waits in a project: an agent must not bury the person, nor fill the disk.
const (
	maxChanges = 50
	maxBytes   = 4 << 20 // of all new texts together
)

// A Change is one proposed change: files that belong together, as they are changed with one yes.
type Change struct {
	ID      string    `json:"id"`
	Session string    `json:"session"` // that proposed it
	Dir     string    `json:"dir"`     // of the notes
	Made    time.Time `json:"made_at"` // when it was last changed, UTC
	Plan    plan.Plan `json:"plan"`
}

// Meets reports whether two changes are of the same file.
func (c Change) Meets(other Change) bool {
	return slices.ContainsFunc(c.Plan.Edits, func(e plan.Edit) bool {
		return slices.Contains(other.Plan.Paths(), e.Path)
	})
}

// Notes is a directory of notes as it is now.
type Notes struct {
	Dir    string
	Digest func(path string) string // of a file, "" for none
	Check  func(p plan.Plan) error  // why a plan can't be written there
}

// Errors that callers distinguish.
var (
	ErrUnknown = errors.New("no proposed change has this id")
	// ErrChanged is the error for a change that is another one by now.
	ErrChanged = errors.New("the session has changed its proposal since it was shown")
	// ErrUnwritable is the error for a change that could not be written if the person said yes.
	ErrUnwritable = errors.New("can't be written")
)

// A Box is the folder with the changes of one project. The folder need not exist yet.
type Box struct{ Dir string }

type file struct {
	Version int      `json:"version"`
	Changes []Change `json:"changes"`
}

func (b Box) folder() disk.JSONFolder {
	return disk.JSONFolder{Dir: b.Dir, Lock: "notes.lock", Version: Version}
}

const boxFile = "notes.json"

// All returns the changes that wait, the oldest first.
func (b Box) All() ([]Change, error) {
	var f file
	if err := b.folder().Load(boxFile, &f); err != nil {
		return nil, err
	}
	return f.Changes, nil
}

// Of returns the changes that a session proposed for a directory.
func (b Box) Of(session, dir string) ([]Change, error) {
	all, err := b.All()
	return slices.DeleteFunc(all, func(c Change) bool { return !c.isOf(session, dir) }), err
}

func (c Change) isOf(session, dir string) bool { return c.Session == session && c.Dir == dir }

// Find returns the change with an id.
func (b Box) Find(id string) (Change, error) {
	all, err := b.All()
	if err != nil {
		return Change{}, err
	}
	if i := slices.IndexFunc(all, func(c Change) bool { return c.ID == id }); i >= 0 {
		return all[i], nil
	}
	return Change{}, fmt.Errorf("%q: %w", id, ErrUnknown)
}

// Edit adds edits of a session to what it has proposed for a directory. do is given that, and returns the
// edits: the new texts of files, nil for those that go. Edits of files that one change has already, or
// several, become part of it. A change that can't be written any more, and has one of the files, is replaced.
// What can't be written from the start is refused. The result is the change that the edits are part of; it
// has no id if they came to nothing, as they put back what the files say.
func (b Box) Edit(session string, n Notes, now time.Time,
	do func(waiting []Change) (map[string]*string, error)) (c Change, err error) {
	err = b.update(func(all []Change) ([]Change, error) {
		edits, err := do(slices.DeleteFunc(slices.Clone(all), func(c Change) bool {
			return !c.isOf(session, n.Dir)
		}))
		if err != nil {
			return nil, err
		}
		if c, all, err = merged(all, session, n, edits, now); err != nil {
			return nil, err
		}
		size := 0
		for _, c := range all {
			for _, e := range c.Plan.Edits {
				size += len(e.After)
			}
		}
		if len(all) > maxChanges || size > maxBytes {
			return nil, fmt.Errorf("too much waits for the user already: at most %d changes of %d MB; the "+
				"user "+
				"answers them with keepsake review", maxChanges, maxBytes>>20)
		}
		return all, nil
	})
	return c, err
}

// merged returns the changes with edits of a session, and the change that these are part of.
func merged(all []Change, session string, n Notes, edits map[string]*string,
	now time.Time) (c Change, rest []Change, err error) {
	c = Change{Session: session, Dir: n.Dir, Made: now.UTC()}
	before, after := map[string]string{}, map[string]*string{}
	for _, old := range all {
		has := func(e plan.Edit) bool { _, is := edits[e.Path]; return is }
		if !old.isOf(session, n.Dir) || !slices.ContainsFunc(old.Plan.Edits, has) {
			rest = append(rest, old)
			continue
		}
		if c.ID == "" {
			c.ID = old.ID
		}
		if n.Check(old.Plan) != nil {
			continue
		}
		for _, e := range old.Plan.Edits {
			before[e.Path], after[e.Path] = e.Before, nil
			if !e.Deletes() {
				s := string(e.After)
				after[e.Path] = &s
			}
		}
	}
	for path, to := range edits {
		if _, known := before[path]; !known {
			before[path] = n.Digest(path)
		}
		after[path] = to
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		e := plan.Edit{Path: path, Before: before[path], Verb: plan.Update}
		if after[path] != nil {
			e.After = []byte(*after[path])
		}
		switch {
		case plan.DigestOf(e.After) == e.Before: // it is as it was
			continue
		case e.Deletes():
			e.Verb = plan.Delete
		case e.Before == "":
			e.Verb = plan.Create
		}
		c.Plan.Edits = append(c.Plan.Edits, e)
	}
	if len(c.Plan.Edits) == 0 {
		return Change{}, rest, nil
	}
	if c.ID == "" {
		c.ID = newID(all, c)
	}
	if err := c.Plan.Validate(); err != nil {
		return c, nil, err
	}
	if err := n.Check(c.Plan); err != nil {
		return c, nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return c, append(rest, c), nil
}

// Take carries out an answer to the change with an id, and removes it. It has to be the same as when it was
// shown: digest is that of its plan then. If do fails the change stays.
func (b Box) Take(id, digest string, do func(Change) error) error {
	return b.update(func(all []Change) ([]Change, error) {
		i := slices.IndexFunc(all, func(c Change) bool { return c.ID == id })
		switch {
		case i < 0:
			return nil, fmt.Errorf("%q: %w", id, ErrUnknown)
		case all[i].Plan.Digest() != digest:
			return nil, fmt.Errorf("%s: %w", id, ErrChanged)
		}
		if err := do(all[i]); err != nil {
			return nil, err
		}
		return slices.Delete(all, i, i+1), nil
	})
}

// Put has a change wait again that was taken.
func (b Box) Put(c Change) error {
	return b.update(func(all []Change) ([]Change, error) {
		if slices.ContainsFunc(all, func(x Change) bool { return x.ID == c.ID }) {
			return nil, fmt.Errorf("%s waits already", c.ID)
		}
		return append(all, c), nil
	})
}

// Forget removes the changes that have a text for which has returns true. It is for what the person has
// deleted for good.
func (b Box) Forget(has func(string) bool) error {
	gone := func(c Change) bool {
		return slices.ContainsFunc(c.Plan.Edits, func(e plan.Edit) bool {
			return has(e.Path) || has(string(e.After))
		})
	}
	all, err := b.All()
	if err != nil || !slices.ContainsFunc(all, gone) {
		return err
	}
	return b.update(func(all []Change) ([]Change, error) { return slices.DeleteFunc(all, gone), nil })
}

// newID returns "n" and five letters that no other change has as its id.
func newID(all []Change, c Change) string {
	for n := 0; ; n++ {
		id := "n" + text.ShortID(fmt.Sprintf("%s\x00%s\x00%s\x00%d", c.Session, c.Plan.Digest(),
			c.Made.Format(time.RFC3339Nano), n), 5)
		if !slices.ContainsFunc(all, func(c Change) bool { return strings.EqualFold(c.ID, id) }) {
			return id
		}
	}
}

// update replaces the changes by what do returns, under the lock. If do fails, nothing is written.
func (b Box) update(do func([]Change) ([]Change, error)) error {
	return b.folder().Change(func() error {
		all, err := b.All()
		if err == nil {
			all, err = do(all)
		}
		if err != nil {
			return err
		}
		return b.folder().Save(boxFile, file{Version, all})
	})
}
