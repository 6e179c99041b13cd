package brief_test

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
)

func TestBesideTheClient(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 4, 0, 0, time.UTC)
	found := func(rules ...string) (all []memdir.Finding) {
		for _, r := range rules {
			all = append(all, memdir.Finding{Path: memdir.Index, Rule: r})
		}
		return all
	}
	const path = "/home/me/.claude/projects/-home-me-shop/memory/MEMORY.md"
	for name, got := range map[string]string{
		"vanished_one": brief.Vanished([]string{"user_role.md"}, at, ""),
		"vanished": brief.Vanished([]string{"user_role.md", "a\x1b[31m.md", "teams/billing.md", "c.md",
			"d.md"}, at, ""),
		"vanished_root": brief.Vanished([]string{"team.md"}, at, "/home/me/.claude/projects/-home-me/memory"),
		"rewritten": brief.LostLines([]brief.Rewritten{{Name: "a\x1b[31m.md", Lines: 5},
			{Name: "b.md", Lines: 1}, {Name: "c.md", Lines: 1}, {Name: "d.md", Lines: 2}}, at, ""),
		"rewritten_root": brief.LostLines([]brief.Rewritten{{Name: "team.md", Lines: 1}}, at,
			"/home/me/.claude/projects/-home-me/memory"),
		"renumbered": brief.LostLines([]brief.Rewritten{{Name: "queue.md", Changed: []memdir.Renumbered{
			{Was: "- Timeout: 30 s", Is: "- Timeout: 90 s"}}}}, at, ""),
		"renumbered_many": brief.LostLines([]brief.Rewritten{{Name: "a\x1b[31m.md", Lines: 2,
			Changed: []memdir.Renumbered{{Was: "- " + hostile + " 1", Is: "- " + hostile + " 2"},
				{Was: "| the gateway of the shop in Hamburg answers requests of customers within | 5 |",
					Is: "| the gateway of the shop in Hamburg answers requests of customers within | 50 |"}}},
			{Name: "b.md", Changed: []memdir.Renumbered{{Was: "x 1", Is: "x 2"}}}}, at, "/m"),
		"overgrown_one": brief.Overgrown(found("index-paragraph"), path),
		"overgrown": brief.Overgrown(found("index-cut", "index-long", "index-paragraph", "index-stream",
			"index-content"), path),
		"pointed": brief.Pointed([]brief.Pointer{{"/m/billing.md", "How billing talks to the ledger"},
			{"/m/<b>.md", hostile}}),
		"doubtful": brief.Doubtful(memdir.Doubt{At: at.AddDate(0, 0, -265), Says: "was last updated on",
			Days: 265}),
		"doubtful_bare": brief.Doubtful(memdir.Doubt{Bare: true}),
	} {
		golden(t, name, got)
		if strings.Count(got, "\n") > 1 || strings.ContainsRune(got, '\x1b') {
			t.Errorf("%s: %q", name, got)
		}
	}
	got := brief.Vanished(nil, at, "") + brief.LostLines(nil, at, "")
	if got += brief.Overgrown(nil, path) + brief.Pointed(nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
