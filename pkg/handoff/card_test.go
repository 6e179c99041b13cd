package handoff_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memory"
)

// TestClear: what this session's summary leaves open goes to the card. What an earlier summary left open does
// not, and no card is made.
func TestClear(t *testing.T) {
	r := memory.Record{
		Category: memory.SessionSummary, ID: "vat", Title: "VAT per line", Status: memory.Active,
		CreatedAt: memory.Stamp(now), UpdatedAt: memory.Stamp(now), Tags: []string{"vat"},
		Changes: []memory.Change{{Date: memory.Stamp(now), Summary: "Created"}},
		Content: memory.Content{
			"goal": "VAT per line.", "outcome": "partial", "completed": []string{"tax table"},
			"in_progress": []string{"rounding"},
			"next_actions": []string{"reverse charge " + strings.Repeat("for all of them ", 20),
				"credit notes"},
		},
	}
	l := lab(t, map[string]string{".claude/memory/sessions/vat.json": string(r.Encode()),
		"task_plan.md": plan})
	t.Setenv("CLAUDE_CONFIG_DIR", l.Client)
	l.State.Started = now.Add(-time.Hour)
	card := filepath.Join(l.MemoryDir(), filepath.FromSlash(blackboard.CardPath("shop")))
	clear := func() blackboard.Card {
		t.Helper()
		if err := l.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(card)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return blackboard.ParseCard(b)
	}
	if c := clear(); len(c.Open) > 0 {
		t.Fatalf("%v", c)
	}
	if _, err := os.Stat(l.MemoryDir()); !os.IsNotExist(err) {
		t.Fatal("something was made", err)
	}
	write := func() {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(card), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(card, []byte("# Shop\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write()
	texts := func(c blackboard.Card) (all []string) {
		for _, it := range c.Open {
			all = append(all, it.Text)
		}
		return all
	}
	got := texts(clear())
	if len(got) != 4 || got[0] != "rounding" || len([]rune(got[1])) > 200 || got[2] != "credit notes" ||
		got[3] != "ids as ULIDs" {
		t.Errorf("%q", got)
	}
	write()
	l.State.Started = now.Add(time.Hour)
	if got := texts(clear()); len(got) != 1 || got[0] != "ids as ULIDs" {
		t.Errorf("of a later session: %q", got)
	}
}
