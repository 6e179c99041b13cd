package main

import (
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
)

// maxFile bounds what is read of a file that is not ours, in bytes: packed-refs
// can be large.
const maxFile = 16 << 20

// gitHead reads the branch and the abbreviated commit that a project stands at
// from its git files. Both are empty outside a repository, the branch also on a
// detached head. It runs no git: provenance is not worth a process, and less
// what a project's git configuration could make one do.
func gitHead(root string) (branch, commit string) {
	dir := filepath.Join(root, ".git")
	if b, err := disk.Read(dir, maxFile); err == nil { // a worktree or submodule: a file that names the folder
		dir = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir:"))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(root, dir)
		}
	}
	head, err := disk.Read(filepath.Join(dir, "HEAD"), maxFile)
	if err != nil {
		return "", ""
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: ")
	if !symbolic {
		return "", short(ref)
	}
	branch = brief.Text(strings.TrimPrefix(ref, "refs/heads/"), 200)
	common := dir
	if b, err := disk.Read(filepath.Join(dir, "commondir"), maxFile); err == nil {
		common = filepath.Join(dir, strings.TrimSpace(string(b)))
	}
	if b, err := disk.Read(filepath.Join(common, filepath.FromSlash(ref)), maxFile); err == nil {
		return branch, short(strings.TrimSpace(string(b)))
	}
	packed, _ := disk.Read(filepath.Join(common, "packed-refs"), maxFile)
	for line := range strings.Lines(string(packed)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return branch, short(sum)
		}
	}
	return branch, ""
}

// short abbreviates a commit; anything that is none becomes "".
func short(sum string) string {
	if len(sum) < 40 || strings.Trim(sum, "0123456789abcdef") != "" {
		return ""
	}
	return sum[:12]
}
