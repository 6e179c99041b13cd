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

// A kind is what differs between a store of records and one of Markdown files.
type kind struct {
	check   func(path string) error // says whether a path is that of one of its files
	limit   int64                   // bytes of a file
	mode    fs.FileMode             // of a new file, less the umask; one that is there gets no more
	emptied bool                    // a folder that becomes empty goes
	// indexed says that index.md and .gitignore are kept beside the files.
	indexed bool

	// made holds what an edit makes against the form of its files, and returns the
	// record that it is, if it is one.
	made func(e plan.Edit) (memory.Stored, error)
	// blocks says why what stands at the path of a new file stays there; nil for what
	// is to be set aside.
	blocks func(path string, there []byte, now time.Time) error
	// rules holds an edit whose guard is met, and what it makes, against what there is.
	rules func(s *Store, e plan.Edit, there []byte, next memory.Record) error

	// temp begins the name that a file has while it is written, a number ends it.
	temp func(name string) string
	// leftover tells such a name.
	leftover func(name string) bool
	// folders are those below the root where such a file can be.
	folders func(root string) []string
}

var records = kind{
	check: plan.CheckRecord, limit: memory.MaxBytes, mode: recordMode, indexed: true,
	made: madeRecord, blocks: blocksRecord, rules: (*Store).checkRules,
	temp: func(name string) string { return "." + name }, leftover: leftover, folders: recordFolders,
}

var markdown = kind{
	check: plan.CheckMarkdown, limit: markdownLimit, mode: markdownMode, emptied: true,
	made: madeMarkdown, rules: func(*Store, plan.Edit, []byte, memory.Record) error { return nil },
	blocks: func(path string, _ []byte, _ time.Time) error {
		return fmt.Errorf("store: %s: %w", path, ErrExists)
	},
	temp: func(string) string { return markdownTemp }, leftover: markdownLeftover, folders: markdownFolders,
}

// madeRecord lets only records into the store, each at its own place.
func madeRecord(e plan.Edit) (memory.Stored, error) {
	r, err := parse(e.Path, e.After)
	if err == nil && e.Verb != plan.Revert { // what comes back is what was there, whoever wrote it
		err = r.Validate()
	}
	return r, err
}

// blocksRecord lets what can be read stand, and what cannot only where somebody may
// read it yet.
func blocksRecord(path string, there []byte, now time.Time) error {
	old, err := parse(path, there)
	switch {
	case errors.Is(err, memory.ErrNewer), errors.Is(err, memory.ErrMarkers):
		return errors.Join(fmt.Errorf("store: %s: %w", path, ErrExists), err)
	case err == nil:
		return fmt.Errorf("store: %s: %w: %w", path, ErrExists, memory.CheckCreate(old.Record, now))
	}
	return nil
}

func recordFolders(root string) (dirs []string) {
	for _, c := range memory.Categories() {
		dirs = append(dirs, filepath.Join(root, c.Folder()))
	}
	return dirs
}

const (
	markdownLimit = 512 << 10
	markdownMode  = 0o666 // as the client makes them: the umask decides

	// A name of its own, so that the longest name of a file has one too, that nobody
	// takes for a memory, and that is nobody else's.
	markdownTemp = ".keepsake-writes-"
)

// modeOf is the mode that a file gets which has, or had, these permissions; 0: nobody
// knows of any.
func (k kind) modeOf(perm fs.FileMode) fs.FileMode {
	if perm == 0 {
		return k.mode
	}
	return perm & k.mode
}

func madeMarkdown(plan.Edit) (memory.Stored, error) { return memory.Stored{}, nil }

func markdownLeftover(name string) bool {
	number, ok := strings.CutPrefix(name, markdownTemp)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// markdownFolders are all folders that a plan may write to.
func markdownFolders(root string) (dirs []string) {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if rel, _ := filepath.Rel(root, path); rel != "." &&
			plan.CheckMarkdown(filepath.ToSlash(rel)+"/x.md") != nil {
			return fs.SkipDir
		}
		dirs = append(dirs, path)
		return nil
	})
	return dirs
}

// OpenNotes returns a store of the Markdown files of dir, which need not exist. Plans
// are applied and taken back as those of records are, by Apply, History and Undo, but
// the files are taken as they are: there is no index and no rule, and so no Load. What
// is ours, the lock, the log and the history, lies in the folder own and not in dir,
// which belongs to others. A folder that a plan leaves empty goes.
//
// Others write to dir at any time without our lock. A file that is not what the plan
// knows is never written over: see ErrConflict and ErrByHand.
func OpenNotes(dir, own string, o Options) *Store {
	s := Open(dir, o)
	s.own, s.kind = own, markdown
	s.opt.Derive, s.opt.Cache = nil, ""
	return s
}
