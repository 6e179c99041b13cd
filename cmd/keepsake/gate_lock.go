package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/settings"
)

type gateLockCmd struct {
	Remove bool `help:"Remove exactly the rules that this verb added."`
	DryRun bool `help:"Only show what would change."`
}

func (gateLockCmd) Help() string {
	return `The gate is a hook: where the client runs no hooks, there is no gate. The second lock is a
list of rules in permissions.ask of your own settings of Claude Code. With it the client itself asks
before MemPalace's tools that store. The rules are for the MCP servers that are configured, and for the
usual names.

What it costs: a call that you have approved asks once more, and where nobody can be asked (claude -p)
every one of these calls is refused, approved or not. It knows tools by name: run it again after an update
of MemPalace.

It shows the change and asks at the controlling terminal. The file as it was is kept beside it. The agent
can't run this.

Examples:

    keepsake gate install-lock --dry-run
    keepsake gate install-lock
    keepsake gate install-lock --remove`
}

func (v gateLockCmd) Run(c *call) error {
	client := layout.ClientHere()
	if client == "" {
		return failed(errors.New("no settings of Claude Code: neither CLAUDE_CONFIG_DIR nor HOME is set"))
	}
	l, err := settings.OpenLock(client)
	if err != nil {
		return err
	}
	if v.Remove {
		return v.remove(c, l)
	}
	servers, troubles := settings.PalaceServers(client, c.cwd)
	for _, t := range troubles {
		c.note("%v", t)
	}
	names := strings.Join(servers, ", ")
	ch, err := l.Install(servers)
	if err != nil {
		return err
	}
	if ch.Rules == 0 {
		c.line("the lock is in %s already, for %s", l.Path, names)
		return nil
	}
	return v.write(c, l, ch,
		fmt.Sprintf("permissions.ask in %s gets %s, for the MCP servers %s:", l.Path,
			count(ch.Rules, "rule"), names),
		"With the lock Claude Code itself asks before these tools, whether or not the gate runs.\n"+
			"What it costs: a call that you have approved asks once more, and headless (claude -p) it stays "+
			"denied.",
		"the lock is in %s; keepsake gate install-lock --remove takes it out again")
}

func (v gateLockCmd) remove(c *call, l settings.Lock) error {
	if !l.Held() {
		c.line("keepsake put no lock into %s", l.Path)
		return nil
	}
	ch, err := l.Remove()
	if err != nil {
		return err
	}
	if ch.Rules == 0 {
		c.line("none of the lock's rules is in %s any more", l.Path)
		return l.Write(ch)
	}
	return v.write(c, l, ch, l.Path+" loses the lock:",
		"Without it only the gate stands before a permanent memory write.", "the lock is out of %s")
}

// write shows a change, and makes it if the person at the controlling terminal says so.
func (v gateLockCmd) write(c *call, l settings.Lock, ch settings.LockChange, intro, cost, done string) error {
	shown := intro + "\n\n" + brief.Change(filepath.Base(l.Path), l.Before, ch.After) + "\n" + cost
	if v.DryRun {
		c.line("%s\nnothing was written", shown)
		return nil
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return err
	}
	defer tty.Close()
	fmt.Fprintln(tty, shown)
	if ask(tty, bufio.NewReader(tty), "Write "+l.Path+"?", yesOrNo...) != yes {
		c.line("nothing was written")
		return nil
	}
	if err := l.Write(ch); err != nil {
		return err
	}
	c.line(done, l.Path)
	return nil
}
