// Package store reads a project's memories and applies plans to them.
package store

import (
	"context"
	"errors"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// Errors that a caller acts on.
var (
	ErrConflict = errors.New("changed since the plan was made")
	ErrExists   = errors.New("is in the way of a new record")
)

// Options of a store. The zero value reads and writes without a derived file.
type Options struct {
	Derive   func([]memory.Stored) []byte // makes the search file
	Cache    string                       // where the search file is; a new format takes a new name
	LockWait time.Duration                // how long to wait for the lock
}

// Store is the memories of one project.
type Store struct {
	root string
	opt  Options
}

// Open returns the store at root, which need not exist. It touches nothing.
func Open(root string, o Options) *Store { return &Store{root, o} }

// Loaded is what a store holds.
type Loaded struct {
	Records []memory.Stored // of all statuses, sorted by path
	Bad     []Bad           // what could not be read, sorted by path
}

// Bad is a file that is no readable record.
type Bad struct {
	Path string // below the root
	Err  error  // wraps memory.ErrNewer, disk.ErrNotRegular, ...
}

// Load reads all records.
func (s *Store) Load() (Loaded, error) { return Loaded{}, nil }

// Read reads one record.
func (s *Store) Read(path string) (memory.Stored, error) {
	return memory.Stored{}, errors.New("being built")
}

// Apply makes the edits of a plan, all or none.
func (s *Store) Apply(ctx context.Context, p plan.Plan) error { return errors.New("being built") }

// Index returns the search file.
func (s *Store) Index() ([]byte, error) { return nil, errors.New("being built") }

// Quarantine renames a corrupt record to <name>.json.invalid.<unix>.
func (s *Store) Quarantine(path string) error { return errors.New("being built") }
