package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/layout"
)

// Find opens a session by the client's id, whatever project it belongs to. The agent's shell knows
// its session (CLAUDE_CODE_SESSION_ID) but not the project, and its working directory may have
// changed, so the state file says where the session works.
func Find(id string) (*Session, error) {
	cwd, _ := os.Getwd()
	st, ok, err := latestState(Call{ID: id}, layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), cwd))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil,
			fmt.Errorf("session %s is not known\nhint: no hook of keepsake has run in it; name the project "+
				"with --project", id)
	}
	return open(placeOfState(st), id, st.Transcript)
}

// latestState returns the state of a session in the project where it was seen last. There is more
// than one when a project was moved. here is where the call was made.
func latestState(c Call, here layout.Place) (st stage.State, ok bool, err error) {
	name := layout.Session(c.ID)
	dirs, _, _ := dirsFor(here, c.Transcript)
	projects, err := dirs.States()
	if err != nil {
		return st, false, err
	}
	var denied error
	for _, p := range projects {
		found, err := stage.Sessions{Dir: p.Sessions()}.Load(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue
		case errors.Is(err, fs.ErrPermission): // perhaps a file that root made in another project
			if _, lerr := os.Lstat(p.Session(name)); lerr == nil {
				denied = err
			}
			continue
		case err != nil:
			return st, false, err
		}
		if st.Root == "" || found.Seen.After(st.Seen) {
			st = found
		}
	}
	if st.Root == "" {
		return st, false, denied
	}
	return st, true, nil
}

// placeOfState returns where a session works by its state. Its checkout may be a worktree that was
// removed since.
func placeOfState(st stage.State) layout.Place {
	if _, err := os.Lstat(st.Root); errors.Is(err, fs.ErrNotExist) && st.Home != "" {
		return layout.Gone(st.Root, st.Home)
	}
	return layout.Project(st.Root, "")
}

// At opens the project of a directory without a session of the client. It is the session with work
// on its desk that was seen last, else an empty one. A session of this checkout goes before one of
// another worktree with the same store.
func At(dir string) (*Session, error) {
	GrowStack()
	place := layout.Project("", dir)
	probe := Place{Place: place}
	probe.Dirs, _, _ = dirsFor(place, "")
	all, err := probe.Sessions().Recent()
	if err != nil {
		return nil, err
	}
	var elsewhere *stage.State
	for i, st := range all {
		switch {
		case !hasWork(st):
		case st.Root == place.Dir:
			return open(place, st.Session, "")
		case elsewhere == nil && placeOfState(st).Memory == place.Memory:
			elsewhere = &all[i]
		}
	}
	if elsewhere != nil {
		return open(placeOfState(*elsewhere), elsewhere.Session, "")
	}
	return open(place, "terminal", "")
}

// hasWork reports whether a session has something on its desk that waits to be saved.
func hasWork(st stage.State) bool {
	names, _ := stage.Desk{Dir: st.Stage}.Files()
	return slices.ContainsFunc(names, stage.IsWork)
}

// Client returns the client process that runs this hook. The client says so itself (since 2.1.329).
// Otherwise it is the nearest ancestor that is no shell, since a shell runs our command line. Where
// neither can be told it is the zero Process, and the session counts as alive until it has been
// silent for long.
func Client() stage.Process {
	if pid, err := strconv.Atoi(os.Getenv("CLAUDE_PID")); err == nil && pid > 1 {
		return stage.ProcessOf(pid)
	}
	for pid := os.Getppid(); pid > 1; {
		ppid, name := stage.ParentOf(pid)
		switch {
		case name == "":
			return stage.Process{}
		case name == "busybox" || strings.HasSuffix(name, "sh"): // sh, dash, bash, zsh, ksh, fish
			pid = ppid
		default:
			return stage.ProcessOf(pid)
		}
	}
	return stage.Process{}
}
