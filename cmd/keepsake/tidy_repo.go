package main

import (
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/memdir/tidy"
	"keepsake/pkg/project/session"
)

// Limits of what is asked of a project.
const (
	maxFact  = 512 << 10 // bytes of a file that says what the project has
	maxAsked = 2000      // paths that are looked for
	maxTree  = 32 << 20  // bytes of git's list of files
)

// repo gathers what the project says that its memories can be held against. What
// can't be read is not held against anything.
func (c *call) repo(s *session.Session, dir string) tidy.Repo {
	var r tidy.Repo
	for _, name := range tidy.Files() {
		if b, err := disk.Read(filepath.Join(s.Root, name), maxFact); err == nil {
			r.Read(name, b)
		}
	}
	tree, err := git.Run(c.ctx, s.Root, "ls-files", "-z")
	if err != nil || len(tree) > maxTree {
		tree = ""
	}
	tree = "/" + strings.ReplaceAll(tree, "\x00", "\x00/") + "\x00"
	known := map[string]bool{}
	r.Has = func(path string) bool {
		has, asked := known[path]
		if asked || len(known) >= maxAsked {
			return has || !asked // nothing is said of what wasn't looked for
		}
		for _, root := range [...]string{s.Root, dir} {
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path))); err == nil {
				has = true
			}
		}
		has = has || strings.Contains(tree, "/"+path+"\x00") || strings.Contains(tree, "/"+path+"/")
		known[path] = has
		return has
	}
	return r
}
