package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// ErrUnnamed is the error for an empty id.
var ErrUnnamed = errors.New("an empty id names no memory")

// Named returns the path, among paths of records, that a name stands for: the path itself, the id, or the
// beginning of an id that only one of them has. It returns "" if there is none. verb is the verb to name
// in the hints of an ambiguous name.
func Named(verb, name string, paths []string) (string, error) {
	if name == "" {
		return "", ErrUnnamed
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	for _, matches := range []func(path, name string) bool{
		func(path, name string) bool { return path == Below(name) },
		IsNamed,
		func(path, name string) bool { return strings.HasPrefix(IDOf(path), name) },
	} {
		found := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !matches(p, name) })
		if len(found) > 1 {
			hints := ""
			for _, p := range found {
				hints += "; hint: keepsake " + verb + " " + p
			}
			return "", fmt.Errorf("%s: is not enough to tell which%s", name, hints)
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return "", nil
}

// IsNamed reports whether a name is the path of a record or its whole id.
func IsNamed(path, name string) bool { return path == Below(name) || IDOf(path) == name }

// Below returns the path below the store's root that was named.
func Below(name string) string { return strings.TrimPrefix(name, ".claude/memory/") }

// IDOf returns the id of the record at a path.
func IDOf(path string) string {
	_, file, _ := strings.Cut(path, "/")
	return strings.TrimSuffix(file, ".json")
}

// Paths returns those of the records.
func (l Loaded) Paths() (paths []string) {
	for _, r := range l.Records {
		paths = append(paths, r.Path)
	}
	return paths
}

// At returns the record at a path, nil for none.
func (l Loaded) At(path string) *memory.Stored {
	i := slices.IndexFunc(l.Records, func(r memory.Stored) bool { return r.Path == path })
	if i < 0 {
		return nil
	}
	return &l.Records[i]
}

// Find returns the record that a name stands for, or fs.ErrNotExist. A file of that name that cannot be
// read is told of as what it is.
func (l Loaded) Find(verb, name string) (memory.Stored, error) {
	path, err := Named(verb, name, l.Paths())
	if err != nil {
		return memory.Stored{}, err
	}
	for _, bad := range l.Bad {
		if named, _ := Named(verb, name, []string{bad.Path}); named != "" &&
			(path == "" || IsNamed(named, name)) {
			return memory.Stored{}, fmt.Errorf("%s: %w; hint: keepsake doctor says what to do about it",
				bad.Path, bad.Err)
		}
	}
	if path == "" {
		return memory.Stored{}, fs.ErrNotExist
	}
	return *l.At(path), nil
}
