package main

import (
	"bufio"
	"fmt"
	"iter"

	"keepsake/pkg/brief"
	"keepsake/pkg/doctor"
	"keepsake/pkg/layout"
	"keepsake/pkg/memdir"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/status"
)

type doctorCmd struct {
	ClearGone bool `help:"Ask for each project whose folder is gone whether what is known of it shall be deleted."`
	ClearLogs bool `help:"Ask whether the logs of days that Keepsake wrote into the client's own memory directory shall go."`
	JSON      bool `help:"Print one JSON array of what was found."`
}

func (doctorCmd) Help() string {
	return `Checks this installation and this project, and says how to mend what is wrong. The exit code
is 1 when something is wrong. It changes nothing, except that it finishes a save that was cut short, as
any verb does.

It names projects whose folder is gone and for which nothing was written in the last 90 days.
--clear-gone deletes what is known of them, after a yes at the controlling terminal. The agent can't do
that.

--clear-logs removes the logs of days that an earlier version wrote into the client's own memory directory,
and the lines of MEMORY.md that lead to them, after a yes. keepsake undo brings them back.

Examples:

    keepsake doctor
    keepsake doctor --clear-gone`
}

func (v doctorCmd) Run(c *call) error {
	if v.ClearGone || v.ClearLogs {
		if v.JSON || v.ClearGone && v.ClearLogs {
			return usage("--clear-gone and --clear-logs ask a person, one at a time, and print no JSON")
		}
		if v.ClearLogs {
			return c.clearLogs()
		}
		return c.clearGone()
	}
	s, _, err := c.here()
	if err != nil && c.session == "" {
		s, err = session.At(c.cwd)
	}
	if err != nil {
		return err
	}
	c.followMove(s)
	b := c.backEnds(s)
	p := doctor.Patient{Session: s, Now: c.now(), Why: func() (string, error) {
		t, err := status.Why(c.ctx, b)
		if t.BackEnd == "skill" {
			return "promotions go to the skill " + tiers.RouterSkill + ": tiers.router says so", err
		}
		return "promotions go to " + backEnd(t.BackEnd, "store") + ": " + t.Why, err
	}}
	if s.Config.Tiers.Router != tiers.RouterSkill { // else Why says whether that is there
		p.Where = func() (string, error) {
			t, err := status.Where(c.ctx, b)
			return "where things are is looked up in " + backEnd(t.BackEnd, "index") + ": " + t.Why, err
		}
	}
	return c.diagnose(doctor.Examine(p))
}

// backEnd returns the name of a back end as people know it. own is what Keepsake's own one is.
func backEnd(name, own string) string {
	if name == "embedded" {
		return "Keepsake's own " + own
	}
	return name
}

// diagnose prints what checks found, and returns an error if something is wrong.
func (c *call) diagnose(found iter.Seq[doctor.Diagnosis]) error {
	all, bad := []doctor.Diagnosis{}, false
	for d := range found {
		all = append(all, d)
		bad = bad || d.State == doctor.Wrong
		c.line("%-4s  %-8s  %s", d.State, d.Check, brief.Line(d.What))
		if d.Remedy != "" {
			c.line("                -> %s", brief.Line(d.Remedy))
		}
	}
	c.value(all)
	if bad {
		return quiet{exitFailed}
	}
	return nil
}

// clearGone deletes what is known of projects that are gone, each after a yes of the
// person.
func (c *call) clearGone() error {
	gone, err := session.GoneProjects(layout.Project("", c.cwd), c.now())
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

// clearLogs removes Keepsake's logs of days from the client's own directories, each after a yes of the
// person.
func (c *call) clearLogs() error {
	s, err := c.where()
	if err != nil {
		return err
	}
	asked := false
	for _, dir := range s.MemoryDirs() {
		d, err := session.ReadMemories(dir, c.now(), func(string, string) {})
		logs := memdir.OwnLogs(d)
		if err != nil || len(logs) == 0 || !s.IsClients(dir) {
			continue
		}
		asked = true
		tty, err := c.person.open(yourself)
		if err != nil {
			return err
		}
		defer tty.Close()
		question := fmt.Sprintf("%s has %s of days that Keepsake wrote, %s to %s. Remove them?\n",
			brief.Line(dir), count(len(logs), "log"), brief.Line(logs[0]), brief.Line(logs[len(logs)-1]))
		if ask(tty, bufio.NewReader(tty), question, yesOrNo...) != yes {
			c.line("kept: %s", brief.Line(dir))
			continue
		}
		p := memdir.ClearLogs(d, logs)
		if err := c.change(c.notesOf(s, dir), p, changeFlags{}); err != nil {
			return err
		}
		c.line("removed: %s; keepsake undo %s --dir %s brings them back", count(len(logs), "log"),
			p.Digest()[:12], brief.ShellWord(dir))
	}
	if !asked {
		c.line("no log of Keepsake's is in the client's own memory")
	}
	return nil
}
