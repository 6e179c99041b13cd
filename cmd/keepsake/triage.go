package main

import (
	"fmt"
	"strings"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

type triageCmd struct {
	Pending  bool     `help:"Instead claim what ended sessions of the project left unsaved."`
	Category []string `help:"Stage this category even if nothing in it was noticed, because the person asked for it. May be repeated." placeholder:"CATEGORY" sep:","`
	JSON     bool     `help:"Print one JSON object: the triage data and its path."`
}

func (triageCmd) Help() string {
	return `Reads the whole conversation of the session again, stages the categories worth keeping with
their context for drafters, and prints the path of the file that the save skill reads. Drafts and a plan
of an earlier run are cleared first; findings that are not saved stay.

Examples:

    keepsake records triage
    keepsake records triage --category decision
    keepsake records triage --pending`
}

// triageJSON is what triage --json prints.
type triageJSON struct {
	Path    string           `json:"path"` // of triage-data.json; "" when nothing was noticed
	Data    stage.TriageData `json:"triage_data"`
	Cleared []string         `json:"cleared"` // files taken off the stage first
	Claimed []string         `json:"claimed"` // sessions whose leftovers came onto the stage
	// Remade are findings of this session that lay on a stage which has vanished.
	Remade []int `json:"remade,omitempty"`
}

func (v triageCmd) Run(c *call, w *save.Saver) error {
	wanted, err := categories(v.Category)
	if err != nil {
		return err
	}
	out := triageJSON{Cleared: []string{}, Claimed: []string{}}
	if v.Pending {
		return v.pending(c, w, out)
	}
	if w.Session.State.Transcript == "" {
		s, err := latest(w.Session)
		if err != nil {
			return err
		}
		c.note("session %s (the latest) of %s", s.ID, s.Root)
		w = c.saver(s)
	}
	gone, err := w.Clear()
	if err != nil {
		return err
	}
	if out.Cleared = append(out.Cleared, gone...); len(gone) > 0 {
		c.line("cleared from the stage: %s", strings.Join(gone, ", "))
	}
	explicit, err := w.Look(wanted)
	if err != nil {
		return err
	}
	return c.announce(w, explicit, out)
}

// pending claims what ended sessions left.
func (v triageCmd) pending(c *call, w *save.Saver, out triageJSON) error {
	claim, err := w.Claim()
	if err != nil {
		return err
	}
	out.Claimed, out.Remade = claim.Sessions, claim.Remade
	if claim.Later > 0 {
		c.line("%s wait; these are the first %d", count(save.Batch+claim.Later, "finding"), save.Batch)
	}
	if len(out.Claimed)+len(out.Remade) == 0 {
		c.line("nothing pending")
		c.value(out)
		return nil
	}
	if len(out.Claimed) > 0 {
		c.line("claimed what %s left: %s", count(len(out.Claimed), "session"),
			strings.Join(out.Claimed, ", "))
	}
	return c.announce(w, false, out)
}

// announce starts the drafters on what lies on the stage, and prints the announcement that the Stop hook
// would make.
func (c *call) announce(w *save.Saver, explicit bool, out triageJSON) error {
	a, err := w.Announce(explicit)
	if err != nil {
		return err
	}
	if a.Path == "" {
		c.line("nothing noticed")
	}
	c.block(a.Text)
	out.Path, out.Data = a.Path, a.Data
	c.value(out)
	return nil
}

// categories reads category names as people write them; "" is none.
func categories(names []string) (all []memory.Category, err error) {
	for _, n := range names {
		if n == "" {
			continue
		}
		cat, err := memory.ParseCategory(n)
		if err != nil {
			return nil, &failure{exitUsage, err, nil}
		}
		all = append(all, cat)
	}
	return all, nil
}

// latest is the session of the project that a hook saw last.
func latest(s *session.Session) (*session.Session, error) {
	all, err := s.Sessions().All()
	if err != nil {
		return nil, err
	}
	for _, st := range all {
		if st.Transcript != "" {
			return s.Sibling(st.Session)
		}
	}
	return nil, failed(fmt.Errorf("%s: no session is known here", s.Root),
		"keepsake learns of a session when its hooks run in it; is the plugin installed and enabled?")
}
