package store

import (
	"context"
	"io/fs"
	"os"
	"path"
	"time"

	"keepsake/pkg/disk"
)

// leftAge is how old a file must be before it counts as left behind. A younger one may be a file that is
// being written, by a process with another lock.
const leftAge = time.Minute

// Leftovers returns the paths of the files that a killed process left half written among the store's files.
// Tidy knows only of those of which a note was left.
func (s *Store) Leftovers(now time.Time) (paths []string) {
	for _, p := range s.leftovers(now) {
		paths = append(paths, s.file(p))
	}
	return paths
}

// leftovers is Leftovers with paths below the root.
func (s *Store) leftovers(now time.Time) (paths []string) {
	for _, folder := range s.kind.folders(s.root) {
		entries, err := os.ReadDir(s.file(folder))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !s.kind.leftover(e.Name()) {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode()&fs.ModeType == 0 &&
				now.Sub(disk.Touched(info)) > leftAge {
				paths = append(paths, path.Join(folder, e.Name()))
			}
		}
	}
	return paths
}

// Clear removes the leftovers. It does nothing while somebody is writing.
func (s *Store) Clear(now time.Time) {
	paths := s.leftovers(now)
	if len(paths) == 0 {
		return
	}
	once, cancel := context.WithCancel(context.Background())
	cancel() // so the lock is tried only once
	h, err := s.lockStore(once, false)
	if err != nil {
		return
	}
	defer h.close()
	for _, p := range paths {
		if dir, name, err := h.at(p); err == nil {
			dir.Remove(name) // one that stays harms nothing
		}
	}
}
