package stage

import (
	"slices"
	"strconv"
	"testing"
)

// TestVersions: the person is told once of each version beyond the first.
func TestVersions(t *testing.T) {
	var v Versions
	for _, step := range []struct {
		add  string
		want []string
	}{
		{"1", nil}, {"1", nil}, {"2", []string{"1", "2"}}, {"1", nil}, {"2", nil},
		{"3", []string{"1", "2", "3"}}, {"2", nil},
	} {
		v.Add(step.add)
		if got := v.Tell(); !slices.Equal(got, step.want) {
			t.Errorf("after %s: %v, want %v", step.add, got, step.want)
		}
	}
	for i := range 100 {
		v.Add(strconv.Itoa(i))
	}
	if len(v.Ran) != maxVersions {
		t.Errorf("%d versions", len(v.Ran))
	}
}
