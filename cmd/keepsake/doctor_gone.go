package main

import (
	"bufio"
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
)

// checkGone names the projects whose folders are no longer there and of which nothing
// was written for long. It says nothing of what may be on a disk that is not mounted.
func checkGone(p patient) (out []diagnosis) {
	gone, err := session.GoneProjects(p.Place, p.now)
	if err != nil {
		out = append(out, diagnosis{
			State: noted, What: "not all projects could be looked at: " + err.Error(),
			Remedy: "see what is at " + p.Dirs.State,
		})
	}
	for _, g := range gone {
		out = append(out, diagnosis{
			State: noted,
			What: fmt.Sprintf("%s is gone, and nothing was written of it for %s: %d KiB",
				g.Root, age(p.now.Sub(g.Written)), (g.Bytes+1023)/1024),
			Remedy: "keepsake doctor --clear-gone, which asks; or leave it, if the folder comes back",
		})
	}
	if len(out) == 0 {
		out = []diagnosis{{What: "every project that is known is there, or was lately"}}
	}
	return out
}

// clearGone deletes what is known of projects that are gone, each after a yes of the
// person.
func (c *call) clearGone() error {
	gone, err := session.GoneProjects(paths.Project("", c.cwd), c.now())
	if err != nil {
		c.note("%v", err)
	}
	if len(gone) == 0 {
		c.line("no project is gone")
		return nil
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	answers := bufio.NewReader(tty)
	for _, g := range gone {
		question := fmt.Sprintf("%s is gone. Delete what Keepsake noticed there and never saved, its log "+
			"and its caches (%d KiB)?\n",
			brief.Line(g.Root), (g.Bytes+1023)/1024)
		if ask(tty, answers, question, yesOrNo...) != yes {
			c.line("kept: %s", brief.Line(g.Root))
			continue
		}
		if err := g.Clear(); err != nil {
			return failed(err)
		}
		c.line("cleared: %s", brief.Line(g.Root))
	}
	return nil
}
