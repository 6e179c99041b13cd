package main

import (
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

type snapshotRestoreCmd struct {
	Files []string `arg:"" optional:"" help:"Files to bring back as they were, also those that are still there (default: all that are gone)." placeholder:"FILE"`
	From  string   `help:"Number or date of a snapshot (default: of a named file the last one in which it differs, else the last one since which a file was deleted, or that differs)." placeholder:"N|DATE"`
	Dir   string   `help:"To this directory (default: the project's, or the root scope's where only there files were deleted or changed)." placeholder:"DIR"`
	changeFlags
}

func (snapshotRestoreCmd) Help() string {
	return `Without a name, every file that is gone comes back as it was, with its line in MEMORY.md,
unless a plan of Keepsake's removed it. No existing file is overwritten. With names, these files come back
as they were when they were last different, or at the snapshot of --from, even if they have changed since:
look first with --dry-run --diff. It is one plan, so
keepsake undo takes it back.

Examples:

    keepsake md snapshot restore --dry-run
    keepsake md snapshot restore
    keepsake md snapshot restore billing.md --from 2026-11-20 --dry-run --diff`
}

// restoredJSON is what snapshot restore --json prints.
type restoredJSON struct {
	Number   int      `json:"number"`
	Dir      string   `json:"dir"`
	Digest   string   `json:"digest,omitempty"` // of the plan; none when nothing was to do
	Restored []string `json:"restored"`
	DryRun   bool     `json:"dry_run,omitempty"`
	effectJSON
}

func (r snapshotRestoreCmd) Run(c *call) error {
	c.json = r.JSON
	one, several, err := c.pickSnapshot(r.Dir, r.From, r.Files)
	if err != nil {
		return err
	}
	var p plan.Plan
	if len(r.Files) == 0 {
		p, err = one.BringBack(c.warning)
	} else {
		var same []string
		p, same, err = one.AsItWas(r.Files)
		for _, name := range same {
			c.line("%s is as it was", brief.Line(name))
		}
	}
	if err != nil {
		return err
	}
	out := restoredJSON{Number: one.Number, Dir: one.Root, Restored: []string{}, DryRun: r.DryRun}
	if several {
		c.line("in %s:", brief.Line(one.Root))
	}
	if len(p.Edits) == 0 {
		c.line("nothing to bring back from snapshot %d of %s", one.Number, one.Taken.Format(stampForm))
		c.value(out)
		return nil
	}
	out.Digest = p.Digest()
	at := c.notesOf(one.Session, one.Root)
	c.edits(at, p, r.changeFlags)
	e := at.count(p, 0, 0, 0)
	if len(r.Files) > 0 { // what they say now is overwritten
		for _, edit := range p.Edits {
			named := edit.Path != memdir.Index || slices.Contains(r.Files, memdir.Index)
			if edit.Before != "" && named { // the index only gets lines back
				e.Overwritten = append(e.Overwritten, edit.Path)
			}
		}
	}
	out.effectJSON = effectIn(p, e)
	if err := c.change(at, p, r.changeFlags); err != nil {
		return err
	}
	for _, edit := range p.Edits {
		out.Restored = append(out.Restored, edit.Path)
		if !r.DryRun {
			c.line("as it was: %s", brief.Line(edit.Path))
		}
	}
	if len(r.Files) == 0 {
		c.tellAlso(one)
	}
	c.value(out)
	return nil
}
