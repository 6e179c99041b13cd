package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// checkRules checks an edit whose guard holds, and what it makes, against the rules for the record there. It
// is called under the lock for every plan, even one made by hand.
func (s *Store) checkRules(e plan.Edit, there func() (memory.Record, error), next memory.Record) error {
	if e.Verb == plan.Create || e.Verb == plan.Revert {
		return nil // checkReverts guards it
	}
	old, err := there()
	if err != nil {
		return err // a guard can hold for something that is no record
	}
	if e.Verb == plan.Delete {
		return memory.CheckDelete(old)
	}
	switch e.Verb {
	case plan.Retire:
		return memory.CheckMove(memory.CodeRetire, old, next, memory.Retired, s.InProject,
			memory.Active)
	case plan.Archive: // gc archives a retired record
		return memory.CheckMove(memory.CodeArchive, old, next, memory.Archived, s.InProject,
			memory.Active, memory.Retired)
	case plan.Unarchive:
		return memory.CheckMove(memory.CodeUnarchive, old, next, memory.Active, s.InProject,
			memory.Archived)
	case plan.Restore:
		return memory.CheckMove(memory.CodeRestore, old, next, memory.Active, s.InProject,
			memory.Retired)
	}
	return memory.CheckUpdate(old, next, s.InProject)
}

// InProject reports whether a related file still exists. Its path is relative to the project whose
// .claude/memory the store is. If that cannot be told, it reports true.
func (s *Store) InProject(file string) bool {
	if filepath.IsAbs(file) {
		return isThere(file)
	}
	return isThere(filepath.Join(s.root, "..", "..", file)) || s.opt.Checkout != "" &&
		isThere(filepath.Join(s.opt.Checkout, file))
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
