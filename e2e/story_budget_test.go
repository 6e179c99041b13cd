//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// Many large memories answer one prompt, and the settings allow twenty: what reaches the model stays within
// its bytes, says where a text was cut, and the next prompt brings others.
func TestRecallOverBudget(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const budget = 2000 // bytes, as docs/tour.md has it
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Remember("memory-config.json", map[string]any{"retrieval": map[string]any{"max_inject": 20}})
		l.rememberLimits(26,
			strings.Repeat("Ten workers at most, since each holds a connection of its own to the database. ",
				60))
		l.Model.Mind("main", Match{}, Fixed(Say("I see.")))
		seen := map[string]bool{}
		for _, prompt := range []string{"How many workers may a job queue have?",
			"Once more: how many workers may a job queue have?"} {
			args := []string{}
			if len(seen) > 0 {
				args = append(args, "--continue")
			}
			l.Headless(prompt, args...)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			got := recalled(r)
			if len(got) == 0 || len(got) > budget {
				t.Errorf("prompt %q: %d bytes were brought, want some and at most %d\n%s", prompt, len(got),
					budget, got)
			}
			if !strings.Contains(got, "…") {
				t.Errorf("prompt %q: nothing says that texts were cut\n%s", prompt, got)
			}
			shown := 0
			for _, line := range lines(got) {
				if _, source, ok := strings.Cut(line, "[source: "); ok {
					shown++
					if seen[source] {
						t.Errorf("prompt %q: brought again: %s", prompt, source)
					}
					seen[source] = true
				}
			}
			if shown < 2 {
				t.Errorf("prompt %q: %d memories in %d bytes, want several\n%s", prompt, shown, len(got), got)
			}
		}
	})
}
