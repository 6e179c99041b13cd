package main

import (
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

// backFlags are those of the verbs that make a memory active again.
type backFlags struct {
	ID string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
	changeFlags
}

// awayFlags are those of the verbs that take a memory out of what is recalled.
type awayFlags struct {
	ID     string `arg:"" help:"Id of the memory, the beginning of one, or its file name."`
	Reason string `help:"Why; it is kept with the memory." placeholder:"TEXT"`
	changeFlags
}

type retireCmd struct{ awayFlags }

func (retireCmd) Help() string {
	return `Takes a memory out of what is recalled. The file stays. keepsake records gc collects it when
its grace period (delete.grace_period_days) is over; keepsake records restore brings it back. Retiring
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

type restoreCmd struct{ backFlags }

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

type archiveCmd struct{ awayFlags }

func (archiveCmd) Help() string {
	return `Puts an active memory away for good: it is no longer recalled, and nothing ever collects it.
keepsake records unarchive brings it back; keepsake list --status archived lists what was put away.

Example:

    keepsake records archive migration-to-go --reason 'done, of historical interest'`
}

func (v archiveCmd) Run(c *call) error {
	return c.move(v.ID, v.changeFlags,
		move{plan.Archive, memory.Archived, "archived", func(r memory.Record) (memory.Moved, error) {
			return r.Archive(secret.Redact(v.Reason), c.now())
		}})
}

type unarchiveCmd struct{ backFlags }

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
