package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Applied is a plan that was applied, with the contents that each file had before.
type Applied struct {
	Digest string    // of the plan
	At     time.Time // when it was applied
	Name   string    // of its file in .history
	Edits  []Done
}

// Done is one edit of an applied plan.
type Done struct {
	plan.Edit
	Old  []byte      // the file before; nil if there was none
	Mode fs.FileMode // its permissions then; 0 if nobody knows
	Was  time.Time   // when it said then that it was last written; the zero time if nobody knows
}

// Undo returns the plan that restores the files as they were before. It conflicts if a file has changed
// since.
func (a Applied) Undo() plan.Plan {
	p := plan.Plan{Version: plan.Version}
	for _, e := range a.Edits {
		if sameFile(e.After, e.Old) && (e.Modified.IsZero() || e.Modified.Equal(e.Was)) {
			continue
		}
		p.Edits = append(p.Edits, plan.Edit{
			Path: e.Path, Verb: plan.Revert, Before: plan.DigestOf(e.After), After: e.Old,
			Category: e.Category, Title: e.Title, Modified: e.Was,
		})
	}
	return p
}

// sameFile reports whether two files are equal or both absent. An empty file is not absent.
func sameFile(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// History calls see with every applied plan that is still kept, the latest first, until see returns false. A
// log that cannot be read is passed to bad, unless that is nil, and skipped.
func (s *Store) History(see func(Applied) bool, bad func(Bad)) error {
	if _, err := s.exists(); err != nil {
		return err
	}
	if _, free := s.settlePlan(); free {
		if l := s.lockShared(); l != nil {
			defer l.Unlock()
		}
	}
	return s.history(see, bad)
}

// history is History without the lock.
func (s *Store) history(see func(Applied) bool, bad func(Bad)) error {
	dir := s.ownFile(historyName)
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		err = errors.New("is not a directory; hint: a link is not followed here")
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return fmt.Errorf("store: %s: %w", dir, err)
	}
	for _, e := range slices.Backward(entries) {
		if _, ok := appliedAt(e.Name()); !ok {
			continue
		}
		a, err := s.readApplied(e.Name())
		if err != nil {
			if bad != nil {
				bad(Bad{historyName + "/" + e.Name(), err})
			}
			continue
		}
		if !see(a) {
			return nil
		}
	}
	return nil
}

// appliedAt parses the time in the name of a log.
func appliedAt(name string) (time.Time, bool) {
	stamp, rest, ok := strings.Cut(name, "-")
	if !ok || !strings.HasSuffix(rest, ".json") {
		return time.Time{}, false
	}
	at, err := time.Parse(historyStamp, stamp)
	return at, err == nil
}

func (s *Store) readApplied(name string) (Applied, error) {
	b, err := disk.Read(filepath.Join(s.ownFile(historyName), name), redoLimit)
	if err != nil {
		return Applied{}, err
	}
	log, err := s.parseRedo(b)
	if err != nil {
		return Applied{}, err
	}
	at, _ := appliedAt(name)
	a := Applied{Digest: log.Digest, At: at, Name: name}
	for i, e := range log.plan().Edits {
		a.Edits = append(a.Edits, Done{e, log.Edits[i].Before, fs.FileMode(log.Edits[i].Mode),
			log.Edits[i].WasModified})
	}
	return a, nil
}

// errNoHistory returns the error for a revert to something that is not in the history.
func errNoHistory() error {
	return &memory.Refusal{Code: memory.CodeUndo, Problem: memory.Problem{
		Field: "after", Expected: "what an earlier plan found there", Got: "what no plan in " + historyName +
			" found",
		Fix: "keepsake records history shows what can be brought back",
	}}
}

// checkReverts lets a file become only what it was before a plan of the history, so that a revert cannot get
// around the rules. found is what is at the paths of the edits; for a file that comes back it gets the former
// permissions.
func (s *Store) checkReverts(p plan.Plan, found []guard) error {
	wanted := make(map[string]int) // index of the edit by path
	for i, e := range p.Edits {
		if e.Verb == plan.Revert {
			wanted[e.Path] = i
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	err := s.history(func(a Applied) bool {
		for _, d := range a.Edits {
			i, ok := wanted[d.Path]
			if !ok || !sameFile(d.After, found[i].before) || !sameFile(d.Old, p.Edits[i].After) {
				continue
			}
			if found[i].before == nil {
				found[i].mode = d.Mode
			}
			delete(wanted, d.Path)
		}
		return len(wanted) > 0
	}, nil)
	errs := []error{err}
	for _, e := range p.Edits {
		if _, ok := wanted[e.Path]; ok && err == nil {
			errs = append(errs, fmt.Errorf("store: %s: %w", e.Path, errNoHistory()))
		}
	}
	return errors.Join(errs...)
}

// Keep bounds .history. A plan is removed if it is older than Age, or if younger ones exceed Count or Bytes.
// A plan younger than Grace is removed only if all exceed MaxBytes. Zero values stand for those of
// DefaultKeep.
type Keep struct {
	Count    int
	Bytes    int64
	Age      time.Duration
	Grace    time.Duration
	MaxBytes int64
}

// DefaultKeep keeps a year, a thousand plans or 64 MiB, whichever is least, but at least the 30 days of
// delete.grace_period_days and at most 256 MiB. A plan of one record has some 5 KB.
func DefaultKeep() Keep {
	const day = 24 * time.Hour
	return Keep{Count: 1000, Bytes: 64 << 20, Age: 365 * day, Grace: 30 * day, MaxBytes: 256 << 20}
}

func (k Keep) withDefaults() Keep {
	d := DefaultKeep()
	if k.Count > 0 {
		d.Count = k.Count
	}
	if k.Bytes > 0 {
		d.Bytes = k.Bytes
	}
	if k.Age > 0 {
		d.Age = k.Age
	}
	if k.Grace > 0 {
		d.Grace = k.Grace
	}
	if k.MaxBytes > 0 {
		d.MaxBytes = k.MaxBytes
	}
	return d
}

// pruneEvery is how many plans are applied between two checks of the history's size.
const pruneEvery = 32

// prune removes the plans that Keep does not keep. The lock is held. Errors are ignored: a plan kept too long
// harms nothing.
func (s *held) prune(now time.Time) {
	dir, err := s.historyDir()
	if err != nil {
		return
	}
	entries, err := dir.List()
	if err != nil {
		return
	}
	k := s.opt.Keep.withDefaults()
	count, size := 0, int64(0)
	for i, e := range slices.Backward(entries) {
		at, ok := appliedAt(e.Name())
		info, err := dir.Lstat(e.Name())
		if !ok || err != nil || !info.Mode().IsRegular() {
			continue // not ours
		}
		count++
		size += info.Size()
		age := now.Sub(at)
		over := age > k.Age || count > k.Count || size > k.Bytes
		// The last plan always stays, so that it can be undone.
		if i < len(entries)-1 && (over && age >= k.Grace || size > k.MaxBytes) {
			dir.Remove(e.Name())
		}
	}
}
