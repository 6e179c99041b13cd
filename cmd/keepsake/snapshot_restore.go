package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/snapshot"
)

type snapshotRestoreCmd struct {
	Files []string `arg:"" optional:"" help:"Files to bring back as they were, also those that are still there (default: all that are gone)." placeholder:"FILE"`
	From  string   `help:"Number or date of a snapshot (default: the last one since which a file was deleted, else the last that differs)." placeholder:"N|DATE"`
	Dir   string   `help:"To this directory (default: the project's, or the root scope's where only there files were deleted or changed)." placeholder:"DIR"`
	changeFlags
}

func (snapshotRestoreCmd) Help() string {
	return `Without a name: every file that is gone and that no plan of Keepsake's took away comes back as it was, with its line in MEMORY.md; no file that is there is written over. With names: these files as they were then, also where they have changed since; look first with --dry-run --diff. It is one plan, so keepsake undo takes it back.

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
}

func (r snapshotRestoreCmd) Run(c *call) error {
	c.json = r.JSON
	all, err := c.snapshots(r.Dir)
	if err != nil {
		return err
	}
	one, err := c.choose(all, r.From, r.Files)
	if err != nil {
		return err
	}
	v, e := one.snapshots, one.earlier
	var p plan.Plan
	if len(r.Files) == 0 {
		p, err = v.bringBack(c, e)
	} else {
		p, err = v.asItWas(c, e, r.Files)
	}
	if err != nil {
		return err
	}
	out := restoredJSON{Number: e.number, Dir: v.at.root, Restored: []string{}, DryRun: r.DryRun}
	if len(all) > 1 {
		c.line("in %s:", brief.Line(v.at.root))
	}
	if len(p.Edits) == 0 {
		c.line("nothing to bring back from snapshot %d of %s", e.number, e.then.Taken.Format(stampForm))
		c.value(out)
		return nil
	}
	out.Digest = p.Digest()
	c.edits(p, r.changeFlags)
	if err := c.change(v.at, p, r.changeFlags); err != nil {
		return err
	}
	for _, edit := range p.Edits {
		out.Restored = append(out.Restored, edit.Path)
		if !r.DryRun {
			c.line("as it was: %s", brief.Line(edit.Path))
		}
	}
	if len(r.Files) == 0 {
		one.tellAlso(c)
	}
	c.value(out)
	return nil
}

// bringBack makes the files that were lost, and the lines of MEMORY.md that led there.
// One whose name no plan can have keeps none of the others away.
func (v snapshots) bringBack(c *call, e earlier) (plan.Plan, error) {
	p := plan.Plan{Version: plan.Version}
	var names []string
	for _, f := range e.lost {
		text, err := v.box.Read(f)
		if err != nil {
			return p, failed(err, "name the other files: keepsake md snapshot diff lists them")
		}
		if err := plan.CheckMarkdown(f.Name); err != nil {
			c.note("%s: keepsake makes no file of that name (%v); its text is in %s", brief.Line(f.Name), err, brief.Line(v.box.Copy(f)))
			continue
		}
		p.Edits = append(p.Edits, plan.Edit{Path: f.Name, Verb: plan.Create, After: text})
		names = append(names, f.Name)
	}
	index := func(s snapshot.Snapshot) (text []byte, err error) {
		i := slices.IndexFunc(s.Files, func(f snapshot.File) bool { return f.Name == memdir.Index })
		if i < 0 {
			return nil, nil
		}
		return v.box.Read(s.Files[i])
	}
	was, werr := index(e.then)
	is, err := index(v.now)
	if werr != nil || err != nil || is == nil {
		return p, nil // the files are what matters; lint tells that nothing leads to them
	}
	if linked := memdir.Relink(is, was, names); string(linked) != string(is) {
		p.Edits = append(p.Edits, plan.Edit{Path: memdir.Index, Verb: plan.Update, Before: plan.DigestOf(is), After: linked})
	}
	return p, nil
}

// asItWas makes files what they were, wherever they are in the snapshot.
func (v snapshots) asItWas(c *call, e earlier, names []string) (plan.Plan, error) {
	p := plan.Plan{Version: plan.Version}
	for _, name := range names {
		name, i := v.index(e.then, name)
		if i < 0 {
			return p, failed(fmt.Errorf("%s: is not in snapshot %d", brief.Line(name), e.number), "keepsake md snapshot list --json says which files each one has")
		}
		text, err := v.box.Read(e.then.Files[i])
		if err != nil {
			return p, err
		}
		now := slices.IndexFunc(v.now.Files, func(f snapshot.File) bool { return f.Name == name })
		edit := plan.Edit{Path: name, Verb: plan.Create, After: text}
		if now >= 0 {
			if v.now.Files[now].Digest == e.then.Files[i].Digest {
				c.line("%s is as it was", brief.Line(name))
				continue
			}
			edit.Verb, edit.Before = plan.Update, v.now.Files[now].Digest
		}
		p.Edits = append(p.Edits, edit)
	}
	return p, nil
}

// had says that each of those files is in one of the snapshots.
func (v snapshots) had(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(v.all, func(s snapshot.Snapshot) bool { _, i := v.index(s, name); return i >= 0 })
	})
}

// index is a file's name below the directory, and where it is in a snapshot, or -1.
func (v snapshots) index(then snapshot.Snapshot, name string) (string, int) {
	if rel, err := filepath.Rel(v.at.root, name); filepath.IsAbs(name) && err == nil {
		name = rel
	}
	name = filepath.ToSlash(filepath.Clean(name))
	return name, slices.IndexFunc(then.Files, func(f snapshot.File) bool { return f.Name == name })
}
