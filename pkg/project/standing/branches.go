package standing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory/ancestry"
)

// Branches are what is known of the records of a project that were made on a branch. Unlike rows they can't
// be made anew: a commit that git has forgotten is known here only. The worktrees of a repository share them,
// and each has its own view.
type Branches struct {
	Version int                      `json:"version"`
	Works   map[string]ancestry.Work `json:"works"` // by the path of the record, below the store's root
	Views   map[string]View          `json:"views"` // by the folder of the worktree
}

// A View is what was found out in one worktree.
type View struct {
	ancestry.View
	Seen  string                    `json:"seen"`  // what git's files said: while they say it, the facts hold
	Facts map[string]ancestry.Facts `json:"facts"` // by path
}

// maxBranches bounds the file, in bytes: some ten thousand records.
const maxBranches = 8 << 20

// A BranchFile is where they are kept.
type BranchFile struct{ Path string }

// Read returns what is known. Without a file nothing is.
func (f BranchFile) Read() (Branches, error) {
	none := Branches{Version: version, Works: map[string]ancestry.Work{}, Views: map[string]View{}}
	if f.Path == "" {
		return none, nil
	}
	b, err := disk.Read(f.Path, maxBranches)
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	v, err := parseBranches(b)
	if err != nil {
		return none, fmt.Errorf("%s: %w", f.Path, err)
	}
	return v, nil
}

func parseBranches(b []byte) (Branches, error) {
	var v Branches
	if err := json.Unmarshal(b, &v); err != nil {
		return v, err
	}
	if v.Version != version {
		return v, fmt.Errorf("has version %d, not %d", v.Version, version)
	}
	if v.Works == nil {
		v.Works = map[string]ancestry.Work{}
	}
	if v.Views == nil {
		v.Views = map[string]View{}
	}
	return v, nil
}

// Update changes what is known. Where nothing changes, nothing is written. A file that can't be read is not
// written over.
func (f BranchFile) Update(ctx context.Context, change func(*Branches)) error {
	if f.Path == "" {
		return nil
	}
	if err := disk.Private(filepath.Dir(f.Path)); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, lockWait)
	defer stop()
	lock, err := disk.Exclusive(ctx, f.Path+".lock")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	old, err := f.Read()
	if err != nil {
		return err
	}
	next := Branches{Version: version, Works: maps.Clone(old.Works), Views: maps.Clone(old.Views)}
	change(&next)
	if reflect.DeepEqual(old, next) {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(next); err != nil {
		return err
	}
	if b.Len() > maxBranches { // it could not be read any more
		return fmt.Errorf("%s: %w", f.Path, disk.ErrTooLarge)
	}
	return disk.Replace(f.Path, b.Bytes(), 0o600)
}

// Gone returns since when the branch of a record is deleted and not merged, by path.
func (b Branches) Gone() map[string]time.Time {
	gone := map[string]time.Time{}
	for path, w := range b.Works {
		if !w.Gone.IsZero() {
			gone[path] = w.Gone
		}
	}
	return gone
}
