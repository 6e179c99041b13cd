package main

import (
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/project/session"
)

type checkCmd struct {
	lintCmd
	Each bool `help:"List each problem with its file and line."`
}

func (checkCmd) Help() string {
	return `Counts, by rule, what is wrong with a directory of Markdown memories: what keepsake md fix
mends by rule, what somebody has to judge with keepsake md tidy, and what keepsake md upkeep can archive.
It changes nothing. The exit code is 1 when something was found.

Examples:

    keepsake md check
    keepsake md check --each
    keepsake md check --rules
    keepsake md check --json | jq '.rules[] | select(.fixable > 0)'`
}

// checkJSON is what md check --json prints.
type checkJSON struct {
	lintJSON
	Rules []memdir.RuleCount `json:"rules"` // most findings first
	Over  int                `json:"over"`  // logs and topics that can go to the archive
}

func (v checkCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Rules {
		return v.explain(c)
	}
	s, err := session.At(c.cwd)
	if v.Dir == "" || v.Profile == "" {
		s, err = c.where()
	}
	if err != nil {
		return err
	}
	m, err := c.readMemories(s, v.Dir, v.Profile)
	if err != nil {
		return err
	}
	if len(m.Files) == 0 {
		c.line("no memories in %s", brief.Line(m.Root))
	}
	m.Apart = blackboard.Apart
	found := append([]memdir.Finding{}, memdir.Lint(m.Dir, m.Profile)...)
	out := checkJSON{lintJSON{m.Root, m.Profile.Name, len(m.Files), found, m.Passed},
		memdir.CountByRule(found), len(memdir.Upkeep(m.Dir, m.Profile).Acts)}
	if !v.Each {
		c.countFindings(out.Rules)
	} else if len(out.Findings) > 0 {
		tellEach(c, out.Findings)
	}
	tellSum(c, out.lintJSON, m.Named)
	c.nextStep(out, v)
	c.value(out)
	if len(out.Findings) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

func (c *call) countFindings(counts []memdir.RuleCount) {
	for _, r := range counts {
		fixable := ""
		if r.Fixable > 0 {
			fixable = fmt.Sprintf(" %d fixable", r.Fixable)
		}
		hue := yellow
		if r.Level == memdir.Error {
			hue = red
		}
		c.line("%4d  %-17s %s%s", r.Found, r.Rule, c.in(hue, fmt.Sprintf("%-7s", r.Level)), fixable)
	}
}

// nextStep prints which verbs repair what was found.
func (c *call) nextStep(out checkJSON, v checkCmd) {
	dir := ""
	if v.Dir != "" {
		dir = " " + brief.ShellWord(v.Dir)
	}
	fixable := 0
	for _, r := range out.Rules {
		fixable += r.Fixable
	}
	if fixable > 0 {
		c.line("keepsake md fix -d%s shows how %d can be mended by rule, keepsake md fix -w%s does it", dir,
			fixable, dir)
	}
	if left := len(out.Findings) - fixable; left > 0 {
		c.line("keepsake md tidy%s asks about what has to be judged", dir)
	}
	if out.Over > 0 {
		c.line("keepsake md upkeep%s shows what is over and can go to the archive: %d", dir, out.Over)
	}
	if len(out.Findings) > 0 && !v.Each {
		c.line("keepsake md check --each%s lists them", dir)
	}
}
