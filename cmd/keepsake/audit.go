package main

import (
	"bufio"
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/erase"
)

type auditCmd struct {
	Yes  bool `help:"Take them out without asking. Not for an agent."`
	JSON bool `help:"Print one JSON object, and take nothing out without --yes."`
}

func (auditCmd) Help() string {
	return `Looks for secrets in all that Keepsake stored: this project's memories with their history and
what was set aside, notes, drawers, what the gate asked, logs, states of sessions, unsaved work, caches.
It prints the file, the line and the kind of each secret, never the secret itself, and takes them out
after your yes. Records stay valid, and plans can still be undone.

It only names what is yours: Markdown memories and their copies (keepsake md snapshot brings those back
byte for byte), settings, and commits of git. Somebody may have read a secret that was stored: replace it
with a new one. The exit code is 1 while anything is left.

Examples:

    keepsake records audit
    keepsake records audit --json
    keepsake records audit --yes`
}

func (v auditCmd) Run(c *call) error {
	if v.Yes {
		if err := c.person.alone(); err != nil {
			return &failure{exitPerson, fmt.Errorf("only a person can have secrets taken out: %w", err),
				[]string{yourself}}
		}
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	a := erase.LookForSecrets(s, c.unreadable)
	for _, f := range a.Found {
		said := ""
		if f.Mine {
			said = " (yours: it is left as it is)"
		}
		c.line("%s:%d: %s%s", brief.Line(f.Path), f.Line, f.Kind, said)
	}
	if err := a.LookInGit(c.ctx); err != nil {
		c.note("the commits of git could not be checked: %v", err)
	}
	for _, g := range a.Git {
		c.line("git %s: %s: %s", g.Commit, brief.Line(g.Path), g.Kind)
	}
	if n := a.Cleanable(); n > 0 {
		yes, err := v.asked(c, n)
		if err != nil {
			return err
		}
		if yes {
			if err := a.Clean(c.ctx); err != nil {
				return failed(err, "keepsake records audit again goes on with the rest")
			}
			c.line("taken out of %s; %d left", count(len(a.Cleaned), "file"), a.Left)
		}
	}
	if len(a.Git) > 0 {
		c.line("Git keeps what was committed: make new secrets, and rewrite the history yourself if it " +
			"must go.")
	}
	if n := erase.OtherProjects(s); len(n) > 0 {
		c.line("Memories of other projects are looked at from there: %s", brief.Line(strings.Join(n, ", ")))
	}
	if len(a.Found)+len(a.Git) == 0 {
		c.line("no secret found in %s", count(a.Files, "file"))
	}
	c.value(a)
	if a.Left+len(a.Git)+len(a.Unread) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

// unreadable notes what could not be looked at.
func (c *call) unreadable(path string, err error) { c.note("%s: %v", brief.Line(path), err) }

// asked reports whether the person wants the secrets taken out.
func (v auditCmd) asked(c *call, n int) (bool, error) {
	if v.Yes || v.JSON {
		return v.Yes, nil
	}
	tty, err := c.person.open()
	if err != nil {
		c.note("%s can be taken out: type keepsake records audit yourself in a terminal outside of Claude "+
			"Code",
			count(n, "secret"))
		return false, nil
	}
	defer tty.Close()
	question := "Take " + count(n, "secret") + " out? The text around stays. This cannot be undone."
	return ask(tty, bufio.NewReader(tty), question, yesOrNo...) == yes, nil
}
