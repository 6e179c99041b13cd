package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/store"
)

// TestClear removes what a killed process left, and nothing that somebody may be writing or that is not ours.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "memory")
	old := time.Now().Add(-time.Hour)
	for name, at := range map[string]time.Time{
		".keepsake-writes-1": old, "a/.keepsake-writes-22": old, ".keepsake-writes-3": time.Now(),
		".keepsake-writes-x": old, "a.md": old,
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o600),
			os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	held, err := disk.Hold(root, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	pending, err := held.Prepare("b.md", ".keepsake-writes-", []byte("x"), 0o600, old, false)
	if err != nil {
		t.Fatal(err)
	}
	s := store.OpenNotes(root, filepath.Join(dir, "own"), store.Options{})
	want := []string{filepath.Join(root, ".keepsake-writes-1"), filepath.Join(root, "a/.keepsake-writes-22")}
	if got := s.Leftovers(time.Now()); !slices.Equal(got, want) {
		t.Errorf("leftovers: %q", got)
	}
	s.Clear(time.Now())
	if got := s.Leftovers(time.Now()); got != nil {
		t.Errorf("still there: %q", got)
	}
	for _, name := range []string{".keepsake-writes-3", ".keepsake-writes-x", "a.md"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	if err := pending.Commit(); err != nil {
		t.Errorf("a file that is being written and keeps its time: %v", err)
	}
}
