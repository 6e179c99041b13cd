package listing

import (
	"strings"
	"testing"
)

// TestListingIsSmall: every session pays for these lines, whether it needs a memory or not.
func TestListingIsSmall(t *testing.T) {
	skills, agents, err := Lines("../..")
	if err != nil {
		t.Fatal(err)
	}
	all := append(skills, agents...)
	if n := Tokens(all); n > Limit {
		t.Errorf("%d tokens in every session, want at most %d:\n%s", n, Limit, strings.Join(all, "\n"))
	}
	for _, s := range skills {
		if strings.HasPrefix(s, "- keepsake:approve:") || strings.HasPrefix(s, "- keepsake:reject:") {
			t.Errorf("the model is offered what only the person may do: %s", s)
		}
	}
}
