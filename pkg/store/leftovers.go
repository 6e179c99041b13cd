package store

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/disk"
)

// leftAge is how old a file must be before it counts as left behind. A younger one may be a file that is
// being written, by a process with another lock.
const leftAge = time.Minute

// Leftovers returns the paths of the files that a killed process left half written among the store's files.
// Tidy knows only of those of which a note was left.
func (s *Store) Leftovers(now time.Time) (paths []string) {
	for _, dir := range s.kind.folders(s.root) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !s.kind.leftover(e.Name()) {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode()&fs.ModeType == 0 &&
				now.Sub(disk.Touched(info)) > leftAge {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// Clear removes the leftovers. It does nothing while somebody is writing.
func (s *Store) Clear(now time.Time) {
	paths := s.Leftovers(now)
	if len(paths) == 0 || disk.MakeDir(s.own, 0o700) != nil {
		return
	}
	once, cancel := context.WithCancel(context.Background())
	cancel() // so the lock is tried only once
	l, err := disk.Exclusive(once, s.ownFile(lockName))
	if err != nil {
		return
	}
	defer l.Unlock()
	for _, p := range paths {
		os.Remove(p) // one that stays harms nothing
	}
}
