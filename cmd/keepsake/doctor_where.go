package main

import "keepsake/pkg/tiers"

// checkWhere asks QMD something where it answers where things are: whether it works
// is known by nothing else. It takes a second or less.
func checkWhere(p patient) []diagnosis {
	if p.Session.Config.Tiers.Router == tiers.RouterSkill {
		return nil // checkWhy says whether that is there
	}
	finder, choice := p.call.backEnds(p.Session).Locator()
	what := "where things are is asked of " + choice.Backend + ": " + choice.Why
	if choice.Backend == "qmd" {
		if _, err := finder.Find(p.call.ctx, "keepsake", 1); err != nil {
			return []diagnosis{unusable(what, err)}
		}
	}
	return []diagnosis{{What: what}}
}
