package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/disk"
	"keepsake/pkg/doctor"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/settings"
)

// runSandbox is Run for the lock in the client's sandbox.
func (v gateLockCmd) runSandbox(c *call, client string) error {
	l, err := settings.OpenSandboxLock(client)
	if err != nil {
		return err
	}
	if v.Remove {
		return v.removeSandbox(c, l)
	}
	folders := layout.Walled(client)
	if err := opened(c, l, client, folders); err != nil {
		return err
	}
	if err := doctor.TrySandbox(c.ctx, folders); err != nil {
		return failed(err)
	}
	ch, err := l.Install(folders)
	if err != nil {
		return err
	}
	if ch.Done.Empty() {
		c.line("the lock is in %s already, for %s", l.Path, count(len(folders), "folder"))
		return nil
	}
	had := permissions.ReadSandbox(l.Before)
	cost := []string{sandboxCost}
	if slices.Contains(had.Off(), "sandbox.allowUnsandboxedCommands: false") {
		cost = append(cost, "A command can't ask to run outside of the sandbox any more.")
	}
	if len(had.Excluded) > 0 {
		cost = append(cost, "As before, your sandbox.excludedCommands run outside: "+
			strings.Join(had.Excluded, ", "))
	}
	var further []string
	if !had.Enabled() {
		cost = append(cost, sandboxNew)
		further = append(further, "That is so in every project. Switch the sandbox on?")
	}
	return v.write(c, lockEdit{l.ClientFile, ch.After, func() error { return l.Write(ch) }},
		"sandbox in "+l.Path+" makes "+count(len(folders), "folder")+" read-only for Bash:",
		strings.Join(cost, "\n"),
		"the lock is in %s; keepsake gate install-lock --sandbox --remove takes it out again, and keepsake "+
			"doctor says whether it holds", further...)
}

// sandboxCost is what the person is told about the lock, and sandboxNew what besides if they have no sandbox.
const (
	sandboxCost = `In the sandbox nothing that Bash starts can write there. MCP servers, hooks and file
tools run outside of it, and only the gate stands before those.
Saves of Keepsake go on working. A mempalace mine that you approve can't write
from Bash any more: use MemPalace's MCP server, or a terminal, where
keepsake notes promote works too.`
	sandboxNew = `
You have no sandbox yet. With it Bash, and all that it starts, can write only
to the project and to temporary files. All else becomes read-only, other
projects and the caches of builds too (~/.cache, ~/.npm, ~/.cargo, ~/go), and
the client asks before Bash reaches a host. If a build needs one of these
folders, add it to sandbox.filesystem.allowWrite. Where the sandbox can't run,
Claude Code does not start.`
)

// opened refuses a lock that the person's own settings cancel, and notes those of the project that do.
func opened(c *call, l settings.SandboxLock, client string, folders []string) error {
	home := os.Getenv("HOME")
	for i, path := range layout.SettingsOf(client, layout.Project("", c.cwd).Dir) {
		b, err := disk.ReadLinked(path, maxFile)
		if err != nil {
			continue // absent, or nothing that the client reads either
		}
		s := permissions.ReadSandbox(b)
		open := strings.Join(s.Opens(home, folders), ", ")
		switch {
		case i == 0 && open != "":
			return failed(&openedError{path, open},
				"take that out of sandbox.filesystem.allowWrite, permissions.allow or "+
					"permissions.additionalDirectories, or name narrower folders, then run it again")
		case open != "":
			c.note("%v", &openedError{path, open})
		case i > 0 && len(s.Turned()) > 0:
			c.note("%s cancels it in this project: %s", path, strings.Join(s.Turned(), ", "))
		}
	}
	return nil
}

// An openedError says that a settings file opens folders that are to be read-only.
type openedError struct{ path, open string }

func (e *openedError) Error() string {
	return e.path + " opens " + e.open + " for Bash, with which the older client (2.1.197) forgets what is " +
		"read-only"
}

func (v gateLockCmd) removeSandbox(c *call, l settings.SandboxLock) error {
	if !l.Held() {
		c.line("keepsake put no sandbox into %s", l.Path)
		return nil
	}
	ch, err := l.Remove()
	if err != nil {
		return err
	}
	if string(ch.After) == string(l.Before) {
		c.line("nothing of the lock is in %s any more", l.Path)
		return l.Write(ch)
	}
	return v.write(c, lockEdit{l.ClientFile, ch.After, func() error { return l.Write(ch) }},
		filepath.Base(l.Path)+" loses the lock in the sandbox:",
		"Without it only the gate stands before what Bash writes into a palace.", "the lock is out of %s")
}
