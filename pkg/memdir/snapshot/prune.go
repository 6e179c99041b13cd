package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// more is how many snapshots go beyond the one that is too many: to know which copies
// are still needed costs a look at every list.
const more = 5

// prune keeps a box that has these snapshots within its limits: the newest stays.
func (b Box) prune(names []string) error {
	size, err := b.size()
	if err != nil || len(names) <= maxKept && size <= maxBytes {
		return err
	}
	for many := len(names) > maxKept; many && len(names) > maxKept-more; {
		i := spare(names)
		err = errors.Join(err, os.Remove(b.list(names[i])))
		names = append(names[:i], names[i+1:]...)
	}
	size, serr := b.sweep(names)
	for err = errors.Join(err, serr); err == nil && size > maxBytes && len(names) > 1; {
		i := spare(names)
		err = os.Remove(b.list(names[i]))
		names = append(names[:i], names[i+1:]...)
		size, serr = b.sweep(names)
		err = errors.Join(err, serr)
	}
	return err
}

// spare returns the index of the snapshot to remove first: the oldest one that another of the same day
// followed, else the oldest. So a busy day doesn't push out all the days before it.
func spare(names []string) int {
	const day = len("20060102")
	for i := range len(names) - 1 {
		if names[i][:day] == names[i+1][:day] {
			return i
		}
	}
	return 0
}

// sweep removes the copies that no snapshot has, and returns the size of the others.
func (b Box) sweep(names []string) (int64, error) {
	used := map[string]bool{}
	for _, name := range names {
		s, err := b.Load(name)
		if err != nil {
			continue // a damaged list leads to nothing
		}
		for _, f := range s.Files {
			used[f.Digest] = true
		}
	}
	entries, err := os.ReadDir(b.copies())
	for _, e := range entries {
		if !used[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(b.copies(), e.Name())))
		}
	}
	size, serr := b.size()
	return size, errors.Join(err, serr)
}

// size returns how many bytes the copies take. It is 0 if they are so few that it can't be too much.
func (b Box) size() (n int64, err error) {
	entries, err := os.ReadDir(b.copies())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if len(entries) <= maxBytes/maxFile {
		return 0, err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n, err
}
