package main

import (
	"errors"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
)

type approvalsCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (approvalsCmd) Help() string {
	return `Lists the calls that the gate stopped and that wait for your answer, the answers that still
count, and what became of approved calls in the last day.

Examples:

    keepsake gate approvals
    keepsake gate approvals --json`
}

func (v approvalsCmd) Run(c *call) error {
	c.json = v.JSON
	b, err := c.inbox()
	if err != nil {
		return err
	}
	all, err := b.Approvals()
	c.block(all.Text(c.now()))
	c.value(all)
	return err
}

// approvals is the folder of the person's Claude Code. What is too old to count is deleted in those of all
// clients.
func (c *call) approvals() (approval.Dir, error) {
	d, err := c.approvalsAsIs()
	if err != nil {
		return "", err
	}
	for _, client := range layout.ClientsHere() {
		if err := approval.Dir(layout.Approvals(client)).Sweep(c.now()); err != nil {
			c.note("old requests could not be deleted: %v", err)
		}
	}
	return d, nil
}

// approvalsAsIs is approvals, and deletes nothing.
func (c *call) approvalsAsIs() (approval.Dir, error) {
	d := approval.Dir(layout.Approvals(layout.ClientHere()))
	if d == "" {
		return "", failed(errors.New("the client's folder is unknown"),
			"set HOME, or CLAUDE_CONFIG_DIR if Claude Code runs with it")
	}
	return d, nil
}
