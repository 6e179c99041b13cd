package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/project/session"
)

type gcCmd struct {
	changeFlags
}

func (gcCmd) Help() string {
	return `Brings the project's memories within the bounds of the settings, in one plan:

  - delete.grace_period_days: memories that were retired that long ago are collected.
  - delete.archive_retired: collected memories are archived when it is true, else deleted.
  - categories.session_summary.max_retained: session summaries beyond that number are retired.
  - categories.*.retention_days: memories unchanged for longer are retired.
  - max_memories_per_category: beyond that number, those unchanged for longest are retired.

Archived memories stay as they are. keepsake undo takes it back.

Examples:

    keepsake records gc --dry-run
    keepsake records gc`
}

// gcJSON is what gc prints with --json.
type gcJSON struct {
	Acts    []upkeep.Act     `json:"acts"`
	Skipped []upkeep.Skipped `json:"skipped"` // records that the rules cannot be applied to
	Digest  string           `json:"digest,omitempty"`
	DryRun  bool             `json:"dry_run,omitempty"`
}

func (v gcCmd) Run(c *call, s *session.Session) error {
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	p, acts, skipped := upkeep.Collect(loaded.Records, s.UpkeepRules(), c.now())
	for _, k := range skipped {
		c.note("%s: left as it is: %s", brief.Line(k.Path), brief.Line(k.Why))
	}
	out := gcJSON{Acts: append([]upkeep.Act{}, acts...), Skipped: append([]upkeep.Skipped{}, skipped...),
		DryRun: v.DryRun}
	if len(p.Edits) == 0 {
		c.line("nothing to collect")
		c.value(out)
		return nil
	}
	out.Digest = p.Digest()
	if v.DryRun {
		c.sayActs(acts)
	}
	if err := c.change(recordsOf(s), p, v.changeFlags); err != nil {
		return err
	}
	if !v.DryRun { // not before: it can be stopped
		c.sayActs(acts)
		var paths []string
		for _, a := range acts {
			paths = append(paths, a.Path)
		}
		c.tookBack(s, "", paths...)
	}
	c.value(out)
	return nil
}

// sayActs prints the acts of upkeep, a line each.
func (c *call) sayActs(acts []upkeep.Act) {
	for _, a := range acts {
		line := string(a.Verb) + " " + brief.Line(a.Path) + ": " + brief.Line(a.Reason)
		if a.Note != "" {
			line += "; " + brief.Line(a.Note)
		}
		c.line("%s", line)
	}
}
