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
		all, _ := near(i)
		pairs += len(all)
	}
	if all, cut := near(last); pairs > mostPairs || !slices.Contains(all, last-1) || !cut {
		t.Errorf("%d pairs, the last with %v", pairs, all)
	}
}

// TestComparedIsBounded: many records that all may contradict each other are not all compared, and how many
// were not is told; among few all are.
func TestComparedIsBounded(t *testing.T) {
	many := func(n int) (all []memory.Stored) {
		for i := range n {
			said := fmt.Sprintf("The logs are kept for %d days.", 1+i%50)
			r := stand{fmt.Sprintf("Part %d", i), said}.record(memory.Decision)
			r.Status = memory.Active
			all = append(all, memory.Stored{Record: r, Path: fmt.Sprint("decisions/", i, ".json")})
		}
		return all
	}
	if _, _, partly := DisputedAmong(many(100), nil, nil); partly != 0 {
		t.Errorf("of 100 %d were not compared with all", partly)
	}
	n := 400
	// 283 are 39,903 pairs
	if _, _, partly := DisputedAmong(many(n), nil, nil); partly == 0 || partly > n-280 {
		t.Errorf("of %d %d were not compared with all", n, partly)
	}
}
