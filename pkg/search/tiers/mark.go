package tiers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/scratch"
)

// ID returns the id that a person types for a note.
func (n Note) ID() string { return n.Entry.ID(n.Topic) }

// Mark writes below a note that it was promoted, when and as which drawers, and below
// each that was made at the same time and says the same; the note stays. A note that says so already, of the
// same drawers, stays as it is, and
// so does everything else in its file. done is false for one that is not there any
// more, or that somebody has edited since.
func (s Scratch) Mark(ctx context.Context, n Note, at time.Time, drawers []string) (done bool, err error) {
	dir, there, err := s.look()
	if err != nil || !there {
		return false, err
	}
	path := filepath.Join(s.Root, filepath.FromSlash(n.Path))
	if _, is := layout.Relative(dir, path); !is {
		return false, fmt.Errorf("%s is no file of notes", n.Path)
	}
	ctx, stop := context.WithTimeout(ctx, saveWait)
	defer stop()
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return false, nil
	case err == nil && !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is no file but %s", path, disk.Kind(info.Mode()))
	case err != nil:
		return false, err
	}
	lock, err := locked(ctx, path)
	if err != nil {
		return false, err
	}
	defer func() {
		if e := lock.Unlock(); err == nil {
			err = e
		}
	}()
	file, err := disk.Read(path, scratch.MaxFile)
	if err != nil {
		return false, err
	}
	mark := scratch.Mark(at, drawers)
	_, ids, _ := strings.Cut(mark, " (")
	out := file
	for _, e := range slices.Backward(scratch.Parse(file)) { // so that the lines above stay where they are
		if e.Text != n.Text || e.ID(n.Topic) != n.ID() {
			continue
		}
		is := slices.ContainsFunc(e.Promoted, func(is string) bool { return strings.HasSuffix(is, " ("+ids) })
		if !is {
			var ok bool
			if out, ok = scratch.Marked(out, e, mark); !ok {
				return false, nil
			}
		}
		done = true
	}
	if len(out) == len(file) {
		return done, nil
	}
	return done, disk.Write(path, out, info.Mode().Perm())
}

// locked locks a file that may be replaced by another of its name meanwhile.
func locked(ctx context.Context, path string) (*disk.Lock, error) {
	for {
		before, _ := os.Lstat(path) // nil where there is none yet
		lock, err := disk.Exclusive(ctx, path)
		if err != nil {
			return nil, err
		}
		after, err := os.Lstat(path)
		if err == nil && before != nil && os.SameFile(before, after) {
			return lock, nil
		}
		if err := lock.Unlock(); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lock %s: %w", path, ctx.Err())
		}
	}
}
