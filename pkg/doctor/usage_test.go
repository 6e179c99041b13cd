package doctor

import (
	"strings"
	"testing"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

func TestGuardHint(t *testing.T) {
	rule := memory.Stored{Path: "constraints/a.json"}
	proposed := rule
	proposed.Guard = &memory.Guard{Command: []string{"npm"}, Does: memory.Deny}
	state := func(g session.GuardState) []session.GuardState {
		g.Rule = guard.Rule{Record: rule.Path}
		other := session.GuardState{Rule: guard.Rule{Record: "constraints/b.json"}, Armed: true}
		return []session.GuardState{other, g}
	}
	for _, c := range []struct {
		name   string
		of     memory.Stored
		guards []session.GuardState
		want   string
	}{
		{"none", rule, nil, "guard propose"},
		{"said once a session", rule, state(session.GuardState{}), "guard propose"},
		{"proposed", proposed, state(session.GuardState{}), "guard arm"},
		{"armed", proposed, state(session.GuardState{Armed: true}), "guard list"},
		{"armed, with another in its memory", rule, state(session.GuardState{Armed: true}), "guard list"},
		{"ended", rule, state(session.GuardState{Armed: true, Idle: "its memory was retired"}), "guard arm"},
	} {
		if got := guardHint(c.of, c.guards); !strings.Contains(got, "keepsake "+c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
