package main

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// back marks the drafts that a person's own words are behind: those that a person had
// written down, and those that take up a quote which the context of their category has
// as the person's.
func back(s *session.Session, drafts []resolve.Draft) {
	for _, cat := range memory.Categories() {
		context, err := s.Desk.Context(cat)
		var quotes []resolve.Statement
		for i, q := range context.Snippets {
			quotes = append(quotes, resolve.Statement{Number: i + 1, Category: cat, Text: q})
		}
		mine := slices.Clone(drafts)
		for i := range mine {
			mine[i].Covers = nil // its numbers are not those of these quotes
		}
		for i, taken := range resolve.Assign(quotes, mine) {
			if drafts[i].Category != cat {
				continue
			}
			drafts[i].Backed = drafts[i].Origin == resolve.ByHand || err == nil && slices.ContainsFunc(taken, func(n int) bool {
				return typed(context, context.Snippets[n-1])
			})
		}
	}
}

// typed reports whether a quote stands in one of the person's turns of an excerpt.
func typed(c stage.Context, quote string) bool {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	person := false
	var said []string
	for line := range strings.Lines(c.Excerpt) {
		switch line = strings.TrimSpace(line); line {
		case "[user]", "[assistant]":
			person = line == "[user]"
			said = append(said, "\n")
		default:
			if person {
				said = append(said, line)
			}
		}
	}
	return strings.Contains(flat(strings.Join(said, " ")), flat(quote))
}
