package main

import (
	"cmp"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/status"
)

type tiersCmd struct {
	JSON bool `help:"Print one JSON object: tiers, of which each has tier, back_end, why."`
}

func (tiersCmd) Help() string {
	return `Lists the tiers that a question can go to: what answers in each, why, and how to change it. If
a back end was chosen and can't answer, it is named with the way to mend it, no other takes its place, and
the exit code is 1.

Example:

    keepsake notes tiers
    keepsake config set tiers.where embedded`
}

func (v tiersCmd) Run(c *call, s *session.Session) error {
	all, err, noWhy := status.Tiers(c.ctx, c.backEnds(s))
	if err != nil && noWhy != nil && err.Error() != noWhy.Error() { // one of two is the error
		c.note("%s", all[len(all)-1].Trouble)
	}
	for _, t := range all {
		c.line("%-8s %s: %s", t.Name, t.BackEnd, t.Why)
		for _, l := range [...]struct{ label, text string }{
			{"collections: ", strings.Join(t.Collections, ", ")}, {"drawers: ", t.Folder},
			{"before that: lines of ", t.Before}, {"to change it: ", t.Change},
		} {
			if l.text != "" {
				c.line("         %s%s", l.label, brief.Line(l.text))
			}
		}
	}
	c.value(struct {
		Tiers []status.Tier `json:"tiers"`
	}{all})
	return cmp.Or(err, noWhy)
}
