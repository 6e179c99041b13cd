package promote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/candidate"
)

// hands are what run works with.
type hands struct {
	Keeper tiers.Keeper
	Dir    string   // of the journals; made if it is missing
	Shown  []string // paths of the similar drawers that the person was shown
	Anyway bool     // the person wants it written even if similar drawers exist
	// Settle records that the back end stored drawers with these ids. It may be called again after a
	// crash, with the same ids.
	Settle func(ids []string) error
	// Register notes the drawers with the memories that say the same.
	Register Register
	Notes    tiers.Scratch
	Box      candidate.Box
	Now      time.Time
	// Warn is called with what failed after the drawers were written, such as a note that could not be
	// marked. The promotion goes on.
	Warn func(error)

	step func(name string) error // called before each step; set by tests
}

// A Result is what a promotion wrote.
type Result struct {
	IDs     [][]string // of each item, as the back end named them
	Existed []bool     // whether the drawer was there already
}

// A Near is the error of a promotion that was not written, because similar drawers exist that the person
// was not shown.
type Near struct{ Hits []tiers.Hit }

func (n *Near) Error() string {
	var names []string
	for _, h := range n.Hits[:min(3, len(n.Hits))] {
		names = append(names, h.Path)
	}
	return "nothing was written: nearly the same is kept already, in " + strings.Join(names, ", ")
}

// maxNear is how many similar drawers are looked for, per item.
const maxNear = 3

// Near returns the stored drawers that say nearly the same as the promotion, without the promotion's own.
func (p Promotion) Near(ctx context.Context, k tiers.Keeper) ([]tiers.Hit, error) {
	var all []tiers.Hit
	for _, d := range p.Drawers() {
		hits, err := k.Near(ctx, d.Text, maxNear)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			here := d.Wing + "/" + d.Room + "/"
			// a back end has ids of its own
			same := h.Path == here+d.ID() || h.Whole == d.Text && strings.HasPrefix(h.Path, here)
			if !same && !slices.ContainsFunc(all, func(is tiers.Hit) bool { return is.Path == h.Path }) {
				all = append(all, h)
			}
		}
	}
	return all, nil
}

// The phases of a journal.
const (
	writing = "writing" // approved, and perhaps written in part
	written = "written" // all drawers are written; their notes and candidates may not be marked yet
)

// journal is how far a promotion has come.
type journal struct {
	Version int        `json:"version"`
	Phase   string     `json:"phase"`
	Started time.Time  `json:"started"`
	IDs     [][]string `json:"ids,omitempty"`
}

const version = 1

// lockWait is how long a promotion waits for another of the project.
const lockWait = 30 * time.Second

// run is Desk.Run with all that it needs in h.
func run(ctx context.Context, h hands, p Promotion) (r Result, err error) {
	if err := disk.Private(h.Dir); err != nil {
		return r, err
	}
	waiting, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	lock, err := disk.Exclusive(waiting, filepath.Join(h.Dir, "lock"))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()

	path := journalOf(h.Dir, p)
	j, err := read(path)
	if err != nil {
		return r, err
	}
	if j.Phase == "" {
		if err := h.before("near"); err != nil {
			return r, err
		}
		if err := h.compared(ctx, p); err != nil {
			return r, err
		}
		j = journal{Version: version, Phase: writing, Started: h.Now.UTC().Truncate(time.Second)}
		if err := h.save("intent", path, j); err != nil {
			return r, err
		}
	}
	ctx = context.WithoutCancel(ctx) // from here on it is quicker to finish than to mend
	if j.Phase == writing {
		for i, d := range p.Drawers() {
			if err := h.before(fmt.Sprint("add ", i)); err != nil {
				return r, err
			}
			d.Filed = j.Started
			ids, existed, err := h.Keeper.Add(ctx, d)
			if err != nil {
				return r, err
			}
			r.IDs, r.Existed = append(r.IDs, ids), append(r.Existed, existed)
		}
		j.Phase, j.IDs = written, r.IDs
		if err := h.save("written", path, j); err != nil {
			return r, err
		}
	} else {
		r.IDs, r.Existed = j.IDs, make([]bool, len(j.IDs))
	}
	if len(r.IDs) != len(p.Items) {
		return r, fmt.Errorf("%s: it names %d drawers, and the promotion has %d; hint: "+
			"delete the file", path, len(r.IDs), len(p.Items))
	}
	if err := h.before("settle"); err != nil {
		return r, err
	}
	if err := h.Settle(slices.Concat(r.IDs...)); err != nil {
		return r, err
	}
	if err := h.before("register"); err != nil {
		return r, err
	}
	var kept []Kept
	for i, item := range p.Items {
		kept = append(kept, Kept{Path: at(item.Drawer, r.IDs[i]), IDs: r.IDs[i], Backend: p.Backend,
			Records: item.Records, At: j.Started})
	}
	if err := h.Register.Put(ctx, kept...); err != nil {
		h.Warn(fmt.Errorf("written, but the register does not say which memory it belongs to: %w", err))
	}
	for i, item := range p.Items {
		if err := h.mark(ctx, item, j.Started, r.IDs[i]); err != nil {
			return r, err
		}
	}
	if err := h.before("done"); err != nil {
		return r, err
	}
	return r, errors.Join(disk.Remove(foundOf(h.Dir, p)), disk.Remove(path))
}

// unfinished reports whether a promotion was cut off, so that running it again finishes it.
func unfinished(dir string, p Promotion) bool {
	j, err := read(journalOf(dir, p))
	return err == nil && j.Phase != ""
}

// compared returns a *Near if similar drawers exist that the person was not shown. It stores them for
// lately.
func (h hands) compared(ctx context.Context, p Promotion) error {
	if h.Anyway {
		return nil
	}
	hits, err := p.Near(ctx, h.Keeper)
	if err != nil {
		return err
	}
	hits = slices.DeleteFunc(hits, func(hit tiers.Hit) bool { return slices.Contains(h.Shown, hit.Path) })
	if len(hits) == 0 {
		return nil
	}
	b, err := json.Marshal(found{version, h.Now.UTC().Truncate(time.Second), hits})
	if err == nil {
		err = disk.Write(foundOf(h.Dir, p), append(b, '\n'), 0o600)
	}
	return errors.Join(&Near{hits}, err)
}

// found is a file with the similar drawers that a run met and that the person was not shown.
type found struct {
	Version int         `json:"version"`
	Time    time.Time   `json:"time"`
	Near    []tiers.Hit `json:"near"`
}

// foundFor is how long a found file counts: as long as an approval.
const foundFor = 15 * time.Minute

// lately returns the similar drawers that the last run of a promotion met, for the person who is asked
// again: comparing can take longer than a dialog may wait. It returns nil if that run is more than
// foundFor ago.
func lately(dir string, p Promotion, now time.Time) []tiers.Hit {
	var f found
	b, err := disk.Read(foundOf(dir, p), maxJournal)
	if err != nil || json.Unmarshal(b, &f) != nil || f.Version != version || now.Sub(f.Time) > foundFor {
		return nil
	}
	return f.Near
}

func foundOf(dir string, p Promotion) string { return filepath.Join(dir, p.Digest()+".near.json") }

// mark marks an item's notes as promoted, and answers the candidates whose text is in it.
func (h hands) mark(ctx context.Context, item Item, at time.Time, ids []string) error {
	for i, n := range item.Notes {
		if err := h.before(fmt.Sprintf("mark %s %d", item.ID, i)); err != nil {
			return err
		}
		done, err := h.Notes.Mark(ctx, n, at, ids)
		switch {
		case err != nil:
			h.Warn(fmt.Errorf("%s is written, and its note could not be marked: %w", n.ID(), err))
		case !done:
			h.Warn(fmt.Errorf("%s is written, and its note was not marked: it has another text by now",
				n.ID()))
		}
	}
	answered, err := said(h.Box, item.Drawer.Text)
	if err != nil {
		h.Warn(fmt.Errorf("the inbox could not be looked at: %w", err))
	}
	if item.Candidate != "" && !slices.Contains(answered, item.Candidate) { // one that was rejected before
		answered = append(answered, item.Candidate)
	}
	for _, id := range answered {
		if err := h.before("answer " + id); err != nil {
			return err
		}
		if _, err := h.Box.Mark(id, candidate.Promoted, at, ids...); err != nil {
			h.Warn(fmt.Errorf("%s is written, and could not be taken off the inbox: %w", id, err))
		}
	}
	return nil
}

// said returns the ids of the open candidates whose whole text occurs in a text.
func said(box candidate.Box, text string) (ids []string, err error) {
	all, err := box.All()
	for _, c := range all {
		if c.Open() && strings.Contains(text, clean(c.Text)) {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

func (h hands) save(name, path string, j journal) error {
	if err := h.before(name); err != nil {
		return err
	}
	b, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return disk.Write(path, append(b, '\n'), 0o600)
}

func (h hands) before(name string) error {
	if h.step == nil {
		return nil
	}
	return h.step(name)
}

func journalOf(dir string, p Promotion) string { return filepath.Join(dir, p.Digest()+".json") }

// maxJournal bounds a journal, in bytes.
const maxJournal = 1 << 20

// read returns the journal at path. If there is none, it returns a journal without a phase.
func read(path string) (j journal, err error) {
	b, err := disk.Read(path, maxJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, nil
	case err != nil:
		return j, err
	}
	if err := json.Unmarshal(b, &j); err != nil || j.Version != version || j.Phase != writing &&
		j.Phase != written {
		return j, fmt.Errorf("%s: no journal of version %d; hint: remove it, writing the same again is safe",
			path, version)
	}
	return j, nil
}
