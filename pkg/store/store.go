// Package store reads a project's memories and is the only code that writes
// them. A store is a directory of files that people may read, copy, edit and
// commit:
//
//	<root>/<folder>/<id>.json   records, see package memory
//	<root>/index.md             one line per active record, derived
//	<root>/.lock                locked while a plan is applied
//	<root>/.redo.json           a plan that is being applied, see below
//	<root>/.redo.json.begun     files are being written for a plan
//	<root>/.history/            every plan that was applied
//	<root>/.gitignore           keeps the last four out of the project's history
//
// A plan is applied under the lock, in this order. Its guards are checked. Every new file is written beside
// its place. The redo log, with the bytes of each file before and after, is made durable. The files get their
// names. index.md and the search index are updated. The log is moved to .history/<UTC stamp>-<first 12 of the
// plan's digest>.json. A process that is killed before the log is durable has changed nothing; if it is
// killed later, the next process finishes the plan. The overwritten version of a record can be brought back
// from .history; Options.Keep says how long it is kept there.
//
// The store checks every edit, under the lock, against the rules of package memory for changes to a record.
//
// A bad file costs only its own record: it is reported and never overwritten. A file of a newer Keepsake is
// left untouched. A missing folder, index or derived file counts as empty.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/memory"
)

// Errors that a caller acts on. The error that wraps them names the path.
var (
	// ErrConflict: a file is not as it was when the plan was made. Plan again.
	ErrConflict = errors.New("changed since the plan was made")
	// ErrExists: something is at the path of a new file. Plan again.
	ErrExists = errors.New("is in the way of a new file")
	// ErrUnfinished: the plan is logged but could not be finished. The next to open the store finishes it.
	ErrUnfinished = errors.New("is saved but not yet in place")
	// ErrByHand: a file of a plan that was cut short or is being finished is neither as it was before nor as
	// the plan makes it. It stays as it is, and the rest of the plan is in place.
	ErrByHand = errors.New("changed by another hand while a save was under way")
	// ErrReadOnly: a file that a plan changes is write-protected. Nothing was written.
	ErrReadOnly = errors.New("is read-only")
	// ErrStopped: the caller's context ended before anything was written.
	ErrStopped = errors.New("was stopped before anything was written")
)

const (
	lockName    = ".lock"
	redoName    = ".redo.json"
	begunName   = redoName + ".begun" // .gitignore has all that begins like this
	historyName = ".history"
	indexName   = "index.md"
	ignoreName  = ".gitignore"

	recordLimit = memory.MaxBytes
	redoLimit   = 256 * memory.MaxBytes // bytes of a redo log

	recordMode  = 0o644 // records are part of the project, like its other files
	privateMode = 0o600 // lock, log and cache are this user's
)

// Options of a store. The zero value reads and writes without a search index.
type Options struct {
	// Derive makes the search index of the records of all statuses; nil for no index.
	Derive Deriver
	// Cache is the path of the search index, "" for none; two more files have names that begin with it. When
	// the form of the index changes, the path must too, so that two versions can run side by side.
	Cache string
	// Budget is how long one call may read records that are new to the search index. The next call reads the
	// rest; 0 is no limit.
	Budget time.Duration
	// LockWait limits how long a writer waits for another process; 0 means 10
	// seconds. Readers never wait longer than 100 ms.
	LockWait time.Duration
	// Checkout is a folder in which related files are looked for besides the one that holds .claude: the
	// worktree that uses a shared store.
	Checkout string
	// Keep says how much of .history is kept.
	Keep Keep
	// Writable returns why nothing may be written at the root, which may not exist yet; nil means that it is
	// not asked.
	Writable func() error
	// Private reports whether a new store ignores itself; nil means that it does not.
	Private func() bool
	// Tell is called once with each part of an interrupted plan that could not be put in place, since whoever
	// finishes the plan may only be reading. It may be nil.
	Tell func(Bad)
}

// Store is the memories of one project, or a directory of Markdown files. It may be used by several
// goroutines.
type Store struct {
	root string
	own  string // holds our own files except index.md and .gitignore
	kind kind
	opt  Options
	step func(string) error // tests set it to stop before a step of Apply
}

// Open returns the store of records at root. A missing folder is an empty store. Opening touches nothing.
func Open(root string, o Options) *Store {
	if o.LockWait <= 0 {
		o.LockWait = 10 * time.Second
	}
	if o.Writable == nil {
		o.Writable = func() error { return nil }
	}
	if o.Tell == nil {
		o.Tell = func(Bad) {}
	}
	return &Store{root: root, own: root, kind: recordKind, opt: o, step: func(string) error { return nil }}
}

// file returns the path of a name below the root.
func (s *Store) file(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// ownFile returns the path of one of our own files.
func (s *Store) ownFile(name string) string { return filepath.Join(s.own, filepath.FromSlash(name)) }

// exists reports whether the root exists. A root that is a link is an error: a project that somebody else
// wrote could lead us out of itself with it.
func (s *Store) exists() (bool, error) {
	info, err := os.Lstat(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	if !info.IsDir() {
		return false, fmt.Errorf("store: %s: is not a directory; hint: a link is not followed here", s.root)
	}
	return true, nil
}

// inUse reports whether there is a redo log: a plan is being applied, or was cut short.
func (s *Store) inUse() bool {
	_, err := os.Lstat(s.ownFile(redoName))
	return err == nil
}
