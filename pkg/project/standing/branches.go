package standing

import (
	"maps"
	"path/filepath"
	"reflect"
	"time"

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

// A BranchFile is where they are kept.
type BranchFile struct{ Path string }

// Read returns what is known. Without a file nothing is.
func (f BranchFile) Read() (b Branches, err error) {
	if err = folderOf(f.Path).Load(filepath.Base(f.Path), &b); err != nil {
		b = Branches{}
	}
	b.Version = version
	if b.Works == nil {
		b.Works = map[string]ancestry.Work{}
	}
	if b.Views == nil {
		b.Views = map[string]View{}
	}
	return b, err
}

// Update changes what is known. Where nothing changes, nothing is written. A file that can't be read is not
// written over.
func (f BranchFile) Update(change func(*Branches)) error {
	if f.Path == "" {
		return nil
	}
	return folderOf(f.Path).Change(func() error {
		old, err := f.Read()
		if err != nil {
			return err
		}
		next := Branches{Version: version, Works: maps.Clone(old.Works), Views: maps.Clone(old.Views)}
		change(&next)
		if reflect.DeepEqual(old, next) {
			return nil
		}
		return folderOf(f.Path).Save(filepath.Base(f.Path), next)
	})
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
