package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/project/session"
)

type upkeepCmd struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Write   bool   `help:"Write it." short:"w"`
	Diff    bool   `help:"Show every change as a diff." short:"d"`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	Force   bool   `help:"Write into a folder that doesn't look like one of memories."`
	JSON    bool   `help:"Print one JSON value."`
}

func (upkeepCmd) Help() string {
	return `Archives what is over in a directory of Markdown memories. Daily logs (YYYY-MM-DD.md) that are
more than a week old move to archive/YYYY-MM/. A finished topic is cut to its status, key points, decision
and open items, with a link to archive/TOPIC-archive-YYYY.md, which gets its whole text. A topic is a
section "## [YYYY-MM-DD] Title" with "Status: done" or ✅, or a file with "status: done" in its
frontmatter. Nothing is lost, and links to a moved log are changed. Without --write it only says what it
would do.

This is for Markdown files. For the project's records use keepsake records gc, which collects what was
retired and retires what is too old or too many by the settings.

Examples:

    keepsake md upkeep
    keepsake md upkeep -d
    keepsake md upkeep -w`
}

// upkeepJSON is what upkeep --json prints.
type upkeepJSON struct {
	Dir     string       `json:"dir"`
	Profile string       `json:"profile"`
	Written bool         `json:"written"`
	Digest  string       `json:"digest,omitempty"` // of the plan, for keepsake undo
	Acts    []memdir.Act `json:"acts"`
	Left    []memdir.Act `json:"left"` // due, but left as it is
}

func (v upkeepCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	f := changeFlags{DryRun: !v.Write, Diff: v.Diff, JSON: v.JSON}
	return onceMore(func() error {
		m, err := c.readMemories(v.Dir, v.Profile, func(string, string) {})
		if err != nil {
			return err
		}
		k := memdir.Upkeep(m.Dir, m.profile)
		at := c.notesOf(s, m.dir)
		switch {
		case len(k.Plan.Edits) == 0:
		case v.Write:
			if err = m.mayWrite(s, "md upkeep", v.Force); err == nil {
				err = c.change(at, k.Plan, f)
			}
		case v.Diff:
			c.diff(brief.Plan(k.Plan, at.before))
		}
		if err == nil {
			v.tell(c, s, m, k)
		}
		return err
	})
}

// tell says what goes where.
func (v upkeepCmd) tell(c *call, s *session.Session, m memories, k memdir.Archived) {
	out := upkeepJSON{Dir: m.dir, Profile: m.profile.Name, Written: v.Write && len(k.Plan.Edits) > 0,
		Acts: append([]memdir.Act{}, k.Acts...), Left: append([]memdir.Act{}, k.Left...)}
	for _, a := range k.Acts {
		if a.What == memdir.Daily {
			c.line("log: %s to %s", brief.Line(a.Path), brief.Line(a.To))
		} else {
			c.line("topic: %s, %s; whole text to %s", brief.Line(a.Path), brief.Text(a.Title, 0),
				brief.Line(a.To))
		}
	}
	for _, a := range k.Left {
		c.line("left: %s: %s", brief.Line(a.Path), brief.Line(a.Why))
	}
	switch {
	case len(k.Acts) == 0 && len(m.Files) > 0:
		c.line("nothing to put away in %s", count(len(m.Files), "file"))
	case out.Written:
		out.Digest = k.Plan.Digest()
		c.line("keepsake undo %s --dir %s takes it back", out.Digest[:12], brief.ShellWord(m.dir))
	case len(k.Acts) > 0:
		out.Digest = k.Plan.Digest()
		c.line("nothing was written: keepsake md upkeep -w does it")
	}
	c.value(out)
}
