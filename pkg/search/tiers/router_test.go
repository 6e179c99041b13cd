package tiers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/search/tiers"
)

func TestFindRouter(t *testing.T) {
	for name, tt := range map[string]struct {
		file  string
		skill string // "" is none
	}{
		"nothing":       {"readme", ""},
		"a skill":       {"claude/skills/code-memory-router/SKILL.md", "code-memory-router"},
		"of all agents": {"agents/skills/code-memory-router/SKILL.md", "code-memory-router"},
		"of a plugin": {"claude/plugins/cache/code-memory-router/code-memory-router/1.0.0/SKILL.md",
			"code-memory-router:code-memory-router"},
		"among others": {"claude/plugins/cache/m/code-memory-router/1.0.0/skills/code-memory-router/SKILL.md",
			"code-memory-router:code-memory-router"},
		"another skill":    {"claude/skills/memory-router/SKILL.md", ""},
		"no skill file":    {"claude/skills/code-memory-router/README.md", ""},
		"a folder":         {"claude/skills/code-memory-router/SKILL.md/x", ""},
		"another's plugin": {"claude/plugins/cache/m/router/1.0.0/SKILL.md", ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, tt.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := tiers.FindRouter([]string{filepath.Join(home, "claude"),
				filepath.Join(home, "agents")})
			if tt.skill == "" {
				if err == nil ||
					!strings.Contains(err.Error(), "/plugin install code-memory-router@code-memory-router") {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil || got.Skill != tt.skill || got.Path != path {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestRouterWords(t *testing.T) {
	var r tiers.Router
	for _, tt := range []struct{ tier, question, want string }{
		{"WHERE", "where is the parser", "where is the parser"},
		{"WHERE", "find the parser", "where: find the parser"},
		{"WHY", "Why postgres?", "Why postgres?"},
		{"WHY", "where did we decide that", "why: where did we decide that"},
		{"WHY", "what did we decide on ids", "why: what did we decide on ids"},
	} {
		if got := r.Ask(tt.tier, tt.question); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.tier, tt.question, got, tt.want)
		}
	}
	if got, want := r.Save("why", "shop", "we use Postgres"),
		"save to MemPalace for the project shop: we use Postgres"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.Save("where", "shop", "the parser is in a/b.go"),
		"save where something is in the project shop: the parser is in a/b.go"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
