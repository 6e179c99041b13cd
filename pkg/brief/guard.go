package brief

import (
	"strings"

	"keepsake/pkg/memory"
)

// Guard returns what a guard does, as "asks before `git push --force`".
func Guard(g memory.Guard) string {
	does := map[string]string{memory.Say: "tells the agent at", memory.Ask: "asks before",
		memory.Deny: "stops"}[g.Does]
	said := does + " " + GuardedCalls(g)
	if len(g.Needs) > 0 {
		said += " unless `" + strings.Join(g.Needs, " ") + "` ran before"
	}
	return Line(said)
}

// GuardedCalls returns which calls a guard is about, as "`git push --force`".
func GuardedCalls(g memory.Guard) string {
	switch {
	case g.Tool != "":
		return "calls of " + g.Tool
	case g.Path != "":
		return "changes of `" + g.Path + "`"
	}
	return "`" + strings.Join(g.Command, " ") + "`"
}
