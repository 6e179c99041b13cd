package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/config"
	"keepsake/pkg/disk"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/paths"
	"keepsake/pkg/recall"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

type doctorCmd struct {
	ClearGone bool `help:"Ask for each project whose folder is gone whether what is known of it shall be deleted."`
	JSON      bool `help:"Print one JSON array of findings."`
}

func (doctorCmd) Help() string {
	return `Checks this installation and this project, and says how to mend what is wrong. Exit code 1 when something is. Changes nothing, but a save that was cut short is finished, as any other call would.

A project whose folder is not there any more, and of which nothing was written for 90 days, is named; --clear-gone deletes what is known of it, after a yes at the controlling terminal. The agent can't do that.

Examples:

    keepsake doctor
    keepsake doctor --clear-gone`
}

// How grave a diagnosis is.
const (
	fine  = "ok"
	noted = "note" // worth knowing; no fault
	wrong = "bad"
)

// diagnosis is what one check came to.
type diagnosis struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, note or bad
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
}

// patient is what doctor looks at.
type patient struct {
	*session.Session
	exe    string // this binary, links resolved
	plugin string // the plugin's folder: two up from exe
	now    time.Time
	call   *call
}

// checks are made in this order; each is one function and gives one diagnosis or
// more.
var checks = []struct {
	name string
	look func(patient) []diagnosis
}{
	{"plugin", checkPlugin},
	{"client", checkClient},
	{"answers", checkAnswers},
	{"autosave", checkAutoSave},
	{"binaries", checkBinaries},
	{"gate", checkGate},
	{"palace", checkPalace},
	{"where", checkWhere},
	{"why", checkWhy},
	{"switch", checkSwitch},
	{"runtime", checkRuntime},
	{"settings", checkSettings},
	{"store", checkStore},
	{"disputes", checkDisputes},
	{"journal", checkJournal},
	{"notes", checkNotes},
	{"git", checkGit},
	{"lock", checkLock},
	{"recall", checkRecall},
	{"log", checkLog},
	{"gone", checkGone},
	{"failures", checkFailures},
}

func (v doctorCmd) Run(c *call) error {
	c.json = v.JSON
	if v.ClearGone {
		if v.JSON {
			return usage("--clear-gone asks a person, and prints no JSON")
		}
		return c.clearGone()
	}
	s, _, err := c.here()
	if err != nil && c.session == "" {
		s, err = session.At(c.cwd)
	}
	if err != nil {
		return err
	}
	p := patient{Session: s, now: c.now(), call: c}
	if p.exe, err = os.Executable(); err == nil {
		p.exe, p.plugin = paths.Resolved(p.exe), paths.Plugin()
	}
	all := []diagnosis{}
	bad := 0
	for _, check := range checks {
		for _, f := range check.look(p) {
			f.Check = check.name
			f.State = cmp.Or(f.State, fine)
			if f.State == wrong {
				bad++
			}
			all = append(all, f)
			c.line("%-4s  %-8s  %s", f.State, f.Check, brief.Line(f.What))
			if f.Remedy != "" {
				c.line("                -> %s", brief.Line(f.Remedy))
			}
		}
	}
	c.value(all)
	if bad > 0 {
		return quiet{exitFailed}
	}
	return nil
}

// manifest is the part of plugin.json that doctor reads.
type manifest struct{ Name, Version string }

func checkPlugin(p patient) []diagnosis {
	path := filepath.Join(p.plugin, ".claude-plugin", "plugin.json")
	b, err := disk.Read(path, maxFile)
	var m manifest
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	switch {
	case err != nil:
		return []diagnosis{{State: wrong, What: fmt.Sprintf("%s is not in a plugin folder: %v", p.exe, err),
			Remedy: "run bin/keepsake of the installed plugin"}}
	case m.Version != version && version != "dev":
		return []diagnosis{{State: wrong,
			What:   fmt.Sprintf("this binary is %s, the plugin's manifest says %s", version, m.Version),
			Remedy: "make build in " + p.plugin}}
	}
	return []diagnosis{{What: fmt.Sprintf("%s %s in %s", m.Name, m.Version, p.plugin)}}
}

// checkBinaries looks for the hooks that hooks.json names and the programs that they
// and this one start, and whether they were built from the same source as this binary.
func checkBinaries(p patient) []diagnosis {
	events, err := readHooks(p.plugin)
	if err != nil {
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: "reinstall the plugin"}}
	}
	own, known := debug.ReadBuildInfo()
	var out []diagnosis
	var programs []string
	for _, name := range []string{"palace", "mempalace", "reading", "judge"} {
		programs = append(programs, paths.Libexec(name))
	}
	for _, event := range sortedKeys(events) {
		programs = append(programs, paths.Hook(event))
	}
	for _, path := range programs {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			out = append(out, diagnosis{State: wrong, What: err.Error(), Remedy: "make build in " + p.plugin})
			continue
		case info.Mode()&0o111 == 0:
			out = append(out, diagnosis{State: wrong, What: path + " cannot be executed",
				Remedy: "chmod +x " + path})
			continue
		}
		program, err := os.ReadFile(path)
		if err == nil && known {
			err = sameBuild(program, own)
		}
		if err != nil {
			out = append(out, diagnosis{State: wrong, What: fmt.Sprintf("%s: %v", path, err),
				Remedy: "make build in " + p.plugin})
		}
	}
	if len(out) == 0 {
		out = []diagnosis{{What: fmt.Sprintf("%s, the counter of palaces, the client of MemPalace, the "+
			"reader of Markdown and the judge of gate test in place, same build",
			count(len(events), "hook"))}}
	}
	return out
}

// maxFile bounds what is read of a file that is not ours, in bytes.
const maxFile = 16 << 20

func checkSwitch(patient) []diagnosis {
	if session.Off() {
		return []diagnosis{{State: noted,
			What: "KEEPSAKE=off: nothing is noticed or recalled; only the gate before a MemPalace write stays", Remedy: "unset KEEPSAKE"}}
	}
	return []diagnosis{{What: "on"}}
}

func checkRuntime(p patient) []diagnosis {
	dir, tier, err := p.Dirs.StageBase()
	switch {
	case err != nil:
		return []diagnosis{{State: wrong, What: err.Error(),
			Remedy: "log in through a session manager, or set XDG_RUNTIME_DIR to a directory of your own " +
				"with mode 0700"}}
	case tier == "cache":
		return []diagnosis{{State: noted, What: "drafts are staged in " + dir +
			": there is no private runtime directory",
			Remedy: "a runtime directory (XDG_RUNTIME_DIR, mode 0700) would be emptied at logout"}}
	}
	return []diagnosis{{What: fmt.Sprintf("drafts are staged in %s (%s)", dir, tier)}}
}

// plainKey says that a key means nothing to a shell: a project's file may have
// any.
func plainKey(key string) bool {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	return strings.Trim(key, plain) == "" && !strings.HasPrefix(key, "-")
}

// checkSettings shows what is wrong in the settings: bad where a value is not
// used, worth knowing where a key does nothing.
func checkSettings(p patient) []diagnosis {
	var out []diagnosis
	for _, w := range p.Warnings {
		f := diagnosis{State: wrong, What: w}
		file, rest, _ := strings.Cut(w, ": ")
		key, why, _ := strings.Cut(rest, ": ")
		ignored, flag := strings.HasPrefix(why, "ignored: "), ""
		switch file {
		case config.Environment.File():
			f.Remedy = "mend or unset the variable"
		case config.User.File():
			f.Remedy, flag = "mend it in "+p.Dirs.Settings(), " --user"
		case config.Project.File():
			f.Remedy = "mend it in " + p.Place.Settings()
		default:
			f.Remedy = "see what is there"
		}
		if ignored {
			f.State = noted
			if file != config.Environment.File() && plainKey(key) {
				f.Remedy = "keepsake config unset " + key + flag
			}
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		out = []diagnosis{{What: "no warnings"}}
	}
	return out
}

func checkStore(p patient) []diagnosis {
	loaded, err := p.Store().Load()
	if err != nil {
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: "see what is at " + p.MemoryRoot()}}
	}
	var out []diagnosis
	for _, b := range loaded.Bad {
		out = append(out, diagnosis{State: wrong, What: fmt.Sprintf("%s: %v", b.Path, b.Err),
			Remedy: remedy(p.MemoryRoot(), b)})
	}
	out = append(out, setAsideOf(p.MemoryRoot())...)
	if dir := readOnly(p.MemoryRoot()); dir != "" {
		out = append(out, diagnosis{State: noted, What: dir +
			" cannot be written: memories are recalled from it, and none can be saved",
			Remedy: "give yourself write permission to " + dir})
	}
	return append(out, diagnosis{What: fmt.Sprintf("%s in %s", count(len(loaded.Records), "memory"),
		p.MemoryRoot())})
}

// remedy says what to do about a file that cannot be read. It never costs a plan
// that was begun, or what somebody wrote by hand.
func remedy(root string, b store.Bad) string {
	path := filepath.Join(root, filepath.FromSlash(b.Path))
	_, gone := os.Lstat(path)
	switch {
	case b.Path == redoFile && isAbsent(gone):
		return "nothing can be finished of that save: look at what was to be saved in the file it is kept as, and save it again"
	case b.Path == redoFile && errors.Is(b.Err, memory.ErrNewer):
		return "update keepsake: it finishes the save; leave " + path + " as it is, it holds the save"
	case b.Path == redoFile && errors.Is(b.Err, disk.ErrNotRegular):
		return "move " + path + " away: no save is in it"
	case b.Path == redoFile:
		return "mend what it says is in the way: the next keepsake command then finishes the save; leave " + path + " as it is, it holds the save"
	case errors.Is(b.Err, store.ErrByHand):
		return "nothing is lost: keepsake history " + strings.TrimSuffix(filepath.Base(path), ".json") + " has the version of the save, if you want it"
	case errors.Is(b.Err, memory.ErrNewer):
		return "update keepsake; until then this record is left alone"
	case errors.Is(b.Err, memory.ErrMarkers):
		return "keep one side of each conflict in " + path + ", take the marker lines out, and git add it"
	}
	return "mend or remove " + path
}

// redoFile is the store's log of the save that is being made.
const redoFile = ".redo.json"

// setAsideOf lists what was in the place of the store's own files.
func setAsideOf(root string) (out []diagnosis) {
	names, _ := filepath.Glob(filepath.Join(globbed(root), "*.invalid.*")) // of files that begin with a dot too
	for _, name := range names {
		out = append(out, diagnosis{State: noted, What: name +
			" was in the place of a file of keepsake, and is set aside",
			Remedy: "look at it; nothing of keepsake needs it"})
	}
	return out
}

// readOnly returns the first folder that a save would need to write into and
// this user cannot, "" when there is none: the store, or where it would be made,
// and its folders.
func readOnly(root string) string {
	dirs := []string{existing(root)}
	for _, c := range memory.Categories() {
		dirs = append(dirs, filepath.Join(root, c.Folder()))
	}
	for _, d := range dirs {
		if !writable(d) {
			return d
		}
	}
	return ""
}

// existing is a folder, or the nearest above it that there is.
func existing(dir string) string {
	for {
		if _, err := os.Lstat(dir); !isAbsent(err) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// writable says whether this user can write into a folder; one that is absent is
// not in the way.
func writable(dir string) bool {
	const write = 2 // W_OK of access(2)
	err := syscall.Access(dir, write)
	return err == nil || isAbsent(err)
}

// checkGit looks whether memories that are committed are merged by us.
func checkGit(p patient) []diagnosis {
	if p.Place.Top == "" {
		return []diagnosis{{What: "the project is in no git repository"}}
	}
	rows, err := disk.Read(paths.Attributes(p.Root), maxFile)
	if err != nil || !strings.Contains(string(rows), "merge=keepsake") {
		if p.Root != p.Place.Home {
			return []diagnosis{{What: "this worktree shares the memories of " + p.Place.Home}}
		}
		return []diagnosis{{What: "memories are of this machine; keepsake git-setup shares them with a team"}}
	}
	driver, err := git(context.Background(), p.Root, "config", "--get", "merge.keepsake.driver")
	if saidNo(err) {
		return []diagnosis{{State: noted,
			What:   "memories are committed here and this clone has no merge driver for them",
			Remedy: "keepsake git-setup"}}
	}
	if err != nil {
		return []diagnosis{{State: noted, What: err.Error(), Remedy: "see why git does not run"}}
	}
	program := programOf(driver)
	if info, err := os.Stat(program); err != nil || info.Mode()&0o111 == 0 {
		return []diagnosis{{State: wrong, What: "the merge driver of memories " + program + " is not there",
			Remedy: "keepsake git-setup"}}
	}
	return []diagnosis{{What: "memories are committed, and merged by " + program}}
}

// lockLook is how long doctor waits to see whether the store's lock is free.
const lockLook = 200 * time.Millisecond

func checkLock(p patient) []diagnosis {
	path := filepath.Join(p.MemoryRoot(), ".lock")
	if _, err := os.Lstat(path); isAbsent(err) {
		return []diagnosis{{What: "never taken"}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockLook)
	defer cancel()
	l, err := disk.Exclusive(ctx, path)
	if err == nil {
		err = l.Unlock()
	}
	switch {
	case errors.Is(err, disk.ErrLocked):
		return []diagnosis{{State: noted, What: path + " is held: a save is running",
			Remedy: "if it stays so, look for a keepsake that hangs"}}
	case err != nil:
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: "see what is at " + path}}
	}
	return []diagnosis{{What: "free"}}
}

func checkRecall(p patient) []diagnosis {
	n := 0
	err := p.Index(func(index *recall.Index) error {
		n = index.Len()
		return nil
	})
	if err != nil {
		return []diagnosis{{State: wrong, What: "the search index cannot be made: " + err.Error(),
			Remedy: "see the findings of store; the index itself is a cache and can be deleted"}}
	}
	return []diagnosis{{What: "search index of " + count(n, "memory") + " is fresh"}}
}

// shownFailures is how many entries of the ledger doctor shows.
const shownFailures = 5

func checkFailures(p patient) []diagnosis {
	entries, err := journal.Failures(p.Ledger(), shownFailures)
	if err != nil {
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: "see what is at " + p.Ledger()}}
	}
	var out []diagnosis
	for _, e := range entries {
		what := fmt.Sprintf("%s ago, %s: %s", age(p.now.Sub(e.Time)), e.Where, e.What)
		if e.Why != "" {
			what += ": " + e.Why
		}
		out = append(out, diagnosis{State: noted, What: what})
	}
	if len(out) == 0 {
		out = []diagnosis{{What: "none recorded"}}
	}
	return out
}
