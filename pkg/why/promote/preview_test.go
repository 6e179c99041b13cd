package promote

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/drawer"
)

// answering is a keeper that knows of near drawers, or none and why.
type answering struct {
	tiers.Keeper
	hits []tiers.Hit
	err  error
	slow bool
}

func (a answering) Near(ctx context.Context, _ string, _ int) ([]tiers.Hit, error) {
	if a.slow {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return a.hits, a.err
}

func TestPreview(t *testing.T) {
	item := func(wing string) Item {
		return Item{Drawer: drawer.Drawer{Wing: wing, Room: "decisions", Text: "x " + wing}}
	}
	one := Promotion{Backend: "mempalace", Items: []Item{item("shop")}, Secrets: []string{"token"},
		Words: []string{"promote", "x"}}
	two := Promotion{Backend: "embedded", Items: []Item{item("shop"), item("shop")},
		Words: []string{"promote"}}
	for name, tt := range map[string]struct {
		p                  Promotion
		k                  answering
		to, where, unknown string
		near               int
	}{
		"nothing near": {one, answering{}, "MemPalace", "wing shop, room decisions", "", 0},
		"two in one room": {two, answering{hits: []tiers.Hit{{Path: "a/b/c"}}}, "Keepsake's own drawers",
			"2 drawers: wing shop, room decisions", "", 1},
		"no answer": {one, answering{err: errors.New("gone; hint: start it")}, "MemPalace",
			"wing shop, room decisions", "gone", 0},
		"too slow": {one, answering{slow: true}, "MemPalace", "wing shop, room decisions",
			"it took too long; that is done before it is written", 0},
	} {
		got, near := tt.p.Preview(t.Context(), tt.k, t.TempDir(), []string{"--anyway"}, time.Now())
		if got.To != tt.to || got.Where != tt.where || got.Unknown != tt.unknown ||
			len(got.Near) != tt.near ||
			len(near) != tt.near || got.Words[1] != "--anyway" || got.Digest != tt.p.Digest() {
			t.Errorf("%s: %+v", name, got)
		}
		shown := tt.p.Question(near)
		if strings.Count(shown, "  | ") != len(tt.p.Items) || strings.Count(shown, "a/b/c") != tt.near ||
			strings.Contains(shown, "No MemPalace") == (tt.p.Backend == "mempalace") {
			t.Errorf("%s: %s", name, shown)
		}
	}
}
