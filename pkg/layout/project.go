package layout

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"keepsake/pkg/disk"
)

// A Place is the project that a call belongs to. All paths are absolute and,
// as far as they exist, without links.
type Place struct {
	// Dir is the project's folder in this checkout. Related files are relative to it.
	Dir string
	// Home is the same folder in the repository's main worktree, or Dir if there is no other worktree. It
	// identifies the project: Keepsake's files about it outlive a worktree that is removed.
	Home string
	// Memory is the store, a .claude/memory folder in Home or, when worktrees
	// each have their own, in Dir. It need not exist.
	Memory string
	// Top is the root of the git checkout around Dir, or "" outside of one.
	Top string
}

// Project finds the project of a call. It looks from projectDir, the client's
// CLAUDE_PROJECT_DIR, which stays where the client was started; without it from
// cwd, which follows cd and is for terminals only. From there upward the
// nearest folder that has a store or is the root of a git checkout is the
// project, or else the place where the search began.
//
// The worktrees of a repository share the store of the main one, until the
// store is committed (see ownsStore) and each has its own. A submodule is a
// repository of its own. No git is run: a handful of lstat, and three small
// reads in a linked worktree.
func Project(projectDir, cwd string) Place {
	start := cwd
	if filepath.IsAbs(projectDir) {
		start = projectDir
	}
	start = resolve(start)
	top := checkout(start)
	main := ""
	if top != "" {
		main = mainWorktree(top)
	}
	dir := start
	switch {
	case top != "":
		dir = packageOf(start, top, main)
	default:
		if d := above(start, StoreIn); d != "" {
			dir = d
		}
	}
	p := Place{Dir: dir, Home: dir, Memory: StoreIn(dir), Top: top}
	if main == "" {
		return p
	}
	home := filepath.Join(main, strings.TrimPrefix(dir, top))
	if !isDir(home) {
		return p // a package of this branch only
	}
	p.Home = home
	if !ownsStore(dir) {
		p.Memory = StoreIn(home)
	}
	return p
}

// Gone returns the place of a session whose checkout was removed. Its work belongs to the project's home.
func Gone(dir, home string) Place {
	return Place{Dir: dir, Home: home, Memory: StoreIn(home)}
}

// IsCheckout reports whether a folder is the root of a git checkout.
func IsCheckout(dir string) bool {
	_, err := os.Lstat(gitOf(dir))
	return err == nil
}

// gitOf returns git's folder in the root of a checkout, or the file that names it.
func gitOf(dir string) string { return filepath.Join(dir, ".git") }

// checkout returns the root of the git checkout around start, or "" if there is none.
func checkout(start string) string {
	return above(start, gitOf)
}

// packageOf returns the project within a checkout: the nearest folder at or above start with a
// store, in this worktree or in the main one, else the whole checkout.
func packageOf(start, top, main string) string {
	for dir := start; len(dir) > len(top); dir = filepath.Dir(dir) {
		if isDir(StoreIn(dir)) || main != "" &&
			isDir(StoreIn(filepath.Join(main, strings.TrimPrefix(dir, top)))) {
			return dir
		}
	}
	return top
}

// above returns the nearest folder at or above start that has mark. Above start, a mark counts only if it
// belongs to this user or to the owner of start, so that nobody can plant one in a shared folder. It
// never counts in the home directory: dotfiles under git do not make everything there one project.
func above(start string, mark func(dir string) string) string {
	for dir := start; ; dir = filepath.Dir(dir) {
		if fi, err := os.Lstat(mark(dir)); err == nil {
			if dir == start || ours(fi, start) && !isHome(dir) {
				return dir
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func ours(fi fs.FileInfo, start string) bool {
	if disk.OwnedByUs(fi) {
		return true
	}
	st, err := os.Lstat(start)
	if err != nil {
		return false
	}
	a, aok := fi.Sys().(*syscall.Stat_t)
	b, bok := st.Sys().(*syscall.Stat_t)
	return aok && bok && a.Uid == b.Uid
}

func isHome(dir string) bool {
	home := os.Getenv("HOME")
	return home != "" && (dir == filepath.Clean(home) || dir == resolve(home))
}

func isDir(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.IsDir()
}

// ownsStore reports whether the store is committed in this checkout. Then each worktree has one of its
// own, and git merges them. The sign is the row that `keepsake team git-setup` writes, as it is committed
// too.
func ownsStore(dir string) bool {
	b, err := disk.Read(Attributes(dir), maxGit)
	return err == nil && bytes.Contains(b, []byte("merge=keepsake"))
}
