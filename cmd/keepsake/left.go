package main

import (
	"fmt"
	"slices"

	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
)

// left are the statements of each category on the stage that none of its drafts
// takes care of. They wait for a later session rather than go with the context.
func left(s *session.Session, parsed []resolve.Draft) map[memory.Category][]string {
	out := map[memory.Category][]string{}
	for _, cat := range memory.Categories() {
		mine := slices.DeleteFunc(slices.Clone(parsed), func(d resolve.Draft) bool { return d.Category != cat })
		if len(mine) == 0 || cat == memory.SessionSummary {
			continue
		}
		context, err := s.Desk.Context(cat)
		if err != nil {
			continue // gone: there is nothing to be left
		}
		if quotes := untaken(cat, context.Snippets, mine); len(quotes) > 0 {
			out[cat] = quotes
		}
	}
	return out
}

// untaken are the quotes of a category that no draft takes up, by the order in which
// the context lists them.
func untaken(cat memory.Category, quotes []string, drafts []resolve.Draft) (out []string) {
	statements := make([]resolve.Statement, len(quotes))
	for i, q := range quotes {
		statements[i] = resolve.Statement{Number: i + 1, Category: cat, Text: q}
	}
	taken := slices.Concat(resolve.Assign(statements, drafts)...)
	for i, q := range quotes {
		if !slices.Contains(taken, i+1) {
			out = append(out, q)
		}
	}
	return out
}

// sayLeft tells of statements that wait, so that a drafter's omission is seen.
func sayLeft(c *call, p planFile) {
	for _, cat := range memory.Categories() {
		for _, q := range p.Left[cat] {
			c.line("not in any %s draft, kept for later: %s", cat, cut(q, reasonRunes))
		}
	}
}

// keepLeft moves what the plan left over to pending. It runs before the stage is
// cleared, so that a call that is killed between finds it in both places.
func keepLeft(s *session.Session, p planFile) error {
	for cat, quotes := range p.Left {
		context, err := s.Desk.Context(cat)
		if isAbsent(err) {
			continue // moved already, by a call that was killed here
		}
		if err != nil {
			return fmt.Errorf("%s: %w", cat, err)
		}
		context.Snippets = quotes
		if err := s.Pending().Add(s.ID, context); err != nil {
			return err
		}
	}
	return nil
}
