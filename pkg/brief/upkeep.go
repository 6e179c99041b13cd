package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/memdir"
)

// DueLogs returns a proposal to archive n daily logs that are more than a week old, or "" if n is 0.
func DueLogs(n int) string {
	if n == 0 {
		return ""
	}
	said := "1 daily log is"
	if n > 1 {
		said = fmt.Sprintf("%d daily logs are", n)
	}
	return "<memory-note>" + said +
		" older than a week: `keepsake md upkeep -w` archives them. Only if the user wants it.</memory-note>"
}

// Archived returns a line for the person: what was archived without asking, and how to undo it. It is ""
// if nothing was archived. digest is that of the plan.
func Archived(acts []memdir.Act, digest string) string {
	logs := 0
	for _, a := range acts {
		if a.What == memdir.Daily {
			logs++
		}
	}
	var said []string
	for _, part := range []struct {
		n         int
		one, many string
	}{{logs, "1 daily log", "%d daily logs"},
		{len(acts) - logs, "the details of 1 finished topic", "the details of %d finished topics"}} {
		switch {
		case part.n == 1:
			said = append(said, part.one)
		case part.n > 1:
			said = append(said, fmt.Sprintf(part.many, part.n))
		}
	}
	if said == nil {
		return ""
	}
	return "keepsake: archived " + strings.Join(said, " and ") + " (upkeep.auto; keepsake undo " +
		digest[:min(len(digest), 12)] + " takes it back)"
}
