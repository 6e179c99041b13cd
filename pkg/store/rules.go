package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// checkRules holds an edit whose guard is met, and what it makes, against the
// rules of what there is. It is asked under the lock, of every plan: one that was
// made by hand too.
func (s *Store) checkRules(e plan.Edit, before []byte, next memory.Record) error {
	if e.Verb == plan.Create || e.Verb == plan.Revert {
		return nil // guarded by their own; see checkReverts
	}
	old, err := parse(e.Path, before)
	if err != nil {
		return err // a guard can be met by what is no record
	}
	if e.Verb == plan.Delete {
		return memory.CheckDelete(old.Record)
	}
	switch e.Verb {
	case plan.Retire:
		return memory.CheckMove(memory.CodeRetire, old.Record, next, memory.Retired, s.InProject,
			memory.Active)
	case plan.Archive: // gc archives what is retired
		return memory.CheckMove(memory.CodeArchive, old.Record, next, memory.Archived, s.InProject,
			memory.Active, memory.Retired)
	case plan.Unarchive:
		return memory.CheckMove(memory.CodeUnarchive, old.Record, next, memory.Active, s.InProject,
			memory.Archived)
	case plan.Restore:
		return memory.CheckMove(memory.CodeRestore, old.Record, next, memory.Active, s.InProject,
			memory.Retired)
	}
	return memory.CheckUpdate(old.Record, next, s.InProject)
}

// InProject says whether a related file is still there. Related files are
// relative to the project, whose .claude/memory the store is. What cannot be
// told is taken to be there.
func (s *Store) InProject(file string) bool {
	if filepath.IsAbs(file) {
		return there(file)
	}
	return there(filepath.Join(s.root, "..", "..", file)) || s.opt.Checkout != "" &&
		there(filepath.Join(s.opt.Checkout, file))
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
