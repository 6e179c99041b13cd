package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// TestChangeBoard: a card that somebody changed after it was read is read and
// planned once more, with what they wrote; so is one that is half in place. Many who write at once wait for
// each other.
func TestChangeBoard(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", t.TempDir())
	project := filepath.Join(t.TempDir(), "Web Shop")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	if id := s.ProjectID(); id != "web-shop" {
		t.Fatalf("%q", id)
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	card := filepath.Join(s.MemoryDir(), filepath.FromSlash(blackboard.CardPath("web-shop")))
	change := func(progress string, apply func(plan.Plan) error) error {
		_, _, err := s.ChangeBoard(store.PlanAgain, "web-shop", blackboard.Change{Progress: progress},
			now, apply)
		return err
	}
	tries := 0
	err = change("ours", func(p plan.Plan) error {
		if tries++; tries == 1 {
			if err := errors.Join(os.MkdirAll(filepath.Dir(card), 0o755),
				os.WriteFile(card, []byte("# Theirs\n\nTheir words.\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		return s.Notes(s.MemoryDir()).Apply(context.Background(), p)
	})
	if err != nil || tries != 2 {
		t.Fatal(tries, err)
	}
	b, err := os.ReadFile(card)
	if err != nil || !strings.Contains(string(b), "Their words.") ||
		!strings.Contains(string(b), "- [2026-11-21] ours\n") {
		t.Errorf("%v\n%s", err, b)
	}

	// The card is in place and the registry, which somebody wrote meanwhile, is not.
	var edits []string
	err = change("half", func(p plan.Plan) error {
		edits = append(edits, strconv.Itoa(len(p.Edits)))
		if len(edits) > 1 {
			return s.Notes(s.MemoryDir()).Apply(context.Background(), p)
		}
		p.Edits = p.Edits[:1]
		return errors.Join(s.Notes(s.MemoryDir()).Apply(context.Background(), p), store.ErrByHand)
	})
	if err != nil || !slices.Equal(edits, []string{"2", "1"}) {
		t.Error(edits, err)
	}
	if f, err := s.Board("web-shop"); err != nil || blackboard.Look(f, "web-shop").Row.Progress != "half" {
		t.Errorf("%v\n%s", err, f.Registry)
	}

	// Not for ever.
	tries = 0
	err = change("again", func(plan.Plan) error {
		tries++
		return store.ErrConflict
	})
	if !errors.Is(err, store.ErrConflict) || tries < 2 {
		t.Error(tries, err)
	}

	// Of 32 at once none is refused or plans twice, and nothing of what they say is lost.
	const writers = 32
	notes, errs := s.Notes(s.MemoryDir()), make([]error, writers)
	inTurn := func(do func() error) error { return notes.PlanInTurn(t.Context(), do) }
	step := func(i int) string { return fmt.Sprintf("step %d of many", i) }
	var all sync.WaitGroup
	var plans atomic.Int32
	for i := range writers {
		all.Go(func() {
			_, _, errs[i] = s.ChangeBoard(inTurn, "web-shop", blackboard.Change{Progress: step(i)}, now,
				func(p plan.Plan) error {
					plans.Add(1)
					return notes.Apply(t.Context(), p)
				})
		})
	}
	all.Wait()
	if n := plans.Load(); n != writers {
		t.Errorf("%d plans", n)
	}
	if b, err = os.ReadFile(card); err != nil {
		t.Fatal(err)
	}
	for i, err := range errs {
		if err != nil || !strings.Contains(string(b), "] "+step(i)+"\n") {
			t.Errorf("writer %d: %v", i, err)
		}
	}

	// A card as a person named it, and nothing outside of the folder.
	if err := os.WriteFile(filepath.Join(filepath.Dir(card), "My App.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"My App": "My App", "my app": "my-app", "../../x": "x",
		"Web Shop": "web-shop", ".hidden": "hidden"} {
		if id, err := s.CardID(name); id != want || err != nil {
			t.Errorf("%q is %q, %v", name, id, err)
		}
	}
	if id, err := s.CardID("../.."); err == nil {
		t.Errorf("%q", id)
	}
	if ids, err := s.Cards(); len(ids) != 2 || err != nil {
		t.Error(ids, err)
	}
}
