package brief_test

import (
	"testing"

	"keepsake/pkg/brief"
)

func TestUnseen(t *testing.T) {
	golden(t, "unseen_one", brief.Unseen(1, nil))
	golden(t, "unseen", brief.Unseen(7, []string{"/run/user/1000/.keepsake-staging-1/s1/context-decision.txt",
		"/odd</x>\n/y"}))
	if got := brief.Unseen(0, []string{"/x"}); got != "" {
		t.Errorf("%q", got)
	}
}

func TestProposed(t *testing.T) {
	said := ""
	for _, n := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {0, 3}, {2, 1}} {
		said += brief.Proposed(n[0], n[1]) + "\n"
	}
	golden(t, "proposed", said)
}
