package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/tiers"
)

type tiersCmd struct {
	JSON bool `help:"Print one JSON object: tiers, of which each has tier, back_end, why."`
}

func (tiersCmd) Help() string {
	return `Lists the tiers that a question can go to: what answers in each, why, and how to change it. If
a back end was chosen and can't answer, it is named with the way to mend it, no other takes its place, and
the exit code is 1.

Example:

    keepsake notes tiers
    keepsake config set tiers.where embedded`
}

// tiersJSON is what tiers --json prints.
type tiersJSON struct {
	Tiers []tierJSON `json:"tiers"`
}

type tierJSON struct {
	Tier string `json:"tier"` // as in [source: …]
	// BackEnd is what answers: files (nothing to choose), embedded, qmd, mempalace or skill.
	BackEnd     string   `json:"back_end"`
	Why         string   `json:"why"`
	Change      string   `json:"change,omitempty"`      // the command that changes it
	Collections []string `json:"collections,omitempty"` // of QMD that are searched
	Folder      string   `json:"folder,omitempty"`      // of embedded drawers
	Before      string   `json:"before,omitempty"`      // the file of annotations, which are shown first
	Trouble     string   `json:"trouble,omitempty"`     // why it can't answer
}

func (v tiersCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	out := tiersJSON{[]tierJSON{
		{Tier: "scratch", BackEnd: "files", Why: "notes in " + scratch.Dir + " of this checkout"},
		{Tier: "project", BackEnd: "files", Why: "memories in .claude/memory of the project"},
	}}
	var kept []string
	for _, at := range c.memoryDirs(s, "") {
		kept = append(kept, brief.Line(at.root))
	}
	out.Tiers = append(out.Tiers, tierJSON{
		Tier: "markdown", BackEnd: "files", Why: "Markdown memories in " + strings.Join(kept, " and ") +
			", where the others have nothing",
	})
	if r, on, err := c.backEnds(s).Router(); on {
		is := "it is not installed"
		if err == nil {
			is = "it is " + r.Path
		}
		for _, tier := range []string{"WHERE", "WHY"} {
			out.Tiers = append(out.Tiers, tierJSON{
				Tier: tier, BackEnd: "skill", Why: "tiers.router is " + tiers.RouterSkill + "; " + is,
				Change:  "keepsake config set tiers.router NAME (builtin or code-memory-router)",
				Trouble: mainly(err),
			})
		}
		c.tellTiers(out)
		return err
	}
	finder, choice := c.backEnds(s).Locator()
	where := tierJSON{
		Tier: "WHERE", BackEnd: choice.Backend, Why: choice.Why, Collections: choice.Collections,
		Before: tiers.AnnotationsFile,
		Change: "keepsake config set tiers.where NAME (auto, embedded or qmd)",
	}
	// Whether another program works is only known by asking it something.
	if choice.Backend == "qmd" {
		_, err = finder.Find(c.ctx, "keepsake", 1)
		where.Trouble = mainly(err)
	}
	keeper, choice, trouble := c.backEnds(s).Keeper()
	why := tierJSON{
		Tier: "WHY", BackEnd: choice.Backend, Why: choice.Why,
		Change: "keepsake config set tiers.why NAME --user (auto, embedded or mempalace)",
	}
	switch {
	case trouble != nil:
	case choice.Backend == "mempalace":
		_, trouble = keeper.Find(c.ctx, "keepsake", 1)
	default:
		why.Folder = s.Dirs.Drawers()
	}
	why.Trouble = mainly(trouble)
	switch {
	case err == nil:
		err = trouble
	case trouble != nil: // one of two is the error, and the other is said before it
		c.note("%s", why.Trouble)
	}
	out.Tiers = append(out.Tiers, where, why)
	c.tellTiers(out)
	return err
}

// tellTiers prints what answers in each tier.
func (c *call) tellTiers(out tiersJSON) {
	for _, t := range out.Tiers {
		c.line("%-8s %s: %s", t.Tier, t.BackEnd, t.Why)
		if len(t.Collections) > 0 {
			c.line("         collections: %s", brief.Line(strings.Join(t.Collections, ", ")))
		}
		if t.Folder != "" {
			c.line("         drawers: %s", brief.Line(t.Folder))
		}
		if t.Before != "" {
			c.line("         before that: lines of %s", t.Before)
		}
		if t.Change != "" {
			c.line("         to change it: %s", t.Change)
		}
	}
	c.value(out)
}

// mainly is an error without its hints, "" for none.
func mainly(err error) string {
	if err == nil {
		return ""
	}
	text, _, _ := strings.Cut(err.Error(), "; hint: ")
	return text
}
