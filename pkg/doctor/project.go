package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/journal"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/approvers"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

const (
	see      = "see what is at "
	letWrite = "give yourself write permission to "
)

// checkSettings reports the warnings about the settings: a value that is not used is bad, a key without
// effect only worth knowing.
func checkSettings(p Patient, r *report) {
	for _, w := range p.Warnings {
		file, rest, _ := strings.Cut(w, ": ")
		key, why, _ := strings.Cut(rest, ": ")
		remedy, flag := "see what is there", ""
		switch file {
		case config.Environment.File():
			remedy = "mend or unset the variable"
		case config.User.File():
			remedy, flag = "mend it in "+p.Dirs.Settings(), " --user"
		case config.Project.File():
			remedy = "mend it in " + p.Place.Settings()
		}
		if !strings.HasPrefix(why, "ignored: ") {
			r.bad(remedy, "%s", w)
			continue
		}
		if file != config.Environment.File() && isPlainKey(key) {
			remedy = "keepsake config unset " + key + flag
		}
		r.note(remedy, "%s", w)
	}
}

// isPlainKey reports whether a key means nothing to a shell: a project's file may have any.
func isPlainKey(key string) bool {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	return strings.Trim(key, plain) == "" && !strings.HasPrefix(key, "-")
}

func checkStore(p Patient, r *report) {
	root := p.MemoryRoot()
	if err := p.Writable(); err != nil {
		why, remedy, _ := strings.Cut(err.Error(), "; hint: ")
		r.bad(remedy, "%s: no memory is saved", why)
		return
	}
	loaded, err := p.Store().Load()
	if err != nil {
		r.bad(see+root, "%v", err)
		return
	}
	for _, b := range loaded.Bad {
		r.bad(mendFile(root, b), "%s: %v", b.Path, b.Err)
	}
	reportSetAside(root, r)
	if dir := unwritable(root); dir != "" {
		r.note(letWrite+dir, "%s cannot be written: memories are recalled from it, and none can be saved",
			dir)
	}
	r.ok("%s in %s", text.Count(len(loaded.Records), "memory"), root)
}

// redoFile is the store's log of the save that is being made.
const redoFile = ".redo.json"

// mendFile returns what to do about a file that cannot be read. The advice never loses a plan that was
// begun, or something that a person wrote by hand.
func mendFile(root string, b store.Bad) string {
	path := filepath.Join(root, filepath.FromSlash(b.Path))
	_, gone := os.Lstat(path)
	switch {
	case b.Path == redoFile && isAbsent(gone):
		return "nothing can be finished of that save: look at what was to be saved in the file it is kept " +
			"as, and save it again"
	case b.Path == redoFile && errors.Is(b.Err, memory.ErrNewer):
		return "update keepsake: it finishes the save; leave " + path + " as it is, it holds the save"
	case b.Path == redoFile && errors.Is(b.Err, disk.ErrNotRegular):
		return "move " + path + " away: no save is in it"
	case b.Path == redoFile:
		return "mend what it says is in the way: the next keepsake command then finishes the save; leave " +
			path +
			" as it is, it holds the save"
	case errors.Is(b.Err, store.ErrByHand):
		return "nothing is lost: keepsake records history " +
			strings.TrimSuffix(filepath.Base(path), ".json") +
			" has the version of the save, if you want it"
	case errors.Is(b.Err, memory.ErrNewer):
		return "update keepsake; until then this record is left alone"
	case errors.Is(b.Err, memory.ErrMarkers):
		return "keep one side of each conflict in " + path + ", take the marker lines out, and git add it"
	}
	return "mend or remove " + path
}

// reportSetAside reports the files that were in the place of the store's own files and were set aside.
func reportSetAside(root string, r *report) {
	files, _ := os.ReadDir(root)
	for _, f := range files {
		if strings.Contains(f.Name(), ".invalid.") {
			r.note("look at it; nothing of keepsake needs it",
				"%s was in the place of a file of keepsake, and is set aside", filepath.Join(root, f.Name()))
		}
	}
}

// unwritable returns the first folder in which a save has to write and this user cannot, or "" if there
// is none. It tries the store and its folders, or the folder in which the store would be made.
func unwritable(root string) string {
	dirs := []string{existing(root)}
	for _, c := range memory.Categories() {
		dirs = append(dirs, filepath.Join(root, c.Folder()))
	}
	if i := slices.IndexFunc(dirs, func(d string) bool { return !writable(d) }); i >= 0 {
		return dirs[i]
	}
	return ""
}

// existing returns a folder, or the nearest above it that there is.
func existing(dir string) string {
	for {
		if _, err := os.Lstat(dir); !isAbsent(err) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// writable reports whether this user can write into a folder; one that is absent is
// not in the way.
func writable(dir string) bool {
	const write = 2 // W_OK of access(2)
	err := syscall.Access(dir, write)
	return err == nil || isAbsent(err)
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// checkJournal reports whether the whole journal of findings can be read.
func checkJournal(p Patient, r *report) {
	path := string(p.Journal())
	broken, err := p.BrokenFindings()
	switch {
	case err != nil:
		r.bad("look at the file; moved away, a new one is begun", "%s: %v", path, err)
	case broken > 0:
		r.bad("look at the file; the rest of it is in use",
			"%s: %s cannot be read, and what it noted is passed over",
			path, text.Count(broken, "line"))
	default:
		r.ok("what was noticed is in %s", path)
	}
}

// OwnLogs returns the names of the logs of days that Keepsake wrote in a directory of Markdown memories.
func OwnLogs(dir string, now time.Time) ([]string, error) {
	d, err := session.ReadMemories(dir, now, func(string, string) {})
	return memdir.OwnLogs(d), err
}

// checkNotes reports the directories of Markdown memories, and what is wrong with the files that Keepsake
// keeps about them in its own folder.
func checkNotes(p Patient, r *report) {
	p.Settle()
	for _, dir := range p.MemoryDirs() {
		dir = filepath.Clean(dir)
		own := p.Beside(dir)
		redo := filepath.Join(own, redoFile)
		if _, err := os.Lstat(redo); !isAbsent(err) {
			r.bad(fmt.Sprintf("see that %s and %s can be written, or update keepsake: the next command then "+
				"finishes it; leave %s as it is", dir, own, redo),
				"a plan for %s is begun and not finished", dir)
		}
		reportSetAside(own, r)
		if left := p.Notes(dir).Leftovers(p.Now); len(left) > 0 {
			r.bad("the next session removes them: no memory is in them that is not in a file as well",
				"%s, half written and left behind: %s", text.Count(len(left), "file"), left[0])
		}
		if p.IsClients(dir) && !p.KeepsLog(dir) {
			if logs, err := OwnLogs(dir, p.Now); err == nil && len(logs) > 0 {
				r.note("keepsake doctor --clear-logs removes them after a yes; "+
					"keepsake config set --user memdir.log true keeps such logs",
					"%s in %s: the client points to each in what every session loads",
					text.Count(len(logs), "log")+" of days", dir)
			}
		}
		all, more, err := mdwalk.List(dir)
		switch {
		case isAbsent(err):
			r.ok("no Markdown memories yet in %s", dir)
		case err != nil:
			r.bad(see+dir, "%v", err)
		case more:
			r.ok("more than %s of Markdown memories in %s", text.Count(len(all), "file"), dir)
		default:
			r.ok("%s of Markdown memories in %s", text.Count(len(all), "file"), dir)
		}
	}
}

// checkGit reports whether Keepsake's merge driver merges committed memories.
func checkGit(p Patient, r *report) {
	if p.Place.Top == "" {
		r.ok("the project is in no git repository")
		return
	}
	rows, err := disk.Read(layout.Attributes(p.Root), maxFile)
	if err != nil || !strings.Contains(string(rows), "merge=keepsake") {
		if p.Root != p.Place.Home {
			r.ok("this worktree shares the memories of %s", p.Place.Home)
		} else {
			r.ok("memories are of this machine; keepsake team git-setup shares them with a team")
		}
		return
	}
	driver, err := git.Run(context.Background(), p.Root, "config", "--get", "merge.keepsake.driver")
	if git.SaidNo(err) {
		r.note("keepsake team git-setup",
			"memories are committed here and this clone has no merge driver for them")
		return
	}
	if err != nil {
		r.note("see why git does not run", "%v", err)
		return
	}
	program := git.DriverProgram(driver)
	if info, err := os.Stat(program); err != nil || info.Mode()&0o111 == 0 {
		r.bad("keepsake team git-setup", "the merge driver of memories %s is not there", program)
		return
	}
	r.ok("memories are committed, and merged by %s", program)
}

// checkApprovers reports whether signatures of approvers count, and those that don't.
func checkApprovers(p Patient, r *report) {
	a, err := p.Approvers()
	path := filepath.Join(p.MemoryRoot(), approvers.Name)
	switch {
	case err != nil:
		r.bad(see+path, "%v", err)
		return
	case len(a.Text) == 0:
		r.ok("no signature counts: the project has no approvers of memories")
		return
	case a.Waits():
		r.note("keepsake review", "%s waits for your answer: until then no signature counts", path)
		return
	case !a.Accepted():
		r.ok("no signature counts: you said no to %s", path)
		return
	}
	if _, err := approvers.FindTool(p.Place.Dir, p.Place.Home, p.Place.Top); err != nil {
		r.note("install OpenSSH", "%v: what approvers signed from now on is held", err)
		return
	}
	lines, err := p.RefusedLists(a)
	if err != nil {
		r.bad(see+filepath.Join(p.MemoryRoot(), approvers.Folder), "%v", err)
	}
	for _, line := range lines {
		r.note("its memories wait in keepsake review; whoever approves them signs again: keepsake team sign",
			"%s", brief.Line(line))
	}
	r.ok("what the approvers sign is accepted: %s", path)
}

// lockLook is how long doctor waits to see whether the store's lock is free.
const lockLook = 200 * time.Millisecond

func checkLock(p Patient, r *report) {
	path := filepath.Join(p.MemoryRoot(), ".lock")
	if _, err := os.Lstat(path); isAbsent(err) {
		r.ok("never taken")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockLook)
	defer cancel()
	l, err := disk.Exclusive(ctx, path)
	if err == nil {
		err = l.Unlock()
	}
	switch {
	case errors.Is(err, disk.ErrLocked):
		r.note("if it stays so, look for a keepsake that hangs", "%s is held: a save is running", path)
	case err != nil:
		r.bad(see+path, "%v", err)
	default:
		if has, err := disk.Flocks(path); err == nil && !has {
			r.note(brief.NoLocks, "free; %s is on a file system without flock, so files stand in for locks",
				filepath.Dir(path))
			return
		}
		r.ok("free")
	}
}

func checkRecall(p Patient, r *report) {
	n := 0
	err := p.Index(func(index *records.Index) error {
		n = index.Len()
		return nil
	})
	if err != nil {
		r.bad("see what the check of the store says; the index itself is a cache and can be deleted",
			"the search index cannot be made: %v", err)
		return
	}
	r.ok("search index of %s is fresh", text.Count(n, "memory"))
}

// checkLog reports whether events are logged, and where, how many and since when. A log that cannot be
// written loses events silently.
func checkLog(p Patient, r *report) {
	dir := p.Dirs.Of(p.Place.Home).Events()
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		r.bad(see+dir, "%s is no folder, so no event is logged", dir)
		return
	}
	var of journal.Extent
	if err == nil || isAbsent(err) {
		of, err = journal.Events{Dir: dir}.Extent()
	}
	if err != nil {
		r.bad(see+dir, "%v", err)
		return
	}
	held := "nothing yet"
	if of.Files > 0 {
		held = fmt.Sprintf("%s in %s since %s", text.Size(of.Bytes), text.Count(of.Files, "file"),
			of.First.Format(time.DateOnly))
	}
	l := p.Config.Logging
	if p.Config.Budget.TokensPerDay > 0 && (!l.Enabled || !event.Info.AtLeast(event.Level(l.Level))) {
		r.bad("keepsake config set logging.enabled on; keepsake config set logging.level info",
			"what memory costs is not logged, so budget.tokens_per_day limits nothing")
		return
	}
	if !l.Enabled {
		r.note("keepsake config set logging.enabled on", "off by the settings; %s holds %s", dir, held)
		return
	}
	if d := existing(dir); !writable(d) {
		r.bad(letWrite+d, "%s cannot be written, so no event is logged", d)
		return
	}
	kept := "until it is full"
	if l.RetentionDays > 0 {
		kept = "for " + text.Count(l.RetentionDays, "day")
	}
	r.ok("on, from level %s, kept %s: %s holds %s", l.Level, kept, dir, held)
}

// checkGone reports the projects whose folders are gone and of which nothing was written for long. It
// leaves out folders that may be on a disk that is not mounted.
func checkGone(p Patient, r *report) {
	gone, err := session.GoneProjects(p.Place.Place, p.Now)
	if err != nil {
		r.note(see+p.Dirs.State, "not all projects could be looked at: %v", err)
	}
	for _, g := range gone {
		r.note("keepsake doctor --clear-gone, which asks; or leave it, if the folder comes back",
			"%s is gone, and nothing was written of it for %s: %d KiB", g.Root, p.age(g.Written),
			(g.Bytes+1023)/1024)
	}
}

// shownFailures is how many entries of the ledger doctor shows.
const shownFailures = 5

func checkFailures(p Patient, r *report) {
	entries, err := journal.Failures(p.Ledger(), shownFailures)
	if err != nil {
		r.bad(see+p.Ledger(), "%v", err)
		return
	}
	for _, e := range entries {
		what := e.What
		if e.Why != "" {
			what += ": " + e.Why
		}
		r.note("", "%s ago, %s: %s", p.age(e.Time), e.Where, what)
	}
}
