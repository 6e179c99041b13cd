package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// held is a store whose lock this process has. All that is written goes through its folders, which are held
// open: somebody can put a link in the place of one at any time, and nothing is written where that leads.
type held struct {
	*Store
	lock   *disk.Lock
	dir    *disk.Folder // the root; nil if it is missing
	ownDir *disk.Folder // of our own files; may be dir

	part     *Series  // of which the plan is a part; nil for none
	replaced []string // paths of the files that plans have replaced, still there
}

// lockStore takes the lock of the store for writing, or says who holds it. Folders that are missing are made
// if make is set; else the root may be missing.
func (s *Store) lockStore(ctx context.Context, make bool) (h *held, err error) {
	h = &held{Store: s}
	defer func() {
		if err != nil {
			h.close()
			h = nil
		}
	}()
	perm, ownPerm := fs.FileMode(0), fs.FileMode(0o700)
	if make {
		perm = 0o755
	}
	root, deep := s.withoutLinks()
	h.dir, err = disk.Hold(root, deep, perm)
	if err != nil && (make || !errors.Is(err, fs.ErrNotExist)) {
		return h, fmt.Errorf("store: %w", err)
	}
	if h.ownDir = h.dir; s.own != s.root {
		if h.ownDir, err = disk.Hold(s.own, 1, ownPerm); err != nil {
			return h, fmt.Errorf("store: %w", err)
		}
	} else if err != nil {
		return h, fmt.Errorf("store: %w", err)
	}
	wait, cancel := context.WithTimeout(ctx, s.opt.LockWait)
	defer cancel()
	h.lock, err = h.ownDir.Exclusive(wait, lockName)
	switch {
	case err != nil && ctx.Err() != nil:
		return h, stopped(ctx)
	case errors.Is(err, disk.ErrLocked):
		return h, fmt.Errorf("store: %w; hint: another save is running, try again", err)
	case err != nil:
		return h, fmt.Errorf("store: %w", err)
	}
	return h, nil
}

// withoutLinks returns the root's path and how many elements at its end must not be links. A link in it that
// stays in the project, as one of .claude may, is replaced by where it leads. One that leads out of it is
// left, so that the root can't be opened.
func (s *Store) withoutLinks() (root string, deep int) {
	outer := s.root
	for range s.kind.deep {
		outer = filepath.Dir(outer)
	}
	real := layout.Resolved(s.root)
	rel, inside := layout.Relative(layout.Resolved(outer), real)
	if !inside || rel == "." {
		return s.root, s.kind.deep
	}
	return real, strings.Count(rel, "/") + 1
}

// close lets the lock and the folders go.
func (h *held) close() {
	if h.lock != nil {
		h.lock.Unlock()
	}
	if h.dir != nil {
		h.dir.Close()
	}
	if h.ownDir != nil && h.ownDir != h.dir {
		h.ownDir.Close()
	}
}

// at returns the folder of a path below the root, and the name there. The error is fs.ErrNotExist if the
// folder is missing; a link in its place is another error.
func (h *held) at(p string) (dir *disk.Folder, name string, err error) {
	if dir = h.dir; dir == nil {
		return nil, "", &fs.PathError{Op: "open", Path: h.root, Err: fs.ErrNotExist}
	}
	folder, name := path.Split(p)
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if part != "" && part != "." && err == nil {
			dir, err = dir.Sub(part)
		}
	}
	if err != nil {
		return nil, "", err
	}
	return dir, name, nil
}

// makeAt is at, and makes the folders that are missing.
func (h *held) makeAt(p string) (dir *disk.Folder, name string, err error) {
	dir, name, err = h.at(p)
	if !errors.Is(err, fs.ErrNotExist) || h.dir == nil {
		return dir, name, err
	}
	folder, name := path.Split(p)
	dir, err = h.dir, nil
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if part != "" && err == nil {
			dir, err = dir.MakeSub(part, 0o755)
		}
	}
	return dir, name, err
}

// read is disk.ReadInfo for a path below the root.
func (h *held) read(p string, limit int64) ([]byte, *disk.Info, error) {
	dir, name, err := h.at(p)
	if err != nil {
		return nil, nil, err
	}
	return dir.Read(name, limit)
}

// lstat returns the info of a file below the root, nil for none.
func (h *held) lstat(p string) *disk.Info {
	dir, name, err := h.at(p)
	if err != nil {
		return nil
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return nil
	}
	return info
}

// history opens the folder of the history, and makes it if it is missing.
func (h *held) historyDir() (*disk.Folder, error) { return h.ownDir.MakeSub(historyName, 0o700) }

// writeTo replaces a file of a folder that is kept beside the records.
func writeTo(dir *disk.Folder, name string, text []byte, mode fs.FileMode) error {
	if err := dir.Write(name, "."+name, text, mode); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}
