package store_test

import (
	"errors"
	"fmt"
	"testing"

	"keepsake/pkg/store"
)

// TestPlanAgain has when a plan is made anew, and that it is not for ever.
func TestPlanAgain(t *testing.T) {
	other := errors.New("other")
	for _, c := range []struct {
		errs []error // of the calls; the last stays
		want int     // calls
	}{
		{[]error{nil}, 1},
		{[]error{other}, 1},
		{[]error{store.ErrConflict, store.ErrExists, fmt.Errorf("a: %w", store.ErrByHand), nil}, 4},
		{[]error{store.ErrConflict, other}, 2},
		{[]error{store.ErrConflict}, 8},
	} {
		n := 0
		err := store.PlanAgain(func() error {
			n++
			return c.errs[min(n, len(c.errs))-1]
		})
		if n != c.want || err != c.errs[len(c.errs)-1] {
			t.Errorf("%v: %d calls, %v", c.errs, n, err)
		}
	}
}
