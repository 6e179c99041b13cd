package main

import (
	"errors"
	"fmt"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// changeFlags are those of the verbs that change memories on a person's word.
type changeFlags struct {
	DryRun bool `help:"Show what would be written, and write nothing." short:"n"`
	Diff   bool `help:"Also show every change as a diff." short:"d"`
	JSON   bool `help:"Print one JSON object."`
}

// move is a step in the life of a memory.
type move struct {
	verb plan.Verb
	done memory.Status // what the memory is afterwards
	word string        // what was done, such as "restored"; one of claude-memory's status words
	make func(memory.Record) (memory.Moved, error)
}

// movedJSON is what retire, archive, unarchive and restore print with --json.
type movedJSON struct {
	// "retired", "already_retired", …; "already_active" of restore and unarchive
	Status string `json:"status"`
	Target string `json:"target"` // below the store's root
	ID     string `json:"id"`
	Title  string `json:"title"`
	Digest string `json:"digest,omitempty"` // of the plan, for keepsake undo; none when nothing was to do
	DryRun bool   `json:"dry_run,omitempty"`
}

// move finds a memory and takes the step.
func (c *call) move(id string, f changeFlags, m move) error {
	c.json = f.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	r, err := find(c.nameable(s, loaded, id), id)
	if err != nil {
		return err
	}
	moved, err := m.make(r.Record)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	out := movedJSON{Status: m.word, Target: r.Path, ID: r.ID, Title: r.Title, DryRun: f.DryRun}
	if c.hides(s, r) {
		out.Title = ""
	}
	if moved.Already {
		out.Status = "already_" + string(m.done)
		c.line("%s is %s already", brief.Line(r.Path), m.done)
		c.value(out)
		return nil
	}
	p := plan.Plan{Version: plan.Version, Edits: []plan.Edit{upkeep.Edit(r, m.verb, moved.Record)}}
	out.Digest = p.Digest()
	c.edits(recordsOf(s), p, f)
	if err := c.change(recordsOf(s), p, f); err != nil {
		return err
	}
	if !f.DryRun {
		c.line("%s: %s", m.word, brief.Line(r.Path))
		if m.done != memory.Active {
			c.tookBack(s, "", "", r.Path)
			c.promotedOf(s, true, r.Path)
		}
	}
	c.value(out)
	return nil
}

// edits prints the edits of a dry run, unless a diff shows them.
func (c *call) edits(at place, p plan.Plan, f changeFlags) {
	if !f.DryRun || f.Diff {
		return
	}
	shown := c.shownEdits(at, p)
	c.noteHeld(len(p.Edits) - len(shown))
	for _, e := range shown {
		c.line("%s %s  %s", e.Verb, brief.Line(e.Path), brief.Line(e.Title))
	}
}

// planAgain calls do, which plans and calls change, again if somebody else wrote meanwhile. Who is going to
// write waits for others that do the same.
func (f changeFlags) planAgain(c *call, at place, do func() error) error {
	if f.DryRun {
		return store.PlanAgain(do)
	}
	return at.PlanInTurn(c.ctx, do)
}

// change shows a plan as a diff if it is asked to, and applies it unless it is a
// dry run.
func (c *call) change(at place, p plan.Plan, f changeFlags) error {
	return c.changeAs(at, p, f, nil, c.person.asks())
}

// changeAs is change, and notes that the records are trusted as judged; see session.Trust.
func (c *call) changeAs(at place, p plan.Plan, f changeFlags, judged map[string]session.Judged,
	accepted bool) error {
	if f.Diff {
		c.planDiff(at, p)
	}
	if f.DryRun {
		c.line("nothing was written: this was a dry run")
		return nil
	}
	err := at.Apply(c.ctx, p)
	if err == nil && !at.markdown {
		if err := at.session.Trust(p, judged, accepted, c.now().UTC()); err != nil {
			c.note("written, but what is known of it could not be noted: %v", err)
		}
	}
	switch {
	case errors.Is(err, store.ErrUnfinished):
		return failed(err, "when what is in the way is gone, any keepsake command finishes it")
	case errors.Is(err, store.ErrConflict):
		return &failure{exitConflict, err,
			[]string{"look at it again and repeat the command: nothing was written"}}
	case errors.Is(err, store.ErrByHand):
		return &failure{exitConflict, err,
			[]string{"the rest is in place, and this file as somebody else left it: look at it"}}
	}
	return err
}
