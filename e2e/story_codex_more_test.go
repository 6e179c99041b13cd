//go:build e2e

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// denied finds the id with which a person approves a call that was denied in Codex CLI.
var denied = regexp.MustCompile(`inbox approve ([0-9a-z]{6})`)

// What a note says is kept for good from Codex CLI once the person has approved exactly that in a terminal,
// and not once more. What was kept in spite of all is found, and taken back.
func TestCodexPromote(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	note := l.noted(settledWhy)
	var results []string
	step := func(r codexReply) codexTurn {
		return func(req codexRequest) codexReply {
			results = append(results, req.Result())
			return r
		}
	}
	promote := codexShell(l.keepsake() + " notes promote " + note)
	c.Exec("workspace-write", "keep it for good", step(promote), step(codexSays("It waits.")))
	m := denied.FindStringSubmatch(results[1])
	if m == nil || len(l.promoted()) != 0 {
		t.Fatalf("kept %q: %s\n%s", l.promoted(), results[1], l.failures())
	}
	screen := l.AtTerminal([]string{"inbox", "approve", m[1]}, "y")
	if !strings.Contains(screen, "approved: "+m[1]) || !strings.Contains(screen, "Decided to use Postgres") {
		t.Fatalf("the terminal said\n%s", screen)
	}
	results = nil
	c.Exec("workspace-write", "now keep it for good", step(promote), step(promote), step(codexSays("Kept.")))
	t.Logf("%q", results)
	if got := l.promoted(); len(got) != 1 || got[0] != settledWhy {
		t.Errorf("kept %q: %q\n%s", got, results, l.failures())
	}
	t.Logf("%s", l.cli("gate", "approvals"))
	t.Logf("%s", l.cli("recall", "--tier", "why", "postgres"))
	t.Logf("%s", l.cli("gate", "revoke", "--dry-run"))
}
