package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/session"
	"keepsake/pkg/snapshot"
)

type snapshotCmd struct {
	List    snapshotListCmd    `cmd:"" default:"withargs" help:"List the snapshots there are."`
	Diff    snapshotDiffCmd    `cmd:"" help:"Say what was deleted or changed since a snapshot."`
	Restore snapshotRestoreCmd `cmd:"" help:"Bring deleted files back, or the old version of those you name."`
}

func (snapshotCmd) Help() string {
	return `The client looks after its own memory files, and sometimes deletes some. When a session begins, when it ends and at the end of a turn, Keepsake keeps a copy of what changed in that directory, and in the root scope's (scope.root): of each at most 30 snapshots (the last of each past day goes last) and 64 MiB, of files up to 512 KiB, in its own folder and readable by you only.

Examples:

    keepsake md snapshot
    keepsake md snapshot diff
    keepsake md snapshot restore --dry-run
    keepsake md snapshot restore billing.md --from 2026-11-20`
}

// snapTime is how long a verb copies what changed.
const snapTime = 10 * time.Second

// snapshots are those of one directory, the newest first, after what there is now was added.
type snapshots struct {
	*session.Session
	at    place
	box   snapshot.Box
	first int // number of the newest; those of a second directory go on counting
	all   []snapshot.Snapshot
	now   snapshot.Snapshot
}

// snapshots are those of the project's directory and of the root scope's, of the one that
// is named or of both.
func (c *call) snapshots(named string) (all []snapshots, err error) {
	s, err := c.where()
	if err != nil {
		return nil, err
	}
	places := c.memoryDirs(s, "")
	if len(places) == 0 {
		return nil, failed(errors.New("nothing says where the client keeps its memory"), "name the folder with the setting memdir.dir")
	}
	if named != "" {
		want := s.Beside(c.notesOf(s, named).root)
		places = slices.DeleteFunc(places, func(at place) bool { return s.Beside(at.root) != want })
		if len(places) == 0 {
			return nil, failed(fmt.Errorf("%s: no snapshots are kept of it", brief.Line(named)), "--dir wants the project's directory of memories or the root scope's (scope.root): keepsake md snapshot names them")
		}
	}
	// one directory may have two names
	places = slices.CompactFunc(places, func(a, b place) bool { return s.Beside(a.root) == s.Beside(b.root) })
	next := 1
	for _, at := range places {
		v := snapshots{Session: s, at: at, box: s.Snapshots(at.root), first: next}
		if err := v.load(c); err != nil {
			return nil, err
		}
		if next += len(v.all); len(v.all) > 0 {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, failed(fmt.Errorf("no memory files in %s, and no snapshot", brief.Line(places[0].root)), "the client keeps none of this project; name the folder with memdir.dir if it is another")
	}
	return all, nil
}

// load takes a snapshot and reads all there are.
func (v *snapshots) load(c *call) error {
	_, is, err := v.Snap(v.at.root, c.now(), snapTime)
	if err != nil || is.Name == "" {
		return err
	}
	if v.now, err = v.box.Load(is.Name); err != nil {
		return err
	}
	names, err := v.box.Names()
	slices.Reverse(names)
	for _, name := range names {
		s, err := v.box.Load(name)
		if err != nil { // the others are as good as before
			c.note("%v", err)
			continue
		}
		v.all = append(v.all, s)
	}
	return err
}

// An earlier is a snapshot, what has changed since, and what of that was lost.
type earlier struct {
	number  int // from 1, the newest
	then    snapshot.Snapshot
	changed []snapshot.Change
	lost    []snapshot.File
}

func (v snapshots) earlier(i int) (e earlier, err error) {
	e.number, e.then = v.first+i, v.all[i]
	e.changed = v.Changed(v.at.root, e.then, v.now)
	e.lost, err = v.Lost(v.at.root, e.then, e.changed)
	return e, err
}

// A pick is what somebody asks for of the snapshots of one directory.
type pick struct {
	snapshots
	earlier
	// also are the directories of the others of which something was lost.
	also []string
}

// choose picks a snapshot: by its number; else find names one in each directory, and that of
// the directory is meant which had those files at any time, where there are any, and then the
// one since which a file was lost, or any has changed. Files that both had are refused.
func (c *call) choose(all []snapshots, which string, files []string) (pick, error) {
	if n, err := strconv.Atoi(which); err == nil {
		for _, v := range all {
			if i := n - v.first; i >= 0 && i < len(v.all) {
				e, err := v.earlier(i)
				return pick{snapshots: v, earlier: e}, err
			}
		}
		last := all[len(all)-1]
		return pick{}, failed(fmt.Errorf("snapshot %d: there are %d", n, last.first+len(last.all)-1), "keepsake md snapshot lists them")
	}
	var found []pick
	for i, v := range all {
		e, err := v.find(which)
		if err == nil {
			found = append(found, pick{snapshots: v, earlier: e})
		} else if i == len(all)-1 && len(found) == 0 {
			return pick{}, err
		} else {
			c.note("%s: %v", brief.Line(v.at.root), err)
		}
	}
	if len(files) > 0 {
		with := slices.DeleteFunc(slices.Clone(found), func(p pick) bool { return !p.had(files) })
		switch len(with) {
		case 0: // whichever: it says that it has none
		case 1:
			return with[0], nil
		default:
			return pick{}, failed(fmt.Errorf("%s: is in snapshots of %s and of %s", brief.Line(files[0]), brief.Line(with[0].at.root), brief.Line(with[1].at.root)), "say which one is meant with --dir DIR")
		}
	}
	best := slices.MinFunc(found, func(a, b pick) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, p := range found {
		if len(p.lost) > 0 && p.at.root != best.at.root {
			best.also = append(best.also, p.at.root)
		}
	}
	return best, nil
}

// rank is lower the more there is to say of a pick.
func (p pick) rank() int {
	switch {
	case len(p.lost) > 0:
		return 0
	case len(p.changed) > 0:
		return 1
	}
	return 2
}

// tellAlso says of which other directory something was lost.
func (p pick) tellAlso(c *call) {
	for _, dir := range p.also {
		c.line("more files are gone: keepsake md snapshot diff --dir %s", brief.ShellWord(brief.Line(dir)))
	}
}

// find is the last snapshot of that day, minute or second; "" is the newest since which a
// file was lost, else the newest that differs from what there is, else the newest.
func (v snapshots) find(which string) (earlier, error) {
	if which == "" {
		return v.last()
	}
	for _, f := range []struct {
		form string
		last time.Duration
	}{{time.DateOnly, 24 * time.Hour}, {"2006-01-02T15:04", time.Minute}, {"2006-01-02 15:04", time.Minute}, {brief.SnapshotTime, time.Second}} {
		day, err := time.Parse(f.form, strings.TrimSuffix(which, "Z"))
		if err != nil {
			continue
		}
		for i := range v.all {
			if e, err := v.earlier(i); err != nil || e.then.Taken.Before(day.Add(f.last)) {
				return e, err
			}
		}
		return earlier{}, failed(fmt.Errorf("%s: no snapshot is that old", which), "keepsake md snapshot lists them")
	}
	return earlier{}, usage("%s: want the number of a snapshot, or a date as 2026-11-20 or 2026-11-20T15:04, in UTC", which)
}

func (v snapshots) last() (differs earlier, err error) {
	for i := range v.all {
		e, err := v.earlier(i)
		if err != nil || len(e.lost) > 0 {
			return e, err
		}
		if differs.number == 0 && len(e.changed) > 0 {
			differs = e
		}
	}
	if differs.number == 0 {
		return v.earlier(0)
	}
	return differs, nil
}

const stampForm = "2006-01-02 15:04Z"

type snapshotListCmd struct {
	Dir  string `help:"Only the snapshots of this directory." placeholder:"DIR"`
	JSON bool   `help:"Print one JSON array: number, dir, taken, files."`
}

func (snapshotListCmd) Help() string {
	return `The same as keepsake md snapshot alone: number, time, how many files there were, and what was deleted or changed since. Where a root scope is set (scope.root), its directory follows the project's.

Example:

    keepsake md snapshot list --json`
}

// snapshotJSON is a snapshot as list --json prints it.
type snapshotJSON struct {
	Number int       `json:"number"` // from 1, the newest
	Dir    string    `json:"dir"`
	Taken  time.Time `json:"taken"`
	Files  []string  `json:"files"`
}

func (l snapshotListCmd) Run(c *call) error {
	c.json = l.JSON
	all, err := c.snapshots(l.Dir)
	if err != nil {
		return err
	}
	out := []snapshotJSON{}
	for _, v := range all {
		if len(all) > 1 {
			c.line("in %s:", brief.Line(v.at.root))
		}
		out = append(out, v.list(c)...)
	}
	c.value(out)
	return nil
}

// list tells of the snapshots of one directory.
func (v snapshots) list(c *call) (out []snapshotJSON) {
	for i := range v.all {
		e, err := v.earlier(i)
		if err != nil {
			c.note("%v", err)
			continue
		}
		s := snapshotJSON{e.number, v.at.root, e.then.Taken, []string{}}
		for _, f := range e.then.Files {
			s.Files = append(s.Files, f.Name)
		}
		out = append(out, s)
		since := ""
		for _, c := range e.changed {
			switch {
			case c.Is == (snapshot.File{}):
				since += "-"
			case c.Was != (snapshot.File{}):
				since += "~"
			}
		}
		if n, m := strings.Count(since, "-"), strings.Count(since, "~"); n+m > 0 {
			since = fmt.Sprintf("  since then %s gone, %s changed", count(n, "file"), count(m, "file"))
		}
		c.line("%2d  %s  %s%s", e.number, e.then.Taken.Format(stampForm), count(len(e.then.Files), "file"), since)
	}
	return out
}

type snapshotDiffCmd struct {
	From string `arg:"" optional:"" help:"Number or date of a snapshot (default: the last one since which a file was deleted, else the last that differs)." placeholder:"N|DATE"`
	Dir  string `help:"Of this directory (default: the project's, or the root scope's where only there files were deleted or changed)." placeholder:"DIR"`
	JSON bool   `help:"Print one JSON object: number, dir, taken, gone, moved, changed, new."`
}

func (snapshotDiffCmd) Help() string {
	return `Which memory files are gone since a snapshot, under which name a text is now, and which lines of the others are in no file any more. What a plan of Keepsake's took away is marked: keepsake undo brings that back.

Examples:

    keepsake md snapshot diff
    keepsake md snapshot diff 3
    keepsake md snapshot diff 2026-11-20`
}

// diffJSON is what snapshot diff --json prints.
type diffJSON struct {
	Number  int                 `json:"number"`
	Dir     string              `json:"dir"`
	Taken   time.Time           `json:"taken"`
	Gone    []string            `json:"gone"`  // by nobody knows whom
	Plans   []string            `json:"plans"` // by plans of keepsake's
	Moved   map[string]string   `json:"moved"`
	Changed map[string][]string `json:"changed"` // with the lines that are in no file any more
	New     []string            `json:"new"`
}

func (d snapshotDiffCmd) Run(c *call) error {
	c.json = d.JSON
	all, err := c.snapshots(d.Dir)
	if err != nil {
		return err
	}
	p, err := c.choose(all, d.From, nil)
	if err != nil {
		return err
	}
	v, e := p.snapshots, p.earlier
	out := diffJSON{Number: e.number, Dir: v.at.root, Taken: e.then.Taken, Gone: []string{}, Plans: []string{}, Moved: map[string]string{}, Changed: map[string][]string{}, New: []string{}}
	c.line("Since snapshot %d of %s, in %s:", e.number, e.then.Taken.Format(stampForm), brief.Line(v.at.root))
	said, err := v.lines(v.now)
	if err != nil {
		return err
	}
	for _, ch := range e.changed {
		name := brief.Line(ch.Was.Name)
		switch {
		case ch.Was == (snapshot.File{}):
			out.New = append(out.New, ch.Is.Name)
			c.line("new      %s", brief.Line(ch.Is.Name))
		case ch.Moved != "":
			out.Moved[ch.Was.Name] = ch.Moved
			c.line("moved    %s to %s", name, brief.Line(ch.Moved))
		case ch.Is == (snapshot.File{}) && !slices.Contains(e.lost, ch.Was):
			out.Plans = append(out.Plans, ch.Was.Name)
			c.line("gone     %s, by a plan (keepsake undo)", name)
		case ch.Is == (snapshot.File{}):
			out.Gone = append(out.Gone, ch.Was.Name)
			about := ""
			if text, err := v.box.Read(ch.Was); err != nil {
				about = " (" + err.Error() + ")"
			} else if d := memdir.AboutOf(text[:min(len(text), memdir.HeadBytes)]); d.Description != "" {
				about = ": " + d.Description
			}
			c.line("gone     %s%s", name, brief.Line(about))
		default:
			gone, err := v.missing(ch.Was, said)
			if err != nil {
				c.note("%v", err)
				continue
			}
			out.Changed[ch.Was.Name] = gone
			c.line("changed  %s%s", name, lost(len(gone)))
			for _, l := range gone {
				c.line("           - %s", brief.Line(l))
			}
		}
	}
	switch {
	case len(e.changed) == 0:
		c.line("nothing was deleted or changed")
	case len(e.lost) > 0:
		c.line("keepsake md snapshot restore brings back what is gone; with the name of a file, its old version")
	}
	p.tellAlso(c)
	c.value(out)
	return nil
}

func lost(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + count(n, "line") + " gone"
}

// lines are all lines of all files, as far as they are kept.
func (v snapshots) lines(s snapshot.Snapshot) (map[string]bool, error) {
	said := map[string]bool{}
	for _, f := range s.Files {
		if f.Digest == "" {
			continue
		}
		text, err := v.box.Read(f)
		if err != nil {
			return nil, err
		}
		for l := range strings.SplitSeq(string(text), "\n") {
			said[strings.TrimSpace(l)] = true
		}
	}
	return said, nil
}

// missing are the lines of a file as it was that none of those says.
func (v snapshots) missing(was snapshot.File, said map[string]bool) (gone []string, err error) {
	text, err := v.box.Read(was)
	gone = []string{}
	for l := range strings.SplitSeq(string(text), "\n") {
		if l = strings.TrimSpace(l); l != "" && !said[l] {
			gone = append(gone, l)
		}
	}
	return gone, err
}
