package rules

import "testing"

// TestCheckpoints: every row of the table is under a checkpoint that can be explained, and every checkpoint
// has rows.
func TestCheckpoints(t *testing.T) {
	rows := 0
	for _, p := range All() {
		if p.Guards == "" || p.Passes == "" || p.Setting == "" || len(p.Rules) == 0 {
			t.Errorf("%s: something is missing", p.Name)
		}
		rows += len(p.Rules)
	}
	if rows != len(rules) {
		t.Errorf("%d rows of %d can be explained; give their checkpoint an entry in points.go", rows,
			len(rules))
	}
}
