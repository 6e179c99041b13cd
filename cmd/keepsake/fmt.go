package main

import (
	"cmp"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/plan"
)

type fmtCmd struct{ fixFlags }

// fixFlags are those of the verbs that mend a directory of memories by rule.
type fixFlags struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Write   bool   `help:"Write it." short:"w"`
	Diff    bool   `help:"Show every change as a diff." short:"d"`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	Force   bool   `help:"Write into a folder that doesn't look like one of memories."`
	JSON    bool   `help:"Print one JSON value."`
}

func (fmtCmd) Help() string {
	return `Mends what keepsake md check calls fixable in a directory of Markdown memories: content in
MEMORY.md moves to topic files, pointers that lead nowhere are repaired, files get frontmatter and a
pointer, relative dates become dates, and exact duplicates become one. Nothing else is removed. Without
--write it only says what it would do.

A folder that looks like other documents is not written without --force. keepsake undo takes it back.

Examples:

    keepsake md fix
    keepsake md fix -d
    keepsake md fix -w
    keepsake md fix ~/.claude/projects/-home-me-shop/memory -w`
}

// fmtJSON is what fmt --json prints.
type fmtJSON struct {
	mendedJSON
	memdir.Report
}

// mendedJSON is what both verbs that mend a directory print.
type mendedJSON struct {
	Dir     string `json:"dir"`
	Profile string `json:"profile"`
	Written bool   `json:"written"`
	Digest  string `json:"digest,omitempty"` // of the plan, for keepsake undo
	effectJSON
}

// mended returns what is printed about a plan with --json.
func (v fixFlags) mended(f folder.Folder, p plan.Plan, e effectJSON) mendedJSON {
	out := mendedJSON{Dir: f.Root, Profile: f.Profile.Name, effectJSON: e}
	if len(p.Edits) > 0 {
		out.Written, out.Digest = v.Write, p.Digest()
	}
	return out
}

func (v fmtCmd) Run(c *call) error {
	var r memdir.Result
	var e effectJSON
	return v.fix(c, "md fix", func(f folder.Folder, at place) plan.Plan {
		f.Blame(c.ctx)
		r = memdir.Format(f.Dir, f.Profile)
		e = at.effectOf(r.Plan, len(r.Report.Moved), len(r.Report.Merged), 0)
		return r.Plan
	}, func(f folder.Folder) { v.tell(c, f, r, e) })
}

// fix makes a plan for a directory by work, and applies or shows it. In the end it calls tell.
func (v fixFlags) fix(c *call, verb string, work func(folder.Folder, place) plan.Plan,
	tell func(folder.Folder)) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	dir := cmp.Or(v.Dir, s.MemoryDir())
	return changeFlags{DryRun: !v.Write || dir == ""}.planAgain(c, c.notesOf(s, dir), func() error {
		f, err := c.readMemories(s, v.Dir, v.Profile)
		if err == nil {
			err = f.CheckIndex()
		}
		if err != nil {
			return err
		}
		if len(f.Files) == 0 {
			c.line("no memories in %s", brief.Line(f.Root))
		}
		at := c.notesOf(s, f.Root)
		p := work(f, at)
		switch {
		case len(p.Edits) == 0:
		case v.Write:
			if err := f.CheckWrite(); err != nil && !v.Force {
				return failed(err, "keepsake "+verb+" -d shows what would be written; --force writes it")
			}
			if err := c.change(at, p, changeFlags{Diff: v.Diff}); err != nil {
				return err
			}
		case v.Diff:
			c.planDiff(at, p)
		}
		tell(f)
		return nil
	})
}

// tell ends with what was done, and what was not.
func (v fmtCmd) tell(c *call, f folder.Folder, r memdir.Result, e effectJSON) {
	c.edits(place{markdown: true}, r.Plan, changeFlags{DryRun: !v.Write, Diff: v.Diff})
	rep := r.Report
	out := fmtJSON{v.mended(f, r.Plan, e), rep}
	if len(r.Plan.Edits) > 0 {
		for _, g := range rep.Merged {
			c.line("merged: %s says what %s says", brief.Line(g.From), brief.Line(g.To))
		}
		for _, g := range rep.Moved {
			c.line("moved: %s to %s", brief.Line(g.From), brief.Line(g.To))
		}
		c.line("MEMORY.md: %s before, %d after", count(rep.Before, "line"), rep.After)
		c.line("files: %d created, %d changed, %d merged, %d moved; %s", len(rep.Created), len(rep.Changed),
			len(rep.Merged), len(rep.Moved), rep.Mending())
	} else if len(f.Files) > 0 {
		c.line("nothing to mend in %s (profile %s)", count(len(f.Files), "file"), f.Profile.Name)
	}
	switch n := len(rep.Left); {
	case n > 0:
		c.line("left to judge: %s, contradictions among them if there are any (keepsake md tidy)",
			count(n, "problem"))
	case len(r.Plan.Edits) > 0:
		c.line("left to judge: nothing that lint finds; contradictions are for keepsake md tidy")
	}
	if len(r.Plan.Edits) > 0 {
		if v.Write {
			// With the directory it can take back nothing else, so the gate need not ask an agent for it.
			c.line("keepsake undo %s --dir %s takes it back", out.Digest[:12], brief.ShellWord(f.Root))
		} else {
			c.line("nothing was written: keepsake md fix -w does it")
		}
	}
	c.value(out)
}
