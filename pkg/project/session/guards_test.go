package session

import (
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
