package alike

import (
	"maps"
	"testing"
)

// TestCountJoinsWhatRecallJoins: what is found by a word is a double by it.
func TestCountJoinsWhatRecallJoins(t *testing.T) {
	for _, forms := range [][2]string{
		{"query", "queries"}, {"caching", "cached"}, {"Łódź résumé", "lodz resume"},
		{"databases on kubernetes", "db k8s"}, {"authentication", "auth"},
	} {
		if a, b := countTerms(forms[0]), countTerms(forms[1]); !maps.Equal(a, b) {
			t.Errorf("%q: %v and %v", forms, a, b)
		}
	}
	if said := countTerms("lockTimeout"); said["lock"] == 0 || said["timeout"] == 0 {
		t.Errorf("the words of a name: %v", said)
	}
}
