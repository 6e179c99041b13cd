package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
)

type commitCmd struct {
	Partial bool `help:"Go on with the drafts that are there, even if a noticed category has none."`
	JSON    bool `help:"Print one JSON object: line, saved, kept."`
}

func (commitCmd) Help() string {
	return `Plans and applies in one step, for a person who trusts the drafts without looking. If another
session saves meanwhile, it plans again. The exit codes are those of plan and apply.

Example:

    keepsake records commit`
}

func (v commitCmd) Run(c *call, w *save.Saver) error {
	p, r, err := w.Commit(c.ctx, save.Options{Partial: v.Partial},
		func(p save.Plan) { c.block(brief.Outcomes(p.Outcomes())) })
	if err := c.saved(w.Session, p, r, err); err != nil {
		return err
	}
	c.sayActs(c.shownActs(recordsOf(w.Session), p.Upkeep)) // not before: it can be stopped
	c.sayLeft(p.Left)
	return nil
}
