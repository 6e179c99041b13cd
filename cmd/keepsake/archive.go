package main

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

type archiveCmd struct {
	ID     string `arg:"" help:"Id of the memory, its file name, or the beginning of an id that is enough to tell it."`
	Reason string `help:"Why; it is kept with the memory." placeholder:"TEXT"`
	changeFlags
}

func (archiveCmd) Help() string {
	return `Puts an active memory away for good: it is no longer recalled, and nothing ever collects it.
keepsake records unarchive brings it back, keepsake list --status archived lists what was put away.

Example:

    keepsake records archive migration-to-go --reason 'done, of historical interest'`
}

func (v archiveCmd) Run(c *call) error {
	return c.move(v.ID, v.changeFlags,
		move{plan.Archive, memory.Archived, "archived", func(r memory.Record) (memory.Moved, error) {
			return r.Archive(secret.Redact(v.Reason), c.now())
		}})
}
