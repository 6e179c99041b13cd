package session

import (
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
)

// TestClaimable: what a session that is under way noticed or was told is its own to save,
// and another's once it is over, however it ended.
func TestClaimable(t *testing.T) {
	home(t)
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	one, other := open1(t, "s1"), open1(t, "s2")
	noticed(t, one, now, finding.Sure, "offered", "open")
	noticed(t, one, now, finding.Candidate, "perhaps")
	moved(t, one, now, finding.Offer, 1)
	noticed(t, open1(t, "s0"), now, finding.Sure, "of one that is over", "and is told to s1")
	ends(t, open1(t, "s0"))
	moved(t, one, now, finding.Offer, 5)
	touch(t, one, func(st *stage.State) { st.Client = stage.ProcessOf(1) })
	touch(t, other, func(st *stage.State) {})
	claims := func(s *Session, want ...int) {
		t.Helper()
		if got := finding.Numbers(s.Claimable(whole(t, s))); !slices.Equal(got, want) {
			t.Errorf("%s may claim %v, want %v", s.ID, got, want)
		}
	}
	claims(other, 4)
	claims(one, 4, 5)
	// Its client is gone without a word.
	touch(t, one, func(st *stage.State) { st.Client = stage.Process{PID: 1 << 22, Start: "1"} })
	claims(other, 1, 2, 4, 5)
}
