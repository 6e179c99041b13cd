package main

import (
	"fmt"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/erase"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// hides reports whether a record's words are kept from whoever runs this: no agent is shown one that waits
// for the person's yes. Every verb that prints words of records asks it, by one of the functions below.
func (c *call) hides(s *session.Session, r memory.Stored) bool {
	return !c.person.asks() && s.TrustOf(r).Held
}

// hidesVersion is hides of the bytes of a record, as they are or were; nil stands for none.
func (c *call) hidesVersion(s *session.Session, path string, b []byte) bool {
	if b == nil {
		return false
	}
	r, _ := memory.Decode(b) // what can't be read says nothing of where it is from
	return c.hides(s, memory.Stored{Record: r, Path: path, Digest: plan.DigestOf(b)})
}

// hidesEdit is hides of an edit of a plan. What an edit writes is of whoever made the plan, unless it brings
// back what was there before.
func (c *call) hidesEdit(at place, e plan.Edit) bool {
	return at.session != nil && (c.hidesVersion(at.session, e.Path, at.before(e.Path)) ||
		// its file may be gone
		e.Before != "" && c.hides(at.session, memory.Stored{Path: e.Path, Digest: e.Before}) ||
		e.Verb == plan.Revert && c.hidesVersion(at.session, e.Path, e.After))
}

// hidesChange is hides of a change that was made.
func (c *call) hidesChange(at place, ch past) bool {
	return at.session != nil && (c.hidesVersion(at.session, ch.Path, ch.Old) ||
		c.hidesVersion(at.session, ch.Path, ch.After))
}

// hidesTarget is hides of what is to be forgotten, also of one that is gone.
func (c *call) hidesTarget(s *session.Session, t erase.Target) (hides bool) {
	if t.Record != nil {
		return c.hides(s, *t.Record)
	}
	if t.Path != "" {
		all, _ := c.pastOf(recordsOf(s)) // who can't read it is shown nothing of it either
		hides = slices.ContainsFunc(all, func(ch past) bool {
			return ch.Path == t.Path && c.hidesChange(recordsOf(s), ch)
		})
	}
	return hides
}

// shownTo returns the records that whoever runs this may be shown, and notes how many others there are.
func (c *call) shownTo(s *session.Session, all []memory.Stored) []memory.Stored {
	shown := slices.DeleteFunc(slices.Clone(all), func(r memory.Stored) bool { return c.hides(s, r) })
	c.noteHeld(len(all) - len(shown))
	return shown
}

// nameable returns the records that whoever runs this may name: an agent one that is held by its whole id
// only, so that neither a hint nor an answer completes it.
func (c *call) nameable(s *session.Session, loaded store.Loaded, name string) store.Loaded {
	loaded.Records = slices.DeleteFunc(slices.Clone(loaded.Records), func(r memory.Stored) bool {
		return !store.IsNamed(r.Path, name) && c.hides(s, r)
	})
	return loaded
}

// findShown is find of a record that whoever runs this may be shown.
func (c *call) findShown(s *session.Session, loaded store.Loaded, id string) (memory.Stored, error) {
	r, err := find(c.nameable(s, loaded, id), id)
	if err == nil && c.hides(s, r) {
		err = failed(fmt.Errorf("%s is held and not shown", brief.Line(r.Path)),
			"the user looks at it with keepsake review, in a terminal")
	}
	return r, err
}

// shownEdits returns the edits of a plan that whoever runs this may be shown.
func (c *call) shownEdits(at place, p plan.Plan) []plan.Edit {
	return slices.DeleteFunc(slices.Clone(p.Edits), func(e plan.Edit) bool { return c.hidesEdit(at, e) })
}

// shownActs returns the acts of a plan that whoever runs this may be shown.
func (c *call) shownActs(at place, acts []upkeep.Act) []upkeep.Act {
	return slices.DeleteFunc(slices.Clone(acts), func(a upkeep.Act) bool {
		return c.hidesVersion(at.session, a.Path, at.before(a.Path))
	})
}

// planDiff prints a plan as a diff.
func (c *call) planDiff(at place, p plan.Plan) {
	shown := c.shownEdits(at, p)
	c.noteHeld(len(p.Edits) - len(shown))
	c.diff(brief.Plan(p, shown, at.before))
}

// noteHeld notes how many memories an agent was not shown, since they wait for the person's yes.
func (c *call) noteHeld(n int) {
	if n > 0 {
		c.note("%s held and not shown: the person looks at it with keepsake review, in a terminal",
			isAre(n, "memory"))
	}
}
