package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/plan"
)

type upkeepCmd struct{ fixFlags }

func (upkeepCmd) Help() string {
	return `Puts away what is over in a directory of Markdown memories. Daily logs (YYYY-MM-DD.md) that
are more than a week old go to archive/YYYY-MM/. Of a topic that is done, its status, key points, decision
and open items stay, with a link to archive/TOPIC-archive-YYYY.md, which has its whole text. A topic is a
section "## [YYYY-MM-DD] Title" with "Status: done" or ✅, or a file with "status: done" in its
frontmatter. Nothing is lost, and lines that lead to a moved log follow it. Without --write it only says
what it would do.

It is for Markdown files. The project's records have keepsake records gc, which collects what was retired
and what the settings call too old or too much.

Examples:

    keepsake md upkeep
    keepsake md upkeep -d
    keepsake md upkeep -w`
}

// upkeepJSON is what upkeep --json prints.
type upkeepJSON struct {
	mendedJSON
	memdir.Archived
}

func (v upkeepCmd) Run(c *call) error {
	var k memdir.Archived
	return v.fix(c, "md upkeep", func(f folder.Folder) plan.Plan {
		k = memdir.Upkeep(f.Dir, f.Profile)
		return k.Plan
	}, func(f folder.Folder) { v.tell(c, f, k) })
}

// tell says what goes where.
func (v upkeepCmd) tell(c *call, f folder.Folder, k memdir.Archived) {
	out := upkeepJSON{v.mended(f, k.Plan), k}
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
	case len(k.Acts) == 0 && len(f.Files) > 0:
		c.line("nothing to put away in %s", count(len(f.Files), "file"))
	case out.Written:
		c.line("keepsake undo %s --dir %s takes it back", out.Digest[:12], brief.ShellWord(f.Root))
	case len(k.Acts) > 0:
		c.line("nothing was written: keepsake md upkeep -w does it")
	}
	c.value(out)
}
