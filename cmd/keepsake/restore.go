package main

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

type restoreCmd struct {
	ID string `arg:"" help:"Id of the memory, its file name, or the beginning of an id that is enough to tell it."`
	changeFlags
}

func (restoreCmd) Help() string {
	return `Makes a retired memory active again, so that it is recalled.

Examples:

    keepsake list --status retired
    keepsake records restore use-redis`
}

func (v restoreCmd) Run(c *call) error {
	return c.move(v.ID, v.changeFlags,
		move{plan.Restore, memory.Active, "restored", func(r memory.Record) (memory.Moved, error) {
			return r.Restore(c.now())
		}})
}
