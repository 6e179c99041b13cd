package session

import (
	"strings"
	"testing"

	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
)

// TestGuardsOfAnotherVersion: what another version of the program made is made anew, and nothing else is.
func TestGuardsOfAnotherVersion(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	r := guard.Rule{Guard: memory.Guard{Tool: "WebFetch", Does: memory.Ask}, Record: "preferences/a.json"}
	if err := s.Armed().Set(armed.Entry{Rule: r, At: then}, false); err != nil {
		t.Fatal(err)
	}
	made := func() string {
		t.Helper()
		if err := s.PackGuards(); err != nil {
			t.Fatal(err)
		}
		packed, err := s.Armed().Packed()
		if err != nil || guard.Basis(packed) == "" {
			t.Fatalf("%q, %v", packed, err)
		}
		return guard.Basis(packed)
	}
	first := made()
	if again := made(); again != first {
		t.Errorf("made anew without need: %s, %s", first, again)
	}
	programVersion = func() string { return "another" }
	defer func() { programVersion = layout.Version }()
	if again := made(); again == first {
		t.Error("rules of an older program are taken for current")
	}
}

// TestNewestRules: of too many rules guards are made of the newest.
func TestNewestRules(t *testing.T) {
	at := func(path string, time int64) memory.Stored {
		return memory.Stored{Path: path, File: memory.File{Time: time}}
	}
	rules := []memory.Stored{at("a", 3), at("b", 1), at("c", 2)}
	for n, want := range map[int]string{3: "a b c", 2: "a c", 1: "a", 0: ""} {
		if got := strings.Join(newest(rules, n), " "); got != want {
			t.Errorf("%d of them: %q, want %q", n, got, want)
		}
	}
}
