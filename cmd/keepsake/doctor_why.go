package main

import (
	"strings"

	"keepsake/pkg/tiers"
)

// checkWhy asks MemPalace something where it keeps what was promoted: whether it
// works is known by nothing else. It reads only, and takes a second or two.
func checkWhy(p patient) []diagnosis {
	var what string
	_, on, err := p.call.backEnds(p.Session).Router()
	if on {
		what = "promotions go to the skill " + tiers.RouterSkill + ": tiers.router says so"
	} else {
		k, choice, kerr := p.call.backEnds(p.Session).Keeper()
		if err = kerr; err == nil && choice.Backend == "mempalace" {
			_, err = k.Find(p.call.ctx, "keepsake", 1)
		}
		what = "promotions go to " + choice.Backend + ": " + choice.Why
	}
	if err == nil {
		return []diagnosis{{What: what}}
	}
	return []diagnosis{unusable(what, err)}
}

// unusable says that a back end can't answer, and what helps.
func unusable(what string, err error) diagnosis {
	why, remedy, _ := strings.Cut(err.Error(), "; hint: ")
	return diagnosis{State: wrong, What: what + ", which can't be used: " + why,
		Remedy: strings.ReplaceAll(remedy, "; hint: ", "; or ")}
}
