package host

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestEffects asks a program that answers, one that fails, and ones that say nothing of use.
func TestEffects(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "keepsake")
	for script, want := range map[string]rules.Effect{
		`echo "{\"effect\": \"$PWD $* $CLAUDE_CODE_SESSION_ID\", \"deletes\": 2}"`: {
			Says: dir + " md fix --json s1", Deletes: 2},
		`echo '{"effect": ""}'`: {}, `exit 1`: {Says: "error"}, `exit 2`: {Says: "error"},
		`echo '{"effect": ""}'; exit 3`: {Says: "error"}, `echo no`: {Says: "error"}, `echo '{}'`: {Says: "error"},
		`kill -9 $$`: {Says: "error"},
	} {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		got, err := effects(program, rules.Event{Session: "s1"}, dir, []string{"md", "fix", "--json"})
		if want.Says == "error" {
			if err == nil {
				t.Errorf("%s: %+v", script, got)
			}
		} else if got != want || err != nil {
			t.Errorf("%s: %+v, %v", script, got, err)
		}
	}
}
