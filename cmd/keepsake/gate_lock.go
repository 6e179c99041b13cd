package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/settings"
)

type gateLockCmd struct {
	Sandbox bool `help:"The lock in the client's sandbox: palaces and Keepsake's own folders are read-only for Bash."`
	Remove  bool `help:"Remove exactly what this verb added."`
	DryRun  bool `help:"Only show what would change."`
}

func (gateLockCmd) Help() string {
	return `The gate is a hook: where the client runs no hooks, there is no gate. The second lock is a
list of rules in permissions.ask of your own settings of Claude Code. With it the client itself asks
before MemPalace's tools that store. The rules are for the MCP servers that are configured, and for the
usual names.

What it costs: a call that you have approved asks once more, and where nobody can be asked (claude -p)
every one of these calls is refused, approved or not. It knows tools by name: run it again after an update
of MemPalace.

With --sandbox the lock is another one, in the client's sandbox (bubblewrap on Linux, Seatbelt on macOS):
nothing that Bash starts can write to MemPalace's folders, to Keepsake's own drawers, or to what the gate
rests on, whether or not the gate saw it. It switches the sandbox on if it is off, and asks twice then: Bash can
write to little more than the project after that. Saves of Keepsake go on working. A "mempalace mine" that you
approve no longer writes from Bash; it takes MemPalace's MCP server, a terminal, or keepsake notes promote there.

It shows the change and asks at the controlling terminal. The file as it was is kept beside it. The agent
can't run this.

Examples:

    keepsake gate install-lock --dry-run
    keepsake gate install-lock
    keepsake gate install-lock --sandbox
    keepsake gate install-lock --sandbox --remove`
}

func (v gateLockCmd) Run(c *call) error {
	client := layout.ClientHere()
	if client == "" {
		return failed(errors.New("no settings of Claude Code: neither CLAUDE_CONFIG_DIR nor HOME is set"))
	}
	if v.Sandbox {
		return v.runSandbox(c, client)
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
	return v.write(c, lockEdit{l.ClientFile, ch.After, func() error { return l.Write(ch) }},
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
	return v.write(c, lockEdit{l.ClientFile, ch.After, func() error { return l.Write(ch) }},
		l.Path+" loses the lock:",
		"Without it only the gate stands before a permanent memory write.", "the lock is out of %s")
}

// A lockEdit is a change of the client's settings.
type lockEdit struct {
	settings.ClientFile
	after []byte
	write func() error
}

// write shows a change, and makes it if the person at the controlling terminal says so, to each of the
// further questions too.
func (v gateLockCmd) write(c *call, e lockEdit, intro, cost, done string, further ...string) error {
	shown := intro + "\n\n" + brief.Change(filepath.Base(e.Path), e.Before, e.after) + "\n" + cost
	agreed, err := c.agrees(shown, v.DryRun, append([]string{"Write " + e.Path + "?"}, further...)...)
	if err != nil || !agreed {
		return err
	}
	if err := e.write(); err != nil {
		return err
	}
	c.line(done, e.Path)
	return nil
}
