package main

import "keepsake/pkg/brief"

type commitCmd struct {
	Partial bool `help:"Go on with the drafts that are there, though a noticed category has none."`
	JSON    bool `help:"Print one JSON object: line, saved, kept."`
}

func (commitCmd) Help() string {
	return `Plan and apply in one, for a person who trusts the drafts unseen. Exit codes are those of both.

Example:

    keepsake commit`
}

func (v commitCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.staged()
	if err != nil {
		return err
	}
	p, err := makePlan(c, s, planning{partial: v.Partial, now: c.now()})
	if err != nil {
		return err
	}
	if err := writePlan(s, p); err != nil {
		return err
	}
	c.block(brief.Outcomes(p.outcomes()))
	return apply(c, s, p)
}
