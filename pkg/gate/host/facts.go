// Package host gathers the facts about this machine that the gate may need for one tool call: the
// environment, the session's stage, links, file kinds, scripts. The hook and the command line both ask
// here, so that both judge the same.
package host

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/gate/shell"
	"keepsake/pkg/layout"
)

// Call returns the event with all that the gate may ask for. Everything that touches the disk is a
// function, since most calls are judged without one. A project's settings can set any variable of
// this process. So none is trusted to allow something or to silence before_mempalace_write: the
// binary is found by where it lies, and the approvals by the transcript's path, which the client
// computes. What variables add (palaces, folders of ours) is only protected in addition.
func Call(e rules.Event) shell.Call {
	return shell.Call{
		Tool: e.Tool, Args: e.Args, Cwd: e.Cwd, Agent: e.Agent, Mode: e.Mode,
		Home:       os.Getenv("HOME"),
		ProjectDir: e.ProjectDir,
		Dialog:     Dialog(e),
		Continued:  func() bool { return continued(e) },
		Quiet:      os.Getenv("KEEPSAKE") == "off",
		ClientDir:  layout.Client(e.Transcript),
		PluginRoot: layout.Plugin,
		Stage:      func() string { return desk(e) },
		Own:        func() []string { return ownFolders(e) },
		Palaces:    func() []string { return palaces(e) },
		Resolve:    layout.Resolved,
		Lstat:      lstat,
		Twin:       twin(e),
		Script:     ReadSmall,
		Near:       near(e),
		Promotion:  promotion(e),

		AutoMemory:  func() []string { return autoMemory(e) },
		Settings:    settings(e),
		Base:        os.Getenv,
		Reorganised: reorganised(e),
		Effect:      effect(e),
	}
}

// Dialog reports whether the client shows a person the dialog of an ask. Codex CLI has none: it lets such a
// call run.
func Dialog(e rules.Event) bool {
	return !layout.IsCodex(e.Transcript) && os.Getenv("CLAUDE_CODE_ENTRYPOINT") == "cli"
}

// desk returns the directory of this session's desk: where its state says, else where a new one is.
func desk(e rules.Event) string {
	place, id := layout.Project(e.ProjectDir, e.Cwd), layout.Session(e.Session)
	dirs := layout.DirsFor(place, e.Transcript)
	if dir := (stage.Sessions{Dir: dirs.Of(place.Home).Sessions()}).DeskOf(id); dir != "" {
		return dir
	}
	desk, _, _ := dirs.Desk(place.Home, id)
	return desk
}

// ownFolders returns Keepsake's directories.
func ownFolders(e rules.Event) []string {
	d := layout.Load()
	c := layout.Client(e.Transcript)
	dirs := append(layout.States(layout.Homes(c)), d.Cache, d.Config)
	if c != "" {
		dirs = append(dirs, layout.ClientOwn(c))
	}
	for _, own := range layout.Owns(layout.Homes(c)) { // an agent of one client answers for no other
		if !slices.Contains(dirs, own) {
			dirs = append(dirs, own)
		}
	}
	return dirs
}

// palaces returns the roots of palaces that MemPalace itself would use, and the folders of
// Keepsake's own drawers, which are kept for good as well.
func palaces(e rules.Event) []string {
	homes := layout.Homes(layout.Client(e.Transcript))
	return append(layout.Palaces(homes), layout.Drawers(homes)...)
}

func lstat(path string) shell.File {
	fi, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return shell.File{Kind: shell.Absent}
	case err != nil:
		return shell.File{}
	case fi.IsDir():
		return shell.File{Kind: shell.Directory}
	case !fi.Mode().IsRegular():
		return shell.File{Kind: shell.Other}
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return shell.File{}
	}
	return shell.File{Kind: shell.Regular, Links: int(st.Nlink)}
}

// An inode identifies a file, whatever its names are.
type inode struct{ device, number uint64 }

func inodeOf(path string) (inode, bool) {
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return inode{}, false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return inode{}, false
	}
	return inode{uint64(st.Dev), uint64(st.Ino)}, true
}

// twin returns the other name of a file in the stores of the session's project and of the folder
// that it works in. They are listed once, for the first file with more than one link that a call
// writes.
func twin(e rules.Event) func(string) string {
	records := sync.OnceValue(func() map[inode]string {
		found := map[inode]string{}
		for _, dir := range []string{e.ProjectDir, ""} {
			store := layout.Project(dir, e.Cwd).Memory
			for _, pattern := range []string{"*", "*/*"} {
				names, _ := fs.Glob(os.DirFS(store), pattern) // a store that can't be listed can't be matched
				for _, name := range names {
					if id, ok := inodeOf(filepath.Join(store, name)); ok {
						found[id] = filepath.Join(store, name)
					}
				}
			}
		}
		return found
	})
	return func(path string) string {
		id, ok := inodeOf(path)
		if !ok {
			return ""
		}
		return records()[id]
	}
}

// maxFile is the largest file that is read, in bytes: a script that a command
// names, or settings.
const maxFile = 1 << 20

// ReadSmall reads a regular file of at most 1 MiB.
func ReadSmall(path string) ([]byte, bool) {
	b, err := disk.ReadLinked(path, maxFile)
	return b, err == nil
}
