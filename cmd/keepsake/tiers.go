package main

import (
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/paths"
	"keepsake/pkg/scratch"
	"keepsake/pkg/session"
	"keepsake/pkg/tiers"
)

type tiersCmd struct {
	JSON bool `help:"Print one JSON object: tiers, of which each has tier, back_end, why."`
}

func (tiersCmd) Help() string {
	return `Lists the tiers that a question can go to: what answers in each, why that, and how to change it. A back end that was chosen and can't answer is named with the way to mend it, and the exit code is 1; no other takes its place.

Example:

    keepsake tiers
    keepsake config set tiers.where embedded`
}

// tiersJSON is what tiers --json prints.
type tiersJSON struct {
	Tiers []tierJSON `json:"tiers"`
}

type tierJSON struct {
	Tier string `json:"tier"` // as in [source: …]
	// BackEnd is what answers: files (nothing to choose), embedded or qmd.
	BackEnd     string   `json:"back_end"`
	Why         string   `json:"why"`
	Change      string   `json:"change,omitempty"`      // the command that changes it
	Collections []string `json:"collections,omitempty"` // of QMD that are searched
	Trouble     string   `json:"trouble,omitempty"`     // why it can't answer
}

func (v tiersCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	finder, choice := c.locator(s)
	where := tierJSON{
		Tier: "WHERE", BackEnd: choice.Backend, Why: choice.Why, Collections: choice.Collections,
		Change: "keepsake config set tiers.where NAME (auto, embedded or qmd)",
	}
	// Whether QMD works is only known by asking it something.
	var trouble error
	if choice.Backend == "qmd" {
		if _, trouble = finder.Find(c.ctx, "keepsake", 1); trouble != nil {
			where.Trouble, _, _ = strings.Cut(trouble.Error(), "; hint: ")
		}
	}
	out := tiersJSON{[]tierJSON{
		{Tier: "scratch", BackEnd: "files", Why: "notes in " + scratch.Dir + " of this checkout"},
		{Tier: "project", BackEnd: "files", Why: "memories in .claude/memory of the project"},
		where,
	}}
	for _, t := range out.Tiers {
		c.line("%-8s %s: %s", t.Tier, t.BackEnd, t.Why)
		if len(t.Collections) > 0 {
			c.line("         collections: %s", brief.Line(strings.Join(t.Collections, ", ")))
		}
		if t.Change != "" {
			c.line("         to change it: %s", t.Change)
		}
	}
	c.value(out)
	return trouble
}

// locator is what answers where something is in the session's project.
func (c *call) locator(s *session.Session) (tiers.Finder, tiers.Choice) {
	choice := tiers.PickWhere(s.Config.Tiers.Where, s.Root)
	if choice.Backend == "qmd" {
		return tiers.QMD{Root: s.Root, Collections: choice.Collections}, choice
	}
	dir := ""
	if s.Dirs.Cache != "" {
		// Each checkout has its own files, also where they share their memories.
		dir = filepath.Join(s.Dirs.Cache, paths.Key(s.Root))
	}
	return &tiers.Where{Root: s.Root, Dir: dir, Git: git, Note: c.note}, choice
}
