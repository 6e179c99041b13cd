package main

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

type unarchiveCmd struct {
	ID string `arg:"" help:"Id of the memory, its file name, or the beginning of an id that is enough to tell it."`
	changeFlags
}

func (unarchiveCmd) Help() string {
	return `Makes an archived memory active again, so that it is recalled.

Example:

    keepsake records unarchive migration-to-go`
}

func (v unarchiveCmd) Run(c *call) error {
	return c.move(v.ID, v.changeFlags,
		move{plan.Unarchive, memory.Active, "unarchived", func(r memory.Record) (memory.Moved, error) {
			return r.Unarchive(c.now())
		}})
}
