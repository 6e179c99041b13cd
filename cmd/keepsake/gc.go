package main

import (
	"iter"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

type gcCmd struct {
	changeFlags
}

func (gcCmd) Help() string {
	return `Brings the project's memories within the bounds of the settings:

  - delete.grace_period_days: memories that were retired that long ago are collected.
  - delete.archive_retired: collected memories are archived when it is true, else deleted.
  - categories.session_summary.max_retained: session summaries beyond that number are retired.
  - categories.*.retention_days: memories unchanged for longer are retired.
  - max_memories_per_category: beyond that number, those unchanged for longest are retired.

Archived memories stay as they are. It is one plan, or one for every 10,000 memories;
keepsake undo takes back the last, and by its digest any other.

Examples:

    keepsake records gc --dry-run
    keepsake records gc`
}

// gcJSON is what gc prints with --json.
type gcJSON struct {
	Acts    []upkeep.Act     `json:"acts"`
	Skipped []upkeep.Skipped `json:"skipped"`           // records that the rules cannot be applied to
	Digest  string           `json:"digest,omitempty"`  // of the last plan
	Digests []string         `json:"digests,omitempty"` // of all plans, in order, where there are several
	DryRun  bool             `json:"dry_run,omitempty"`
}

func (v gcCmd) Run(c *call, s *session.Session) error {
	debug.SetMemoryLimit(softMemory)
	debug.SetGCPercent(400)
	loaded, err := s.Store().Heads()
	c.sayBad(loaded.Bad)
	if err != nil {
		return err
	}
	now := c.now()
	due, skipped := upkeep.Find(loaded.Records, s.UpkeepRules(), now)
	out := gcJSON{Acts: []upkeep.Act{}, Skipped: []upkeep.Skipped{}, DryRun: v.DryRun}
	var digests []string
	skip := func(all []upkeep.Skipped) {
		for _, k := range all {
			c.note("%s: left as it is: %s", brief.Line(k.Path), brief.Line(k.Why))
		}
		out.Skipped = append(out.Skipped, all...)
	}
	skip(skipped)
	at := recordsOf(s)
	at.series = at.Series()
	defer at.series.End()
	for part := range collected(at.series, due, now) {
		skip(part.skipped)
		if len(part.plan.Edits) == 0 {
			continue
		}
		hidden := len(part.acts)
		part.acts = c.shownActs(at, part.acts)
		hidden -= len(part.acts)
		if v.DryRun {
			c.noteHeld(hidden)
			c.sayActs(part.acts)
		}
		if err := c.change(at, part.plan, v.changeFlags); err != nil {
			if len(digests) > 0 {
				c.note("%s collected before that, in plans of their own", text.Count(len(out.Acts), "record"))
			}
			return err
		}
		out.Acts = append(out.Acts, part.acts...)
		out.Digest = part.plan.Digest()
		digests = append(digests, out.Digest)
		if !v.DryRun { // not before: it can be stopped
			c.sayActs(part.acts)
			c.tookBack(s, "", "", part.plan.Paths()...)
		}
	}
	switch {
	case len(digests) == 0:
		c.line("nothing to collect")
	case len(digests) > 1 && !v.DryRun:
		out.Digests = digests
		c.line("done in %d plans, of which keepsake undo takes back the last; the others by name:",
			len(digests))
		for _, d := range digests[:len(digests)-1] {
			c.line("    keepsake undo %s", d[:12])
		}
	}
	c.value(out)
	return nil
}

// A part of gc is one plan, and all that is held in memory beside the heads of the records.
const (
	partRecords = 10_000
	partBytes   = 16 << 20
)

// softMemory is from where on the collector of Go spends time to save memory, in bytes. Below that it may
// let garbage grow: to look for it took a fifth of the time. A store of 100,000 records then needs less than
// 500 MB.
const softMemory = 360 << 20

// parts yields what is due in parts that are small enough for one plan.
func parts(due []upkeep.Due) iter.Seq[[]upkeep.Due] {
	return func(yield func([]upkeep.Due) bool) {
		for len(due) > 0 {
			n, size := 0, int64(0)
			for n < len(due) && n < partRecords && (n == 0 || size < partBytes) {
				size += due[n].Record.File.Size
				n++
			}
			if !yield(due[:n]) {
				return
			}
			due = due[n:]
		}
	}
}

// A part is the plan for some of what is due.
type part struct {
	plan    plan.Plan
	acts    []upkeep.Act
	skipped []upkeep.Skipped
}

// collected yields the parts of what is due. While one is applied, the next one is made.
func collected(s *store.Series, due []upkeep.Due, now time.Time) iter.Seq[part] {
	return func(yield func(part) bool) {
		made, stop := make(chan part), make(chan struct{})
		var making sync.WaitGroup
		making.Go(func() {
			defer close(made)
			for some := range parts(due) {
				select {
				case made <- collect(s, some, now):
				case <-stop:
					return
				}
			}
		})
		defer making.Wait()
		defer close(stop)
		for p := range made {
			if !yield(p) {
				return
			}
		}
	}
}

// collect returns the plan of some of what is due; a record that has changed since it was found is left as it
// is.
func collect(s *store.Series, due []upkeep.Due, now time.Time) (p part) {
	heads := make([]memory.Stored, len(due))
	for i, d := range due {
		heads[i] = *d.Record
	}
	records, bad := s.Whole(heads) // in the order of the heads
	whole := make([]upkeep.Due, 0, len(records))
	for _, d := range due {
		if n := len(whole); n < len(records) && records[n].Path == d.Record.Path {
			d.Record = &records[n]
			whole = append(whole, d)
		}
	}
	p.plan, p.acts, p.skipped = upkeep.Make(whole, now)
	for _, b := range bad {
		p.skipped = append(p.skipped, upkeep.Skipped{Path: b.Path, Why: b.Err.Error()})
	}
	return p
}

// sayActs prints the acts of upkeep, a line each.
func (c *call) sayActs(acts []upkeep.Act) {
	var lines strings.Builder // written at once: there may be thousands
	for _, a := range acts {
		lines.WriteString(string(a.Verb) + " " + brief.Line(a.Path) + ": " + brief.Line(a.Reason))
		if a.Note != "" {
			lines.WriteString("; " + brief.Line(a.Note))
		}
		lines.WriteByte('\n')
	}
	c.block(lines.String())
}
