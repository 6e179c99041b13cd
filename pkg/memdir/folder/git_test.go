package folder

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBlamedLines has a line that was committed, a second of its commit, and one that was not.
func TestBlamedLines(t *testing.T) {
	a, none := strings.Repeat("a1", 20), strings.Repeat("0", 40)
	out := a + " 1 1 2\nauthor Ada\nauthor-time 1700000000\nsummary author-time 5\n" +
		"previous " + none + " m/a.md\n\tauthor-time 7\n" +
		a + " 2 2\nauthor-time 1700000000\n\t\n" + none + " 3 3 1\nauthor-time 1800000000\n\tnew\n"
	at := time.Unix(1700000000, 0)
	want := []blamed{{"author-time 7", at, none + ":m/a.md"}, {"", at, ""}, {"new", time.Time{}, ""}}
	if got := blamedLines(out); !slices.Equal(got, want) {
		t.Error(got)
	}
}
