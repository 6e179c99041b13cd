package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
)

type checkCmd struct {
	lintCmd
	Each bool `help:"List each finding with its file and line."`
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
	Rules []ruleCount `json:"rules"` // most findings first
	Over  int         `json:"over"`  // logs and topics that can go to the archive
}

// A ruleCount is how many findings a rule has.
type ruleCount struct {
	Rule    string       `json:"rule"`
	Level   memdir.Level `json:"level"`
	Found   int          `json:"found"`
	Fixable int          `json:"fixable"`
}

func (v checkCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Rules {
		return v.explain(c)
	}
	out := checkJSON{lintJSON: lintJSON{Findings: []memdir.Finding{}, Passed: []passedJSON{}}}
	m, err := v.read(c, &out.lintJSON)
	if err != nil {
		return err
	}
	out.Rules, out.Over = countByRule(out.Findings), len(memdir.Upkeep(m.Dir, m.profile).Acts)
	if !v.Each {
		c.countFindings(out.Rules)
	} else if len(out.Findings) > 0 {
		tellEach(c, out.Findings)
	}
	tellSum(c, out.lintJSON, m.set)
	c.nextStep(out, v)
	c.value(out)
	if len(out.Findings) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

// countByRule returns how many findings each rule has, the most first.
func countByRule(findings []memdir.Finding) []ruleCount {
	counts := []ruleCount{}
	for _, f := range findings {
		i := slices.IndexFunc(counts, func(r ruleCount) bool {
			return r.Rule == f.Rule && r.Level == f.Level
		})
		if i < 0 {
			i = len(counts)
			counts = append(counts, ruleCount{Rule: f.Rule, Level: f.Level})
		}
		counts[i].Found++
		if f.Fixable {
			counts[i].Fixable++
		}
	}
	slices.SortStableFunc(counts, func(a, b ruleCount) int {
		return cmp.Or(cmp.Compare(b.Found, a.Found), strings.Compare(a.Rule, b.Rule))
	})
	return counts
}

func (c *call) countFindings(counts []ruleCount) {
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

// nextStep says which verb does something about what was found.
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
