package store

import (
	"errors"
	"io/fs"
	"os"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
)

// Faults are errors in what is derived from the records. They are repaired by the next save or look, or at
// once by Rebuild.
type Faults struct {
	// Of index.md: active records without a line, lines without an active record, and lines that differ from
	// their record.
	Missing, Stale, Wrong []string
	// Of the search index: records that are not in it as they are, and entries whose record is gone. Only
	// this finds records that were edited in place.
	Unindexed, Gone []string
	// Search says that the search index is missing or corrupt.
	Search error
	Bad    []Bad // records that cannot be read
}

// ErrNoIndex says that the search index has not been made yet.
var ErrNoIndex = errors.New("has not been made yet")

// OK reports whether everything derived is up to date. A missing search index is no fault.
func (f Faults) OK() bool {
	return len(f.Missing)+len(f.Stale)+len(f.Wrong)+len(f.Unindexed)+len(f.Gone) == 0 &&
		(f.Search == nil || errors.Is(f.Search, ErrNoIndex))
}

// Validate compares index.md and the search index with every record, and changes neither. It also returns the
// records.
func (s *Store) Validate() (Faults, []memory.Stored, error) {
	loaded, err := s.Load()
	if err != nil {
		return Faults{}, nil, err
	}
	f := Faults{Bad: loaded.Bad}
	text, err := disk.Read(s.file(indexName), linesLimit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, disk.ErrNotRegular) {
		return f, nil, err
	}
	f.Missing, f.Stale, f.Wrong = memory.CompareIndex(text, loaded.Records)
	f.checkSearch(s, loaded.Records)
	return f, loaded.Records, nil
}

// checkSearch checks the search index.
func (f *Faults) checkSearch(s *Store, records []memory.Stored) {
	if s.opt.Derive == nil {
		return
	}
	ix, _ := s.storedIndex()
	if ix == nil {
		f.Search = ErrNoIndex
		if _, err := os.Lstat(s.opt.Cache); err == nil {
			f.Search = errors.New("has no base, or a corrupt one")
		}
		return
	}
	defer ix.Close()
	if f.Search = ix.Check(); f.Search != nil {
		return
	}
	known := map[string]memory.File{}
	f.Search = ix.Each(func(r memory.Stored) bool {
		known[r.Path] = r.File
		return true
	})
	for _, r := range records {
		if file, ok := known[r.Path]; !ok || file != r.File {
			f.Unindexed = append(f.Unindexed, r.Path)
		}
		delete(known, r.Path)
	}
	for _, b := range f.Bad {
		delete(known, b.Path) // the index may have the record as it was when it could be read
	}
	for path := range known {
		f.Gone = append(f.Gone, path)
	}
}
