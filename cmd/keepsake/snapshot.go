package main

import (
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
	return `The client looks after its own memory files, and sometimes deletes some. When a session begins, when it ends and at the end of a turn, Keepsake keeps a copy of what changed in that directory: at most 30 snapshots (the last of each past day goes last) and 64 MiB, of files up to 512 KiB, in its own folder and readable by you only.

Examples:

    keepsake snapshot
    keepsake snapshot diff
    keepsake snapshot restore --dry-run
    keepsake snapshot restore billing.md --from 2026-11-20`
}

// snapTime is how long a verb copies what changed.
const snapTime = 10 * time.Second

// snapshots are the project's, the newest first, after what there is now was added.
type snapshots struct {
	*session.Session
	box snapshot.Box
	all []snapshot.Snapshot
	now snapshot.Snapshot
}

func (c *call) snapshots() (v snapshots, err error) {
	if v.Session, err = c.where(); err != nil {
		return v, err
	}
	if v.MemoryDir() == "" {
		return v, failed(errors.New("nothing says where the client keeps its memory"), "name the folder with the setting memdir.dir")
	}
	v.box = v.Snapshots()
	name, err := v.Snap(c.now(), snapTime)
	if err != nil {
		return v, err
	}
	if name == "" {
		return v, failed(fmt.Errorf("no memory files in %s, and no snapshot", brief.Line(v.MemoryDir())), "the client keeps none of this project; name the folder with memdir.dir if it is another")
	}
	if v.now, err = v.box.Load(name); err != nil {
		return v, err
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
	return v, err
}

// An earlier is a snapshot, what has changed since, and what of that was lost.
type earlier struct {
	number  int // from 1, the newest
	then    snapshot.Snapshot
	changed []snapshot.Change
	lost    []snapshot.File
}

func (v snapshots) at(i int) (e earlier, err error) {
	e.number, e.then = i+1, v.all[i]
	e.changed = v.Changed(e.then, v.now)
	e.lost, err = v.Lost(e.then, e.changed)
	return e, err
}

// find is the snapshot with that number, or the last one of that day, minute or second;
// "" is the newest since which a file was lost, else the newest that differs from what there
// is, else the newest.
func (v snapshots) find(which string) (earlier, error) {
	if which == "" {
		return v.last()
	}
	if n, err := strconv.Atoi(which); err == nil {
		if n < 1 || n > len(v.all) {
			return earlier{}, failed(fmt.Errorf("snapshot %d: there are %d", n, len(v.all)), "keepsake snapshot lists them")
		}
		return v.at(n - 1)
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
			if e, err := v.at(i); err != nil || e.then.Taken.Before(day.Add(f.last)) {
				return e, err
			}
		}
		return earlier{}, failed(fmt.Errorf("%s: no snapshot is that old", which), "keepsake snapshot lists them")
	}
	return earlier{}, usage("%s: want the number of a snapshot, or a date as 2026-11-20 or 2026-11-20T15:04, in UTC", which)
}

func (v snapshots) last() (differs earlier, err error) {
	for i := range v.all {
		e, err := v.at(i)
		if err != nil || len(e.lost) > 0 {
			return e, err
		}
		if differs.number == 0 && len(e.changed) > 0 {
			differs = e
		}
	}
	if differs.number == 0 {
		return v.at(0)
	}
	return differs, nil
}

const stampForm = "2006-01-02 15:04Z"

type snapshotListCmd struct {
	JSON bool `help:"Print one JSON array: number, taken, files."`
}

func (snapshotListCmd) Help() string {
	return `The same as keepsake snapshot alone: number, time, how many files there were, and what was deleted or changed since.

Example:

    keepsake snapshot list --json`
}

// snapshotJSON is a snapshot as list --json prints it.
type snapshotJSON struct {
	Number int       `json:"number"` // from 1, the newest
	Taken  time.Time `json:"taken"`
	Files  []string  `json:"files"`
}

func (l snapshotListCmd) Run(c *call) error {
	c.json = l.JSON
	v, err := c.snapshots()
	if err != nil {
		return err
	}
	out := []snapshotJSON{}
	for i := range v.all {
		e, err := v.at(i)
		if err != nil {
			c.note("%v", err)
			continue
		}
		s := snapshotJSON{e.number, e.then.Taken, []string{}}
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
	c.value(out)
	return nil
}

type snapshotDiffCmd struct {
	From string `arg:"" optional:"" help:"Number or date of a snapshot (default: the last one since which a file was deleted, else the last that differs)." placeholder:"N|DATE"`
	JSON bool   `help:"Print one JSON object: number, taken, gone, moved, changed, new."`
}

func (snapshotDiffCmd) Help() string {
	return `Which memory files are gone since a snapshot, under which name a text is now, and which lines of the others are in no file any more. What a plan of Keepsake's took away is marked: keepsake undo brings that back.

Examples:

    keepsake snapshot diff
    keepsake snapshot diff 3
    keepsake snapshot diff 2026-11-20`
}

// diffJSON is what snapshot diff --json prints.
type diffJSON struct {
	Number  int                 `json:"number"`
	Taken   time.Time           `json:"taken"`
	Gone    []string            `json:"gone"`  // by nobody knows whom
	Plans   []string            `json:"plans"` // by plans of keepsake's
	Moved   map[string]string   `json:"moved"`
	Changed map[string][]string `json:"changed"` // with the lines that are in no file any more
	New     []string            `json:"new"`
}

func (d snapshotDiffCmd) Run(c *call) error {
	c.json = d.JSON
	v, err := c.snapshots()
	if err != nil {
		return err
	}
	e, err := v.find(d.From)
	if err != nil {
		return err
	}
	out := diffJSON{Number: e.number, Taken: e.then.Taken, Gone: []string{}, Plans: []string{}, Moved: map[string]string{}, Changed: map[string][]string{}, New: []string{}}
	c.line("Since snapshot %d of %s, in %s:", e.number, e.then.Taken.Format(stampForm), brief.Line(v.MemoryDir()))
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
		c.line("keepsake snapshot restore brings back what is gone; with the name of a file, its old version")
	}
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
