package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Apply makes the edits of a plan, all or none. It waits for the lock until ctx
// ends or Options.LockWait is over. A guard that does not hold is ErrConflict or
// ErrExists, a change that a record's rules do not allow is a *memory.Refusal, and
// nothing was written; ErrUnfinished says that the plan is logged
// and will be finished by the next call. A corrupt record in the way of a new
// one is set aside as <name>.json.invalid.<unix>; a link, pipe or directory, and
// what a newer version wrote, is in the way and stays.
func (s *Store) Apply(ctx context.Context, p plan.Plan) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, e := range p.Edits {
		if err := checkAfter(e); err != nil {
			return fmt.Errorf("store: %s: %w", e.Path, err)
		}
	}
	if len(p.Edits) == 0 {
		return nil
	}
	if _, err := s.exists(); err != nil {
		return err
	}
	if err := disk.MakeDir(s.root, 0o755); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	l, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Unlock()
	if err := s.step("recover"); err != nil {
		return err
	}
	if _, err := s.recover(); err != nil {
		return err
	}
	return s.applyLocked(p)
}

// checkAfter lets only records into the store, each at its own place.
func checkAfter(e plan.Edit) error {
	if e.Deletes() {
		return nil
	}
	if len(e.After) > recordLimit {
		return fmt.Errorf("has %d bytes, more than the %d of a record", len(e.After), recordLimit)
	}
	r, err := parse(e.Path, e.After)
	if err != nil || e.Verb == plan.Revert {
		return err // what comes back is what was there, whoever wrote it
	}
	return r.Validate()
}

func (s *Store) applyLocked(p plan.Plan) (err error) {
	if err := s.step("guards"); err != nil {
		return err
	}
	before, corrupt, err := s.checkGuards(p)
	if err != nil {
		return err
	}
	if err := s.step("prepare"); err != nil {
		return err
	}
	s.sweep()
	if err := s.ignore(); err != nil {
		return err
	}
	for _, path := range corrupt {
		if _, err := s.setAside(path); err != nil {
			return err
		}
	}
	basis := s.basis()
	defer basis.Close()
	pending, err := s.prepare(p, basis)
	defer func() {
		for _, f := range pending {
			f.Discard() // what is in place already is left alone
		}
	}()
	if err != nil {
		return err
	}
	if err := s.step("log"); err != nil {
		return err
	}
	log := newRedo(p, before, time.Now())
	b, err := log.encode()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := disk.Write(s.file(redoName), b, privateMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := s.commit(pending, log.Digest, func() { s.refresh(basis.state, p) }); err != nil {
		return fmt.Errorf("store: the plan %w: %w; hint: the next command finishes it", ErrUnfinished, err)
	}
	return nil
}

// checkGuards holds every edit against what is there. It returns the files as
// they are, and the corrupt records that stand where new ones go.
func (s *Store) checkGuards(p plan.Plan) (before map[string][]byte, corrupt []string, err error) {
	before = make(map[string][]byte, len(p.Edits))
	now := time.Now()
	var trouble []error
	for _, e := range p.Edits {
		if err := s.checkFolder(e.Path); err != nil {
			return nil, nil, err
		}
		b, err := disk.Read(s.file(e.Path), recordLimit)
		absent := errors.Is(err, fs.ErrNotExist)
		switch {
		case e.Before == "" && absent:
		case e.Before == "" && err != nil:
			trouble = append(trouble, fmt.Errorf("store: %s: %w: %w", e.Path, ErrExists, err))
			continue
		case e.Before == "":
			old, err := parse(e.Path, b)
			switch {
			case errors.Is(err, memory.ErrNewer), errors.Is(err, memory.ErrMarkers):
				trouble = append(trouble, errors.Join(fmt.Errorf("store: %s: %w", e.Path, ErrExists), err))
			case err == nil:
				trouble = append(trouble, fmt.Errorf("store: %s: %w: %w", e.Path, ErrExists, memory.CheckCreate(old.Record, now)))
			default:
				corrupt = append(corrupt, e.Path)
			}
			continue
		case absent:
			trouble = append(trouble, fmt.Errorf("store: %s: %w: it is gone", e.Path, ErrConflict))
			continue
		case err != nil:
			return nil, nil, fmt.Errorf("store: %w", err)
		case plan.DigestOf(b) != e.Before:
			trouble = append(trouble, fmt.Errorf("store: %s: %w", e.Path, ErrConflict))
			continue
		default:
			before[e.Path] = b
		}
		if err := s.checkRules(e, b); err != nil {
			trouble = append(trouble, fmt.Errorf("store: %s: %w", e.Path, err))
		}
	}
	if len(trouble) == 0 {
		trouble = append(trouble, s.checkReverts(p, before))
	}
	return before, corrupt, errors.Join(trouble...)
}

// change is one file that waits for its name, or to be taken away.
type change interface {
	Commit() error
	Discard() error
}

// removal is a file that is to go.
type removal string

func (r removal) Commit() error { return disk.Remove(string(r)) }
func (removal) Discard() error  { return nil }

// prepare writes all files beside their places, index.md last. The caller
// discards what is returned, also with an error.
func (s *Store) prepare(p plan.Plan, before basis) (pending []change, err error) {
	var made []memory.Stored
	for _, e := range p.Edits {
		if e.Deletes() {
			pending = append(pending, removal(s.file(e.Path)))
			continue
		}
		if err := s.makeFolder(e.Path); err != nil {
			return pending, err
		}
		f, err := disk.Prepare(s.file(e.Path), e.After, recordMode)
		if err != nil {
			return pending, fmt.Errorf("store: %w", err)
		}
		pending = append(pending, f)
		r, err := parse(e.Path, e.After)
		if err != nil {
			return pending, fmt.Errorf("store: %s: %w", e.Path, err)
		}
		made = append(made, r)
	}
	f, err := disk.Prepare(s.file(indexName), before.next(s, p, made), recordMode)
	if err != nil {
		return pending, fmt.Errorf("store: %w", err)
	}
	return append(pending, f), nil
}

// commit puts everything in place and drops the log.
func (s *Store) commit(pending []change, digest string, derive func()) error {
	for i, f := range pending {
		if err := s.step(fmt.Sprintf("file %d", i)); err != nil {
			return err
		}
		if err := f.Commit(); err != nil {
			return err
		}
	}
	if err := s.step("derive"); err != nil {
		return err
	}
	derive()
	if err := s.step("drop"); err != nil {
		return err
	}
	if err := s.dropRedo(digest); err != nil {
		return err
	}
	return s.step("done")
}

// makeFolder makes the folder of a record.
func (s *Store) makeFolder(path string) error {
	if err := disk.MakeDir(filepath.Dir(s.file(path)), 0o755); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// sweep removes what a killed process left beside its files. The lock is held,
// so no other process is writing them.
func (s *Store) sweep() {
	dirs := []string{s.root}
	for _, c := range memory.Categories() {
		dirs = append(dirs, s.file(c.Folder()))
	}
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if leftover(e.Name()) {
				os.Remove(filepath.Join(dir, e.Name())) // a leftover that stays harms nothing
			}
		}
	}
}

// leftover says whether name is that of a file that was being written: a dot,
// the name of one of our files, and a random number.
func leftover(name string) bool {
	bare := strings.TrimRight(name, "0123456789")
	if bare == name || !strings.HasPrefix(bare, ".") {
		return false
	}
	return strings.HasSuffix(bare, ".json") || bare == "."+indexName || bare == "."+ignoreName
}

// ignore keeps our own files out of the project's version control, unless
// somebody has already said what to ignore.
func (s *Store) ignore() error {
	path := s.file(ignoreName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	text := "# Keepsake's own files: of this checkout only.\n" + lockName + "\n" + redoName + "*\n" + historyName + "/\n"
	if err := disk.Write(path, []byte(text), recordMode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}
