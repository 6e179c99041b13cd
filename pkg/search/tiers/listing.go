package tiers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A listing is which files the index is of, and when that was so.
type listing struct {
	// Index is git's own index of the project, as it was: while it is the same, git
	// tracks the same files. "" is a project without git.
	Index string `json:"index,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Mtime int64  `json:"mtime,omitempty"` // nanoseconds
}

// same reports whether git's index file hasn't changed since the listing.
func (l listing) same() bool {
	if l.Index == "" {
		return false
	}
	info, err := os.Stat(l.Index)
	return err == nil && info.Size() == l.Size && info.ModTime().UnixNano() == l.Mtime
}

// list asks which files there are, with slashes, below the root.
func (w *Where) list(ctx context.Context) (paths []string, l listing, err error) {
	if w.Git != nil {
		index, err := w.Git(ctx, w.Root, "rev-parse", "--git-path", "index")
		if err == nil {
			if !filepath.IsAbs(index) {
				index = filepath.Join(w.Root, index)
			}
			// Looked at before the list is made: a change between the two is seen again.
			if info, err := os.Stat(index); err == nil {
				l = listing{Index: index, Size: info.Size(), Mtime: info.ModTime().UnixNano()}
			}
			out, err := w.Git(ctx, w.Root, "ls-files", "-z", "--cached", "--deduplicate")
			if err != nil {
				return nil, l, fmt.Errorf("%w; hint: git status in %s shows what is wrong there", err, w.Root)
			}
			for path := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
				if path != "" && !hasTier(path) {
					paths = append(paths, path)
				}
			}
			if len(paths) > 0 {
				return paths, l, nil
			}
		}
		if ctx.Err() != nil {
			return nil, l, ctx.Err()
		}
	}
	return w.walk(ctx)
}

// hasTier reports whether another tier finds a file.
func hasTier(path string) bool {
	return strings.HasPrefix(path, ".claude/memory/") || strings.HasPrefix(path, ".agents/memory/")
}

// maxWalked bounds the files of a project without git.
const maxWalked = 60_000

// junk are folders that hold what programs made.
var junk = []string{"node_modules", "bower_components", "__pycache__", "venv", "site-packages", "dist",
	"build", "target", "out", "coverage", "DerivedData", "Pods", "tmp"}

// walk finds the files of a project without git: no links, no hidden folders but
// .github, none of what programs made.
func (w *Where) walk(ctx context.Context) (paths []string, l listing, err error) {
	err = filepath.WalkDir(w.Root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if path == w.Root {
				return err
			}
			return nil // a folder that can't be read has nothing to find
		}
		name := d.Name()
		if d.IsDir() {
			if path != w.Root && (slices.Contains(junk, name) || strings.HasPrefix(name, ".") &&
				name != ".github") {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if len(paths) == maxWalked {
			w.note("%s: more than %d files and no git: the rest is not looked at", w.Root, maxWalked)
			return fs.SkipAll
		}
		rel, err := filepath.Rel(w.Root, path)
		if err == nil {
			paths = append(paths, filepath.ToSlash(rel))
		}
		return nil
	})
	return paths, listing{}, err
}
