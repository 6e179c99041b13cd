package main

import (
	"cmp"

	"keepsake/pkg/drawer"
	"keepsake/pkg/paths"
	"keepsake/pkg/scratch"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/tiers"
)

// toSkill is what the agent is to call a skill with, which a program can't.
type toSkill struct {
	Skill string `json:"skill"`
	Words string `json:"words"`
}

// router is the skill that the settings have ask and keep instead of Keepsake; on
// is false where they have none. When it is not installed that is an error, and
// nothing takes its place.
func (c *call) router(s *session.Session) (r tiers.Router, on bool, err error) {
	if s.Config.Tiers.Router != tiers.RouterSkill {
		return r, false, nil
	}
	client := cmp.Or(paths.Client(s.State.Transcript), paths.ClientHere())
	if r, err = tiers.FindRouter(tiers.RouterHomes(client)); err != nil {
		return r, true, failed(err)
	}
	return r, true, nil
}

// routed notes what the skill is to be asked for a tier; false where Keepsake asks
// by itself.
func (a *answer) routed(tier string) (bool, error) {
	r, on, err := a.router(a.Session)
	if on && err == nil {
		a.skill = &toSkill{r.Skill, r.Ask(tier, a.text)}
	}
	return on, err
}

// routeSave says how the skill keeps a text for a tier; false where Keepsake keeps by
// itself.
func (c *call) routeSave(s *session.Session, tier, text string) (bool, error) {
	r, on, err := c.router(s)
	if !on || err != nil {
		return on, err
	}
	if text = scratch.Clean(secret.Redact(text)); text == "" {
		return true, usage("nothing to save: the text is empty")
	}
	return true, c.route(r, tier, drawer.Tag(s.Place.Home), drawer.Drawer{Text: text})
}

// route says how the skill keeps texts. Nothing is kept yet, which the exit code
// says, and the gate, which tells an agent so before this runs, reads the note.
func (c *call) route(r tiers.Router, tier, tag string, all ...drawer.Drawer) error {
	c.note("call the skill %s with %q and the text: nothing is saved yet (tiers.router)", r.Skill, r.Save(tier, tag, ""))
	calls := []toSkill{}
	for _, d := range all {
		call := toSkill{r.Skill, r.Save(tier, tag, scratch.Clean(d.Text))}
		calls = append(calls, call)
		c.line("call the skill %s: %s", call.Skill, call.Words)
	}
	c.value(struct {
		Calls []toSkill `json:"calls"`
	}{calls})
	return quiet{exitFailed}
}
