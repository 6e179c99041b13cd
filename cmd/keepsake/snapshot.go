package main

import (
	"errors"
	"fmt"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/recovery"
)

type snapshotCmd struct {
	List    snapshotListCmd    `cmd:"" default:"withargs" help:"List the snapshots there are."`
	Diff    snapshotDiffCmd    `cmd:"" help:"Say what was deleted or changed since a snapshot."`
	Restore snapshotRestoreCmd `cmd:"" help:"Bring deleted files back, or the old version of those you name."`
}

func (snapshotCmd) Help() string {
	return `The client looks after its own memory files, and sometimes deletes some. When a session begins
or ends and at the end of a turn, Keepsake copies what changed in that directory and in the root scope's
(scope.root). It keeps at most 30 snapshots and 64 MiB of each, of files up to 512 KiB, readable by you
only. When there are too many, the last snapshot of each past day is kept longest.

Examples:

    keepsake md snapshot
    keepsake md snapshot diff
    keepsake md snapshot restore --dry-run
    keepsake md snapshot restore billing.md --from 2026-11-20`
}

// snapshots opens the snapshots of the named directory, or of the project's and the root scope's if none
// is named.
func (c *call) snapshots(named string) ([]recovery.Directory, error) {
	s, err := c.where()
	if err != nil {
		return nil, err
	}
	if named != "" {
		named = c.notesOf(s, named).root
	}
	dirs, err := recovery.Directories(s, named)
	if err != nil {
		return nil, err
	}
	all, err := recovery.Open(s, dirs, c.now(), c.warning)
	if err == nil && len(all) == 0 {
		err = failed(fmt.Errorf("no memory files in %s, and no snapshot", brief.Line(dirs[0])),
			"the client keeps none of this project; name the folder with memdir.dir if it is another")
	}
	return all, err
}

// pickSnapshot returns the snapshot that which names. several reports that more than one directory has
// snapshots.
func (c *call) pickSnapshot(dir, which string, files []string) (p recovery.Pick, several bool, err error) {
	all, err := c.snapshots(dir)
	if err != nil {
		return p, false, err
	}
	p, err = recovery.Choose(all, which, files, c.warning)
	if errors.Is(err, recovery.ErrWhich) {
		err = usage("%v", err)
	}
	return p, len(all) > 1, err
}

// warning notes an error that did not stop the call.
func (c *call) warning(err error) { c.note("%v", err) }

// tellAlso prints the other directories that lost files.
func (c *call) tellAlso(p recovery.Pick) {
	for _, dir := range p.Also {
		c.line("more files are gone: keepsake md snapshot diff --dir %s", brief.ShellWord(brief.Line(dir)))
	}
}

const stampForm = "2006-01-02 15:04Z"

type snapshotListCmd struct {
	Dir  string `help:"Only the snapshots of this directory." placeholder:"DIR"`
	JSON bool   `help:"Print one JSON array: number, dir, taken, files."`
}

func (snapshotListCmd) Help() string {
	return `The same as keepsake md snapshot alone: number, time, how many files there were, and what was
deleted or changed since. Where a root scope is set (scope.root), its directory follows the project's.

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
			c.line("in %s:", brief.Line(v.Root))
		}
		out = append(out, tellSnapshots(c, v)...)
	}
	c.value(out)
	return nil
}

// tellSnapshots prints and returns the snapshots of one directory.
func tellSnapshots(c *call, d recovery.Directory) (out []snapshotJSON) {
	for i := range d.Versions() {
		v, err := d.Version(i)
		if err != nil {
			c.note("%v", err)
			continue
		}
		s := snapshotJSON{v.Number, d.Root, v.Taken, []string{}}
		for _, f := range v.Files {
			s.Files = append(s.Files, f.Name)
		}
		out = append(out, s)
		gone, changed := v.Since()
		since := ""
		if gone+changed > 0 {
			since = fmt.Sprintf("  since then %s gone, %s changed", count(gone, "file"),
				count(changed, "file"))
		}
		c.line("%2d  %s  %s%s", v.Number, v.Taken.Format(stampForm), count(len(v.Files), "file"), since)
	}
	return out
}

type snapshotDiffCmd struct {
	From string `arg:"" optional:"" help:"Number or date of a snapshot (default: the last one since which a file was deleted, else the last that differs)." placeholder:"N|DATE"`
	Dir  string `help:"Of this directory (default: the project's, or the root scope's where only there files were deleted or changed)." placeholder:"DIR"`
	JSON bool   `help:"Print one JSON object: number, dir, taken, gone, moved, changed, new."`
}

func (snapshotDiffCmd) Help() string {
	return `Lists the memory files that are gone since a snapshot, the new name of a text that was moved,
and the lines of other files that no file has any more. What a plan of Keepsake's removed is marked:
keepsake undo brings that back.

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
	Gone    []string            `json:"gone"`  // deleted, but not by a plan of Keepsake's
	Plans   []string            `json:"plans"` // deleted by plans of Keepsake's
	Moved   map[string]string   `json:"moved"`
	Changed map[string][]string `json:"changed"` // with the lines that no file has any more
	New     []string            `json:"new"`
}

func (d snapshotDiffCmd) Run(c *call) error {
	c.json = d.JSON
	p, _, err := c.pickSnapshot(d.Dir, d.From, nil)
	if err != nil {
		return err
	}
	out := diffJSON{Number: p.Number, Dir: p.Root, Taken: p.Taken, Gone: []string{}, Plans: []string{},
		Moved: map[string]string{}, Changed: map[string][]string{}, New: []string{}}
	c.line("Since snapshot %d of %s, in %s:", p.Number, p.Taken.Format(stampForm), brief.Line(p.Root))
	changes, err := p.Changes(c.warning)
	if err != nil {
		return err
	}
	for _, ch := range changes {
		name := brief.Line(ch.Name)
		switch ch.Kind {
		case recovery.New:
			out.New = append(out.New, ch.Name)
			c.line("new      %s", name)
		case recovery.Moved:
			out.Moved[ch.Name] = ch.To
			c.line("moved    %s to %s", name, brief.Line(ch.To))
		case recovery.Planned:
			out.Plans = append(out.Plans, ch.Name)
			c.line("gone     %s, by a plan (keepsake undo)", name)
		case recovery.Gone:
			out.Gone = append(out.Gone, ch.Name)
			c.line("gone     %s%s", name, brief.Line(ch.About))
		default:
			out.Changed[ch.Name] = ch.Lines
			lost := ""
			if n := len(ch.Lines); n > 0 {
				lost = ", " + count(n, "line") + " gone"
			}
			c.line("changed  %s%s", name, lost)
			for _, l := range ch.Lines {
				c.line("           - %s", brief.Line(l))
			}
		}
	}
	switch {
	case len(p.Version.Changed) == 0:
		c.line("nothing was deleted or changed")
	case len(p.Lost) > 0:
		c.line("keepsake md snapshot restore brings back what is gone; with the name of a file, its old " +
			"version")
	}
	c.tellAlso(p)
	c.value(out)
	return nil
}
