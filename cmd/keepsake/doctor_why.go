package main

import "strings"

// checkWhy asks MemPalace something where it keeps what was promoted: whether it
// works is known by nothing else. It reads only, and takes a second or two.
func checkWhy(p patient) []finding {
	k, choice, err := keeper(p.call, p.Session)
	if err == nil && choice.Backend == "mempalace" {
		_, err = k.Find(p.call.ctx, "keepsake", 1)
	}
	what := "promotions go to " + choice.Backend + ": " + choice.Why
	if err == nil {
		return []finding{{What: what}}
	}
	why, remedy, _ := strings.Cut(err.Error(), "; hint: ")
	return []finding{{State: wrong, What: what + ", which can't be used: " + why, Remedy: strings.ReplaceAll(remedy, "; hint: ", "; or ")}}
}
