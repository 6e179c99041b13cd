package triage

import (
	"os"
	"strings"
	"testing"
)

// TestRowsSayWhy: whoever changes the table reads why each row counts, and for whom.
func TestRowsSayWhy(t *testing.T) {
	b, err := os.ReadFile("phrases.go")
	if err != nil {
		t.Fatal(err)
	}
	rows, above := 0, ""
	for line := range strings.SplitSeq(string(b), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "{cue{") {
			if rows++; !strings.HasPrefix(above, "// ") {
				t.Errorf("no reason above the row %.60s", line)
			}
		}
		above = line
	}
	if rows != len(table) {
		t.Errorf("%d of %d rows were found", rows, len(table))
	}
}
