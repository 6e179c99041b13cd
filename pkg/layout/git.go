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
	branch, commit = GitRefsOf(top).Head()
	return branch, commit[:min(len(commit), 12)]
}

// GitRefs are the references of a repository, seen from one checkout. No git is run.
type GitRefs struct {
	dir, common string            // git's folder of the worktree, and that of the repository
	packed      map[string]string // the file of packed references, once it was read
}

// GitRefsOf returns the references of the checkout whose root is top.
func GitRefsOf(top string) *GitRefs {
	if top == "" {
		return &GitRefs{}
	}
	r := &GitRefs{dir: gitOf(top)}
	if p := readPointer(r.dir); p != "" {
		r.dir = p
	}
	r.common = r.dir
	if c, ok := readLine(filepath.Join(r.dir, "commondir")); ok {
		r.common = join(r.dir, c)
	}
	return r
}

// Head returns the branch and the commit of the checkout. The commit is "" on a branch that has none yet, the
// branch on a detached head, and both where the references are in tables.
func (r *GitRefs) Head() (branch, commit string) {
	if r.dir == "" {
		return "", ""
	}
	head, ok := readLine(filepath.Join(r.dir, "HEAD"))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	switch {
	case !ok, ref == "refs/heads/.invalid":
		return "", ""
	case !symbolic:
		return "", objectName(ref)
	}
	return strings.TrimPrefix(ref, "refs/heads/"), r.Of(ref)
}

// Working returns the branch that somebody works on, and the commit that is checked out: those of Head, and
// while git rebases or bisects, which checks out no branch, the branch to which it goes back.
func (r *GitRefs) Working() (branch, commit string) {
	branch, commit = r.Head()
	if branch != "" || commit == "" {
		return branch, commit
	}
	for _, file := range []string{"rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
		name, _ := readLine(filepath.Join(r.dir, filepath.FromSlash(file)))
		name = strings.TrimPrefix(name, "refs/heads/")
		if name != "" && r.Of("refs/heads/"+name) != "" {
			return name, commit
		}
	}
	return "", commit
}

// Of returns the commit of a reference, "" if there is none.
func (r *GitRefs) Of(ref string) string {
	if r.common == "" {
		return ""
	}
	if sum, ok := readLine(filepath.Join(r.common, filepath.FromSlash(ref))); ok {
		return objectName(sum)
	}
	if r.packed == nil {
		r.packed = map[string]string{}
		all, _ := disk.Read(filepath.Join(r.common, "packed-refs"), maxGit)
		for row := range strings.Lines(string(all)) {
			if sum, name, ok := strings.Cut(strings.TrimSpace(row), " "); ok {
				r.packed[name] = objectName(sum)
			}
		}
	}
	return r.packed[ref]
}

// Default returns the name of the repository's default branch: the one that a clone names, else main or
// master, whichever there is. It is "" if that can't be told.
func (r *GitRefs) Default() string {
	if r.common == "" {
		return ""
	}
	const remote = "refs/remotes/origin/"
	head, _ := readLine(filepath.Join(r.common, filepath.FromSlash(remote), "HEAD"))
	if name, ok := strings.CutPrefix(head, "ref: "+remote); ok && name != "" {
		return name
	}
	has := func(name string) bool { return r.Of("refs/heads/"+name) != "" || r.Of(remote+name) != "" }
	switch main, master := has("main"), has("master"); {
	case main == master:
		return ""
	case main:
		return "main"
	}
	return "master"
}

// Shallow reports whether the clone lacks the beginning of its history.
func (r *GitRefs) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.common, "shallow"))
	return r.common != "" && err == nil
}

// objectName returns sum if it is the name of a commit, else "".
func objectName(sum string) string {
	if !isObject(sum) {
		return ""
	}
	return sum
}
