package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
)

type commitCmd struct {
	Partial bool `help:"Go on with the drafts that are there, though a noticed category has none."`
	JSON    bool `help:"Print one JSON object: line, saved, kept."`
}

func (commitCmd) Help() string {
	return `Plan and apply in one, for a person who trusts the drafts unseen. When another session saves
meanwhile, it plans again. Exit codes are those of both.

Example:

    keepsake records commit`
}

func (v commitCmd) Run(c *call, w *save.Saver) error {
	p, r, err := w.Commit(c.ctx, save.Options{Partial: v.Partial},
		func(p save.Plan) { c.block(brief.Outcomes(p.Outcomes())) })
	if err := c.saved(w.Session, p, r, err); err != nil {
		return err
	}
	c.sayActs(p.Upkeep) // not before: it can be stopped
	c.sayLeft(p.Left)
	return nil
}
