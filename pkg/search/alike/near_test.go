package alike

import (
	"fmt"
	"slices"
	"testing"

	"keepsake/pkg/memory"
)

// TestNearIsBounded: thousands of records that share a word are not each compared with each; linked ones are.
func TestNearIsBounded(t *testing.T) {
	found := make([]memory.Stored, 3*mostPairs/1000)
	for i := range found {
		found[i].Path = fmt.Sprintf("decisions/%d.json", i)
		found[i].Supersedes = []string{"decisions/shared.json"}
	}
	last := len(found) - 1
	found[last].Supersedes = append(found[last].Supersedes, found[last-1].Path)
	near, pairs := nearOf(found, make([]stance, len(found))), 0
	for i := range found {
		pairs += len(near(i))
	}
	if pairs > mostPairs || !slices.Contains(near(last), last-1) {
		t.Errorf("%d pairs, the last with %v", pairs, near(last))
	}
}
