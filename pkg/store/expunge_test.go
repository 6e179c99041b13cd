package store

import (
	"context"
	"errors"
	"testing"

	"keepsake/pkg/plan"
)

// TestExpungeIsGuarded: a record that is not as the person saw it keeps its file and its history. For a
// record that does not exist nothing is touched.
func TestExpungeIsGuarded(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	if _, err := s.Expunge(context.Background(), "../x.json", ""); err == nil {
		t.Error("took a path out of the store")
	}
	if _, err := s.Expunge(context.Background(), "decisions/x.json",
		plan.DigestOf([]byte("{}"))); !errors.Is(err, ErrConflict) {
		t.Errorf("of a record that is gone: %v", err)
	}
	if at, err := s.LastExpunged(); !at.IsZero() || err != nil {
		t.Errorf("%v, %v", at, err)
	}
	if gone, err := s.Expunge(context.Background(), "decisions/x.json", ""); err != nil || gone.File ||
		gone.Plans != 0 {
		t.Errorf("%+v, %v", gone, err)
	}
	if at, err := s.LastExpunged(); at.IsZero() || err != nil {
		t.Errorf("%v, %v", at, err)
	}
}
