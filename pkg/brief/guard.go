package brief

import (
	"strings"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/gate/rules"
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

// GuardSays returns what the agent is told about a call that a rule is about, with the call's result.
func GuardSays(h guard.Hit) string {
	said := `keepsake: a rule of the person's is about this call: "` + limited(h.Words, 300) + `" (memory ` + h.ID() + ")"
	if len(h.Needs) > 0 {
		said += "\n`" + Line(strings.Join(h.Needs, " ")) + "` has not succeeded in this session."
	}
	return said
}

// GuardAsks returns the reason of a question that a guard puts to the person.
func GuardAsks(h guard.Hit) string {
	lines := []string{`keepsake: your rule "` + h.Title + `" has a guard on this call`, h.What}
	return rules.Reason(lines, needed(h)+"Answer No and it does not run.") + lifts(h)
}

// GuardDenies returns the reason with which a guard stops a call. unasked reports that the person would be
// asked, and can't be here.
func GuardDenies(h guard.Hit, unasked bool) string {
	lines := []string{`keepsake: the person's rule "` + h.Title + `" stops this call`, h.What}
	rest := needed(h)
	if rest == "" {
		rest = "hint: do as the rule says: " + h.Words + "\n"
	}
	if unasked {
		rest = "The person would be asked, and no dialog is shown here.\n"
	}
	return rules.Reason(lines, strings.TrimSuffix(rest, "\n")) + lifts(h)
}

// lifts says how a guard is lifted. The command is not cut, however long the id is.
func lifts(h guard.Hit) string {
	return "\nOnly a person lifts it, in a terminal: keepsake guard disarm " + Line(h.ID())
}

// needed says what a guard waits for, "" where that is nothing.
func needed(h guard.Hit) string {
	if len(h.Needs) == 0 {
		return ""
	}
	return "`" + strings.Join(h.Needs, " ") + "` has not succeeded in this session: run it first.\n"
}
