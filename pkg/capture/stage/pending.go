package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
)

// Pending is the unsaved work of ended sessions, and what exceeded a session's budget. It is one folder a
// session under the project's state folder, with the same files as on the stage, and with the drafts that
// were refused. Any later session can claim it.
type Pending struct{ Dir string }

// Desk returns the desk of what a session left.
func (p Pending) Desk(session string) Desk { return Desk{filepath.Join(p.Dir, session)} }

// lockWait is how long a hook waits for a lock before it does without.
const lockWait = 100 * time.Millisecond

// lock takes the one lock over all pending work.
func (p Pending) lock() (*disk.Lock, error) {
	if err := disk.Private(p.Dir); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return disk.Exclusive(ctx, filepath.Join(p.Dir, ".lock"))
}

// locked calls do with the lock over all pending work.
func (p Pending) locked(do func() error) error {
	lock, err := p.lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return do()
}

// Add merges one context into what a session left.
func (p Pending) Add(session string, c Context) error {
	return p.locked(func() error { return p.Desk(session).Put(c) })
}

// Draft keeps a draft beside a session's pending contexts. Its secrets must be redacted already: a draft is
// JSON, and has to stay so.
func (p Pending) Draft(session, name string, data []byte) error {
	return p.locked(func() error { return p.Desk(session).Write(name, data) })
}

// Take moves a desk's contexts and drafts to pending. Nothing leaves the desk before its copy is on disk. A
// desk without work leaves nothing behind.
func (p Pending) Take(session string, from Desk) error {
	names, err := from.Files()
	if err != nil || !slices.ContainsFunc(names, IsWork) {
		return err
	}
	return p.locked(func() error {
		if err := move(from, p.Desk(session)); err != nil {
			return err
		}
		aside := slices.DeleteFunc(names, func(n string) bool { return !IsVerify(n) })
		_, err = from.Remove(append(aside, TriageName, PlanName, PendingName)...)
		if err == nil {
			_ = os.Remove(from.Dir) // only when empty; anything else on it isn't ours
		}
		return err
	})
}

// Waiting lists the categories that wait, by session.
func (p Pending) Waiting() (map[string][]memory.Category, error) {
	left, err := Desks(p.Dir)
	waiting := map[string][]memory.Category{}
	for _, desk := range left {
		for _, c := range memory.Categories() {
			if desk.has(ContextName(c)) || desk.has(IntentName(c)) {
				waiting[desk.session()] = append(waiting[desk.session()], c)
			}
		}
	}
	return waiting, err
}

func (d Desk) has(name string) bool {
	fi, err := os.Lstat(filepath.Join(d.Dir, name))
	return err == nil && fi.Mode().IsRegular()
}

// Claim moves all that waits onto a session's desk, where it is merged with what lies there, and returns the
// sessions it came from. What was refused before stays listed, now with the session that claims. Two claims
// at once can't get the same work.
func (p Pending) Claim(to Desk) ([]string, error) {
	waiting, err := p.Waiting()
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	lock, err := p.lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	if err := to.Make(); err != nil {
		return nil, err
	}
	own := p.Desk(to.session())
	var claimed []string
	var errs []error
	for s, cats := range waiting {
		from := p.Desk(s)
		err := move(from, to)
		if err == nil {
			err = retry(from, own, cats)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		_ = os.Remove(from.Dir)
		claimed = append(claimed, s)
	}
	slices.Sort(claimed)
	return claimed, errors.Join(errs...)
}

// move carries work from one desk to another: contexts are merged, and a draft whose name is taken gets a
// name beside it, so that neither is lost.
func move(from, to Desk) error {
	names, err := from.Files()
	if err != nil {
		return err
	}
	for _, n := range names {
		if !IsWork(n) {
			continue
		}
		b, err := from.Read(n)
		if err != nil {
			return fmt.Errorf("stage: %s: %w", filepath.Join(from.Dir, n), err)
		}
		c, perr := ParseContext(b)
		switch {
		case n == MomentsName:
			var said []Moment
			if said, err = parseMoments(b); err == nil {
				err = to.Note(said...)
			}
		case perr == nil && n == c.Name():
			err = to.Put(c)
		case to.has(n):
			err = to.Write(free(to, n), b)
		default:
			err = to.Write(n, b)
		}
		if err != nil {
			return err
		}
		if _, err := from.Remove(n); err != nil {
			return err
		}
	}
	return nil
}

// free finds a name beside n that is not taken: intent-decision.2.json.
func free(d Desk, n string) string {
	ext := filepath.Ext(n)
	for i := 2; ; i++ {
		if alt := fmt.Sprintf("%s.%d%s", n[:len(n)-len(ext)], i, ext); !d.has(alt) {
			return alt
		}
	}
}
