package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// TestPlanInTurn has 32 writers that each add a line to one file. None is refused, and no line is lost.
func TestPlanInTurn(t *testing.T) {
	dir := t.TempDir()
	root, own := filepath.Join(dir, "memory"), filepath.Join(dir, "own")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "MEMORY.md")
	if err := os.WriteFile(file, []byte("# Memory\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const writers = 32
	errs := make([]error, writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			s := store.OpenNotes(root, own, store.Options{})
			errs[i] = s.PlanInTurn(t.Context(), func() error {
				b, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				return s.Apply(t.Context(), plan.Plan{Version: plan.Version, Edits: []plan.Edit{{
					Path: "MEMORY.md", Verb: plan.Update, Before: plan.DigestOf(b), Category: "memory",
					Title: "x", After: fmt.Appendf(b, "- line %d\n", i)}}})
			})
		})
	}
	all.Wait()
	b, _ := os.ReadFile(file)
	for i, err := range errs {
		if err != nil || !strings.Contains(string(b), fmt.Sprintf("- line %d\n", i)) {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := store.OpenNotes(root, own, store.Options{}).PlanInTurn(ctx, func() error {
		t.Error("a call that was stopped goes on")
		return nil
	}); err == nil {
		t.Error("no error")
	}
}
