package layout

import (
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
)

// maxGit is how much of one of git's own files is read, in bytes. packed-refs can be large.
const maxGit = 16 << 20

// mainWorktree returns the folder of the repository's main worktree if top is a linked worktree. It is ""
// for the main worktree itself, for a submodule, for worktrees of a bare repository, which has no main
// one, and for worktrees of a submodule, whose git folder lies elsewhere.
//
// The repository must know the worktree too. A .git file alone proves nothing:
// one that came in an archive would bring the memories of another project into
// this one.
func mainWorktree(top string) string {
	dotgit := gitOf(top)
	gitdir := readPointer(dotgit)
	if gitdir == "" {
		return ""
	}
	common, ok := readLine(filepath.Join(gitdir, "commondir"))
	if !ok {
		return "" // a submodule, or a repository that lies elsewhere
	}
	common = resolve(join(gitdir, common))
	if filepath.Base(common) != ".git" ||
		!samePath(filepath.Dir(gitdir), filepath.Join(common, "worktrees")) {
		return ""
	}
	back, ok := readLine(filepath.Join(gitdir, "gitdir"))
	if !ok || !samePath(join(gitdir, back), dotgit) {
		return ""
	}
	return filepath.Dir(common)
}

// samePath reports whether a path leads to real, a path without links.
func samePath(path, real string) bool { return path == real || resolve(path) == real }

// readPointer returns the folder that a .git file names, or "" if it is no such file.
func readPointer(dotgit string) string {
	if fi, err := os.Lstat(dotgit); err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	text, _ := readLine(dotgit)
	to, ok := strings.CutPrefix(text, "gitdir:")
	if to = strings.TrimSpace(to); !ok || to == "" {
		return ""
	}
	return join(filepath.Dir(dotgit), to)
}

// readLine reads a file of one line.
func readLine(path string) (string, bool) {
	b, err := disk.Read(path, maxGit)
	return strings.TrimSpace(string(b)), err == nil && len(b) > 0
}

func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Head returns the branch and the abbreviated commit of a checkout, as its git files have them. Both are
// "" outside of a repository, and the branch is also "" on a detached head. Head runs no git, which would
// take time and which a project's configuration could make run other programs. The branch is untrusted
// text. In a repository that keeps its references in tables (reftable), both are "", as HEAD does not
// have them.
func Head(top string) (branch, commit string) {
	if top == "" {
		return "", ""
	}
	dir := gitOf(top)
	if p := readPointer(dir); p != "" {
		dir = p
	}
	head, ok := readLine(filepath.Join(dir, "HEAD"))
	if !ok {
		return "", ""
	}
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return "", shortCommit(ref)
	}
	if ref == "refs/heads/.invalid" {
		return "", ""
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	common := dir
	if c, ok := readLine(filepath.Join(dir, "commondir")); ok {
		common = join(dir, c)
	}
	if sum, ok := readLine(filepath.Join(common, filepath.FromSlash(ref))); ok {
		return branch, shortCommit(sum)
	}
	packed, _ := disk.Read(filepath.Join(common, "packed-refs"), maxGit)
	for row := range strings.Lines(string(packed)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(row), " "); ok && name == ref {
			return branch, shortCommit(sum)
		}
	}
	return branch, ""
}

// shortCommit returns an abbreviated commit, or "" if sum is not the name of a commit.
func shortCommit(sum string) string {
	if len(sum) < 40 || strings.Trim(sum, "0123456789abcdef") != "" {
		return ""
	}
	return sum[:12]
}
