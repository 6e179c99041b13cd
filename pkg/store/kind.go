package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// A kind is the difference between a store of records and one of Markdown files.
type kind struct {
	check func(path string) error // returns an error unless a path can be one of its files
	limit int64                   // bytes of a file
	deep  int                     // how many elements at the end of the root's path must not be links
	// of a new file, less the umask; an existing file keeps its own, less what this lacks
	mode    fs.FileMode
	emptied bool // empty folders are removed
	timed   bool // a file keeps the time that its edit says; see plan.Edit.Modified
	// indexed reports whether index.md and .gitignore are kept beside the files.
	indexed bool

	// made checks the form of the file that an edit makes, and returns the record in it, if it is one.
	made func(e plan.Edit) (memory.Stored, error)
	// blocks returns why the file at the path of a new one must stay; nil if it is to be set aside.
	blocks func(path string, there []byte, now time.Time) error
	// rules checks an edit whose guard holds, and what it makes, against the record there.
	rules func(s *Store, e plan.Edit, there func() (memory.Record, error), next memory.Record) error

	// locked reports whether whoever owns a file of this mode wants it to stay as it is; nil for never.
	locked func(mode fs.FileMode) bool

	// temp returns how the name of a file begins while it is being written; a number follows.
	temp func(name string) string
	// leftover reports whether name is such a name.
	leftover func(name string) bool
	// folders returns the folders in which such a file can be, as paths below the root.
	folders func(root string) []string
}

var recordKind = kind{
	check: plan.CheckRecord, limit: memory.MaxBytes, deep: 2, mode: recordMode, indexed: true,
	made: madeRecord, blocks: blocksRecord, rules: (*Store).checkRules,
	temp: func(name string) string { return "." + name }, leftover: leftover, folders: recordFolders,
}

var markdown = kind{
	check: plan.CheckMarkdown, limit: markdownLimit, deep: 1, mode: markdownMode, emptied: true, timed: true,
	made: madeMarkdown, rules: noRules, locked: isReadOnly,
	blocks: func(path string, _ []byte, _ time.Time) error {
		return fmt.Errorf("store: %s: %w", path, ErrExists)
	},
	temp: func(string) string { return markdownTemp }, leftover: markdownLeftover, folders: markdownFolders,
}

// madeRecord returns the record that an edit makes, or an error if it is not one or not at its own place.
func madeRecord(e plan.Edit) (memory.Stored, error) {
	r, err := parseRecord(e.Path, e.After)
	if err == nil && e.Verb != plan.Revert { // a revert brings back what was there, whoever wrote it
		err = r.Validate()
	}
	return r, err
}

// blocksRecord returns an error for a record that can be read here, that a newer version can read, or that
// waits for a person to settle a merge.
func blocksRecord(path string, there []byte, now time.Time) error {
	old, err := parseRecord(path, there)
	switch {
	case errors.Is(err, memory.ErrNewer), errors.Is(err, memory.ErrMarkers):
		return errors.Join(fmt.Errorf("store: %s: %w", path, ErrExists), err)
	case err == nil:
		return fmt.Errorf("store: %s: %w: %w", path, ErrExists, memory.CheckCreate(old.Record, now))
	}
	return nil
}

func recordFolders(string) (dirs []string) {
	for _, c := range memory.Categories() {
		dirs = append(dirs, c.Folder())
	}
	return dirs
}

const (
	markdownLimit = 512 << 10
	markdownMode  = 0o666 // as the client makes them: the umask decides

	// A prefix of our own that fits the longest file name and that nobody takes for a memory.
	markdownTemp = ".keepsake-writes-"
)

// modeOf returns the mode for a file with these present or former permissions; 0 if they are unknown.
func (k kind) modeOf(perm fs.FileMode) fs.FileMode {
	if perm == 0 {
		return k.mode
	}
	return perm & k.mode
}

// timeOf returns the time for a file whose edit says this one.
func (k kind) timeOf(modified time.Time) time.Time {
	if !k.timed {
		return time.Time{}
	}
	return modified
}

// isReadOnly reports whether nobody may write a file. Renaming another one into its place would get around
// that.
func isReadOnly(mode fs.FileMode) bool { return mode.Perm()&0o222 == 0 }

func noRules(*Store, plan.Edit, func() (memory.Record, error), memory.Record) error { return nil }

func madeMarkdown(plan.Edit) (memory.Stored, error) { return memory.Stored{}, nil }

func markdownLeftover(name string) bool {
	number, ok := strings.CutPrefix(name, markdownTemp)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// markdownFolders returns all folders that a plan may write to.
func markdownFolders(root string) (dirs []string) {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		if rel != "." && plan.CheckMarkdown(filepath.ToSlash(rel)+"/x.md") != nil {
			return fs.SkipDir
		}
		dirs = append(dirs, filepath.ToSlash(rel))
		return nil
	})
	return dirs
}

// OpenNotes returns a store of the Markdown files of dir, which need not exist. Apply, History and Undo work
// as with records, but the files may say anything: there are no rules, no index and so no Load. Our own
// files, the lock, the log and the history, lie in the folder own and not in dir, which belongs to others. A
// folder that a plan leaves empty is removed.
//
// Others write to dir at any time without our lock. A file that is not as the plan expects is never
// overwritten: see ErrConflict and ErrByHand.
func OpenNotes(dir, own string, o Options) *Store {
	s := Open(dir, o)
	s.own, s.kind = own, markdown
	s.opt.Derive, s.opt.Cache = nil, ""
	return s
}
