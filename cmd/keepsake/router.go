package main

import (
	"keepsake/pkg/project/session"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/drawer"
)

// routeSave prints how the agent calls the skill that stores a text in a tier. It returns false if
// Keepsake stores it itself.
func (c *call) routeSave(s *session.Session, tier, text string) (bool, error) {
	r, on, err := c.backEnds(s).Router()
	if !on || err != nil {
		return on, err
	}
	if text = scratch.Clean(secret.Redact(text)); text == "" {
		return true, usage("nothing to save: the text is empty")
	}
	return true, c.route(r, tier, drawer.Tag(s.Place.Home), drawer.Drawer{Text: text})
}

// route prints the calls of the skill that stores texts. Its error gives the exit code for "nothing is
// stored yet". The gate runs this beforehand, and shows its note to the agent.
func (c *call) route(r tiers.Router, tier, tag string, all ...drawer.Drawer) error {
	c.note("call the skill %s with %q and the text: nothing is saved yet (tiers.router)", r.Skill,
		r.Save(tier, tag, ""))
	calls := []answer.ToSkill{}
	for _, d := range all {
		call := answer.ToSkill{Skill: r.Skill, Words: r.Save(tier, tag, scratch.Clean(d.Text))}
		calls = append(calls, call)
		c.line("call the skill %s: %s", call.Skill, call.Words)
	}
	c.value(struct {
		Calls []answer.ToSkill `json:"calls"`
	}{calls})
	return quiet{exitFailed}
}
