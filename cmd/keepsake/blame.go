package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/checks"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/verify"
)

type blameCmd struct {
	ID   string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
	JSON bool   `help:"Print one JSON array: check, why, commit, date, author, subject, moved_to, unknown."`
}

func (blameCmd) Help() string {
	return `Finds for each check of a memory that fails the commit that broke it: its name, date, subject and
author, and where it moved a file. Nothing is checked out. The exit code is 1 if no check fails.

Example:

    keepsake records blame use-redis-for-the-queue`
}

// blamed is what is known of one check that fails.
type blamed struct {
	Check string `json:"check"`
	Why   string `json:"why"`
	*git.Commit
	Unknown string `json:"unknown,omitempty"` // why no commit is named
}

func (v blameCmd) Run(c *call, s *session.Session) error {
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	r, err := c.findShown(s, loaded, v.ID)
	if err != nil {
		return err
	}
	evaluated, err := checks.Evaluate(s.Root, c.now(), []memory.Stored{r}, c.hasCommit(s))
	if err != nil {
		return err
	}
	all := []blamed{}
	said := map[string]bool{} // of several checks that one file fails
	for _, l := range evaluated[0].Checks {
		check, err := memory.ParseCheck(l.Check)
		if err != nil || l.Verdict != verify.Fails {
			continue
		}
		b := blamed{Check: l.Check, Why: l.Why}
		by := ""
		if commit, err := git.Blame(c.ctx, s.Root, check); err != nil {
			b.Unknown = brief.Line(err.Error())
			by = b.Unknown
		} else {
			b.Commit = &commit
			by = brief.BrokenBy(commit.Short(), commit.Date, commit.Subject, commit.Author, commit.MovedTo)
		}
		if why := brief.Line(l.Why); !said[why+by] {
			said[why+by] = true
			c.line("%s", why)
			c.line("  %s", by)
		}
		all = append(all, b)
	}
	c.value(all)
	if len(all) == 0 {
		c.line("no check of %s fails", brief.Line(r.Path))
		return quiet{exitFailed}
	}
	return nil
}
