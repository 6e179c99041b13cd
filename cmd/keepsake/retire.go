package main

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

type retireCmd struct {
	ID     string `arg:"" help:"Id of the memory, its file name, or the beginning of an id that is enough to tell it."`
	Reason string `help:"Why; it is kept with the memory." placeholder:"TEXT"`
	changeFlags
}

func (retireCmd) Help() string {
	return `Takes a memory out of what is recalled. The file stays; keepsake records gc collects it when
its grace period (delete.grace_period_days) is over, keepsake records restore brings it back. Retiring
twice is no error.

Examples:

    keepsake records retire use-redis --reason 'replaced by Postgres'
    keepsake records retire use-redis --dry-run --diff`
}

func (v retireCmd) Run(c *call) error {
	return c.move(v.ID, v.changeFlags,
		move{plan.Retire, memory.Retired, "retired", func(r memory.Record) (memory.Moved, error) {
			return r.Retire(secret.Redact(v.Reason), c.now())
		}})
}
