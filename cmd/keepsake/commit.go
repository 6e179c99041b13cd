package main

import (
	"errors"

	"keepsake/pkg/brief"
	"keepsake/pkg/session"
)

type commitCmd struct {
	Partial bool `help:"Go on with the drafts that are there, though a noticed category has none."`
	JSON    bool `help:"Print one JSON object: line, saved, kept."`
}

func (commitCmd) Help() string {
	return `Plan and apply in one, for a person who trusts the drafts unseen. When another session saves meanwhile, it plans again. Exit codes are those of both.

Example:

    keepsake records commit`
}

// commitTries is how often commit plans before it gives up: each time another
// session has saved between the plan and its end.
const commitTries = 5

func (v commitCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.staged()
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := commit(c, s, v.Partial)
		if try == commitTries || !overtaken(err) {
			return err
		}
		c.note("another session saved meanwhile, and nothing of this was written; planned again")
	}
}

// commit plans and applies once.
func commit(c *call, s *session.Session, partial bool) error {
	p, err := makePlan(c, s, planning{partial: partial, now: c.now()})
	if err != nil {
		return err
	}
	if err := writePlan(s, p); err != nil {
		return err
	}
	c.block(brief.Outcomes(p.outcomes()))
	if err := apply(c, s, p); err != nil {
		return err
	}
	for _, line := range actLines(p.Upkeep) { // not before: it can be stopped
		c.line("%s", line)
	}
	sayLeft(c, p)
	return nil
}

// overtaken says that the store was changed after the plan was made, and nothing
// of the plan was written.
func overtaken(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.code == exitConflict
}
