package main

import (
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/tiers"
)

type saveCmd struct {
	Text []string `arg:"" help:"What to note."`
	Tier string   `help:"Where to: scratch." enum:"scratch" default:"scratch" placeholder:"TIER"`
	JSON bool     `help:"Print one JSON object: topic, path, at, redacted."`
}

func (saveCmd) Help() string {
	return `Appends the text with the time to .agents/memory/scratch/TOPIC.md in this checkout, for the rest of the work and the next session. TOPIC is the active phase of task_plan.md, such as phase-2-data-model, or general. Secrets are taken out. These are notes, not memories: what should last goes through the save skill.

Text that begins with a hyphen goes behind "--".

Examples:

    keepsake save Decided to use Postgres over SQLite, scaling concern
    keepsake save --tier scratch 'the importer fails on an empty row'`
}

func (v saveCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	notes := tiers.Scratch{Root: s.Root, Warn: func(err error) { c.note("%s; passed over", brief.Line(err.Error())) }}
	saved, err := notes.Save(c.ctx, strings.Join(v.Text, " "), c.now())
	if err != nil {
		return failed(err)
	}
	for _, kind := range saved.Secrets {
		c.note("taken out: %s", kind)
	}
	c.line("Saved to scratch / topic=%s", saved.Topic)
	c.value(saved)
	return nil
}
