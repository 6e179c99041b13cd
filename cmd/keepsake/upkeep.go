package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/plan"
)

type upkeepCmd struct{ fixFlags }

func (upkeepCmd) Help() string {
	return `Archives what is over in a directory of Markdown memories. Daily logs (YYYY-MM-DD.md) that are
more than a week old move to archive/YYYY-MM/. A finished topic loses only the story of how it came about:
rules, limits, reasons, decisions and open points stay, with a link to archive/TOPIC-archive-YYYY.md, which
gets its whole text. A topic is a section "## [YYYY-MM-DD] Title" with "Status: done" or ✅, or a file with
"status: done" in its frontmatter. Nothing is lost, and links to a moved log are changed. Without --write it
only says what it would do.

This is for Markdown files. For the project's records use keepsake records gc, which collects what was
retired and retires what is too old or too many by the settings.

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
	var e effectJSON
	return v.fix(c, "md upkeep", func(f folder.Folder, at place) plan.Plan {
		k = memdir.Upkeep(f.Dir, f.Profile)
		logs := 0
		for _, a := range k.Acts {
			if a.What == memdir.Daily {
				logs++
			}
		}
		e = at.effectOf(k.Plan, logs, 0, 0)
		return k.Plan
	}, func(f folder.Folder) { v.tell(c, f, k, e) })
}

// tell prints which logs and topics are archived, and where.
func (v upkeepCmd) tell(c *call, f folder.Folder, k memdir.Archived, e effectJSON) {
	out := upkeepJSON{v.mended(f, k.Plan, e), k}
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
