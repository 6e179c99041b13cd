package rules

import (
	"slices"
	"testing"
)

// TestTable: each row of the table can be explained and has a unique name.
func TestTable(t *testing.T) {
	var names []string
	for _, r := range rules {
		if slices.Contains(names, r.Name) || r.Name == "" || r.Checkpoint == "" || r.Matches == "" {
			t.Errorf("row %q: name taken or something missing", r.Name)
		}
		names = append(names, r.Name)
		if r.Answer >= Ask && (r.Says == "" || r.Remedy == "") {
			t.Errorf("row %s stops without a word", r.Name)
		}
	}
}
