package main

import (
	"context"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/search/tiers"
)

type saveCmd struct {
	Text []string `arg:"" help:"What to note."`
	Tier string   `help:"Where to: scratch, where or why." enum:"scratch,where,why" default:"scratch" placeholder:"TIER"`
	promoting
}

func (saveCmd) Help() string {
	return `For a memory use keepsake remember TEXT: this is a note for the work at hand.

Appends the text with the time to .agents/memory/scratch/TOPIC.md in this checkout, for the rest of the
work and the next session. TOPIC is the active phase of task_plan.md, such as phase-2-data-model, or
general. Secrets are taken out.

With --tier where it is one line about where something is, such as 'retry logic: pkg/http/retry.go'. It
goes to .agents/memory/where.md and stays there as long as the project. A question that begins with where
shows it first. A line that is there already is not added again; at most 20 lines an hour are taken.

With --tier why it is kept for good, as with keepsake notes promote: a person is shown the text and asked.
--wing, --room, --anyway and --dry-run belong to this tier.

Text that begins with a hyphen goes behind "--".

Examples:

    keepsake notes save Decided to use Postgres over SQLite, scaling concern
    keepsake notes save --tier scratch 'the importer fails on an empty row'
    keepsake notes save --tier where 'retry logic: pkg/http/retry.go'
    keepsake notes save --tier why 'Postgres, not SQLite: several writers'`
}

func (v saveCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Tier != string(answer.Why) && v.promoting != (promoting{JSON: v.JSON}) {
		return usage("--wing, --room, --anyway and --dry-run are for --tier why")
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	if v.Tier != string(answer.Scratch) { // which is Keepsake's own
		if on, err := c.routeSave(s, v.Tier, strings.Join(v.Text, " ")); on {
			return err
		}
	}
	switch v.Tier {
	case string(answer.Where):
		return v.annotate(c, s)
	case string(answer.Why):
		return v.why(c, s)
	}
	notes := tiers.Scratch{Root: s.Root, Warn: c.passed}
	// One write keeps it, so that Ctrl-C may come at any time.
	saved, err := notes.Save(context.Background(), strings.Join(v.Text, " "), c.now())
	if err != nil {
		return err
	}
	c.takenOut(saved.Secrets)
	c.line("Saved to scratch / topic=%s", saved.Topic)
	c.value(saved)
	return nil
}

// annotate keeps one line about where something is.
func (v saveCmd) annotate(c *call, s *session.Session) error {
	saved, err := tiers.Annotations{Root: s.Root}.Save(context.Background(), strings.Join(v.Text, " "),
		c.now())
	if err != nil {
		return err
	}
	c.takenOut(saved.Secrets)
	if saved.Gone != "" {
		c.note("%s is not there: recall will show this as stale", brief.Line(saved.Gone))
	}
	said := "Saved to WHERE"
	if saved.Already {
		said = "Already in WHERE"
	}
	c.line("%s / %s:%d", said, saved.Path, saved.Line)
	c.value(saved)
	return nil
}

// takenOut notes the kinds of secrets that were taken out of what is kept.
func (c *call) takenOut(kinds []string) {
	for _, kind := range kinds {
		c.note("taken out: %s", kind)
	}
}
