package main

import (
	"path/filepath"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/settings"
)

type linkCmd struct {
	Remove bool `help:"Remove exactly what this verb wrote."`
	DryRun bool `help:"Only show what would be written, or removed."`
}

func (linkCmd) Help() string {
	return `Writes a short script, ~/.local/bin/keepsake, so that you can type keepsake in any folder. The script
starts the version of the plugin that the client has installed, also after an update; once the plugin is
uninstalled it says so. It shows the script and asks at the controlling terminal. A file of that name
that it did not write stays as it is. The agent can't run this.

Examples:

    keepsake link --dry-run
    keepsake link
    keepsake link --remove`
}

func (v linkCmd) Run(c *call) error {
	l, err := settings.OpenLink()
	if err != nil {
		return err
	}
	if v.Remove {
		if !l.There() {
			c.line("there is no %s", l.Path)
			return nil
		}
		return v.confirm(c, l.Path+", by which keepsake is typed in a terminal, goes away.",
			"Remove "+l.Path+"?", func() error {
				if err := l.Remove(); err != nil {
					return err
				}
				c.line("removed: %s", l.Path)
				return nil
			})
	}
	if l.Done() {
		c.line("%s is there already, and starts this installation", l.Path)
		v.missed(c, l)
		return nil
	}
	intro := l.Path + " becomes"
	if l.There() {
		intro = l.Path + " is of another installation, or of an earlier version. It becomes"
	}
	shown := intro + "\n\n" + brief.Change(filepath.Base(l.Path), l.Before, l.Text)
	return v.confirm(c, shown, "Write "+l.Path+"?", func() error {
		if err := l.Write(); err != nil {
			return err
		}
		c.line("written: %s; keepsake link --remove takes it away again", l.Path)
		v.missed(c, l)
		return nil
	})
}

// confirm shows what is to be done, and does it if the person at the controlling terminal says so.
func (v linkCmd) confirm(c *call, shown, question string, do func() error) error {
	agreed, err := c.agrees(shown, v.DryRun, question)
	if err != nil || !agreed {
		return err
	}
	return do()
}

// missed says what keeps the name from starting the script.
func (v linkCmd) missed(c *call, l settings.Link) {
	if why, remedy := l.Missed(); why != "" {
		c.note("%s; hint: %s", why, remedy)
	}
}
