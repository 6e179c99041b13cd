package store

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
)

// Faults are errors in what is derived from the records. They are repaired by the next save or look, or at
// once by Rebuild.
type Faults struct {
	// Of index.md: active records without a line, lines without an active record, and lines that differ from
	// their record.
	Missing []string `json:"missing"`
	Stale   []string `json:"stale"`
	Wrong   []string `json:"wrong"`
	// Of the search index: records that are not in it as they are, and entries whose record is gone. Only
	// this finds records that were edited in place.
	Unindexed []string `json:"unindexed"`
	Gone      []string `json:"gone"`
	// Search says that the search index is missing or corrupt.
	Search error `json:"-"`
	Bad    []Bad `json:"-"` // records that cannot be read
}

// ErrNoIndex is the error for a search index that has not been made yet.
var ErrNoIndex = errors.New("has not been made yet")

// OK reports whether everything derived is up to date. A missing search index is no fault.
func (f Faults) OK() bool { return f.String() == "" }

// Each yields the paths of each kind of fault, with its name.
func (f Faults) Each() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		_ = yield("missing from index.md", f.Missing) && yield("stale in index.md", f.Stale) &&
			yield("wrong in index.md", f.Wrong) && yield("not up to date in the search index", f.Unindexed) &&
			yield("gone and in the search index", f.Gone)
	}
}

// String returns what is not up to date, on one line, "" for nothing.
func (f Faults) String() string {
	var parts []string
	for what, paths := range f.Each() {
		if len(paths) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", len(paths), what))
		}
	}
	if f.Search != nil && !errors.Is(f.Search, ErrNoIndex) {
		parts = append(parts, "the search index "+f.Search.Error())
	}
	return strings.Join(parts, ", ")
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
	for _, paths := range [...]*[]string{&f.Missing, &f.Stale, &f.Wrong, &f.Unindexed, &f.Gone} {
		*paths = append([]string{}, *paths...) // never null in JSON
	}
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
