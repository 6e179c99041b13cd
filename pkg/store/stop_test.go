package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// TestStop ends the context of Apply before each of its steps. Before the plan is logged nothing changes and
// nothing is left behind; afterwards the plan is in place.
func TestStop(t *testing.T) {
	for i, at := range steps {
		t.Run(at, func(t *testing.T) {
			root := newRoot(t)
			opt := Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")}
			s := Open(root, opt)
			apply(t, s, create(preference("a", 0)))
			was, err := s.Read("preferences/a.json")
			if err != nil {
				t.Fatal(err)
			}
			before := tree(t, root)
			ctx, cancel := context.WithCancel(background)
			s.step = func(step string) error {
				if step == at {
					cancel()
				}
				return nil
			}
			err = s.Apply(ctx, planOf(update(was, preference("a", 1)), create(preference("b", 1))))
			if i <= slices.Index(steps, "log") {
				if !errors.Is(err, ErrStopped) || !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				if after := tree(t, root); !maps.Equal(before, after) {
					t.Errorf("before %v\nafter %v", slices.Sorted(maps.Keys(before)),
						slices.Sorted(maps.Keys(after)))
				}
				return
			}
			if err != nil || s.inUse() {
				t.Errorf("logged, but %v", err)
			}
			l := load(t, s)
			if got := summary(l); got != "preferences/a.json=1 preferences/b.json=1" {
				t.Error(got)
			}
			indexOf(t, s, l.Records)
			if b, err := indexed(Open(root, opt)); err != nil || !bytes.Equal(b, titlesOf(l.Records)) {
				t.Errorf("search index %q, %v", b, err)
			}
		})
	}
}

// TestStopWaiting: a caller that stops waiting for the lock is not told to try again.
func TestStopWaiting(t *testing.T) {
	s := Open(newRoot(t), Options{})
	apply(t, s, create(preference("a", 0)))
	l, err := disk.Exclusive(background, s.file(lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := s.Apply(ctx, planOf(create(preference("b", 0)))); !errors.Is(err, ErrStopped) ||
		errors.Is(err, disk.ErrLocked) {
		t.Error(err)
	}
}

// TestApplyIf: the condition of a plan is checked under the lock.
func TestApplyIf(t *testing.T) {
	s, _ := withTitles(t, newRoot(t))
	apply(t, s, create(preference("a", 0)))
	before := tree(t, s.root)
	full := errors.New("there is no room")
	seen := 0
	err := s.ApplyIf(background, planOf(create(preference("b", 0))), func(ix *Index) error {
		if l, err := disk.Exclusive(stoppedContext(), s.file(lockName)); err == nil {
			l.Unlock()
			t.Error("the lock is not held")
		}
		if err := ix.Each(func(memory.Stored) bool { seen++; return true }); err != nil {
			t.Error(err)
		}
		return full
	})
	if !errors.Is(err, ErrConflict) || !errors.Is(err, full) || seen != 1 {
		t.Errorf("%v, saw %d", err, seen)
	}
	if after := tree(t, s.root); !maps.Equal(before, after) {
		t.Errorf("before %v\nafter %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
	if err := s.ApplyIf(background, planOf(create(preference("b", 0))), func(*Index) error {
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// stoppedContext returns a context that has ended, so that a lock is tried once.
func stoppedContext() context.Context {
	ctx, cancel := context.WithCancel(background)
	cancel()
	return ctx
}

// TestManyEdits: a plan of more than a few edits, applied, undone, and cut short
// at several places and finished by the next.
func TestManyEdits(t *testing.T) {
	t.Parallel()
	const n = 3 * 8 * hands / 2 // more than is finished in one part
	for _, cut := range []string{"", "file 0", "file 100", "sync", "drop"} {
		t.Run(cut, func(t *testing.T) {
			t.Parallel()
			root := newRoot(t)
			opt := Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")}
			s := Open(root, opt)
			id := func(i int) string { return fmt.Sprintf("r%03d", i) }
			var p plan.Plan
			for i := range n {
				p.Edits = append(p.Edits, create(preference(id(i), 0)))
			}
			apply(t, s, p.Edits...)
			old := tree(t, filepath.Join(root, "preferences"))

			p = plan.Plan{}
			want := map[string]int{}
			for i, r := range load(t, s).Records {
				switch i % 3 {
				case 0:
					p.Edits = append(p.Edits, update(r, preference(r.ID, 1)))
					want[r.ID] = 1
				case 1:
					next, err := r.Retire("too many", dayOf(0))
					if err != nil {
						t.Fatal(err)
					}
					p.Edits = append(p.Edits,
						plan.Edit{Path: r.Path, Verb: plan.Retire, Before: r.Digest, After: next.Encode(),
							Category: string(r.Category), Title: r.Title})
					want[r.ID] = r.TimesUpdated
				}
				p.Edits = append(p.Edits, create(preference("new-"+r.ID, 0)))
				want["new-"+r.ID] = 0
				if i%3 == 2 {
					want[r.ID] = 0
				}
			}
			stopping := Open(root, opt)
			stopping.step = func(step string) error {
				if step == cut {
					return errStopped
				}
				return nil
			}
			if err := stopping.Apply(background, p); (err != nil) != (cut != "") {
				t.Fatal(err)
			}
			l := load(t, s)
			got := map[string]int{}
			for _, r := range l.Records {
				got[r.ID] = r.TimesUpdated
				if retired := r.RetiredReason != nil; retired != (r.Status == memory.Retired) {
					t.Errorf("%s: %s", r.ID, r.Status)
				}
			}
			if len(l.Bad) > 0 || !maps.Equal(got, want) || s.inUse() {
				t.Fatalf("%d records, want %d; bad %v", len(got), len(want), l.Bad)
			}
			indexOf(t, s, l.Records)
			if b, err := indexed(Open(root, opt)); err != nil || !bytes.Equal(b, titlesOf(l.Records)) {
				t.Errorf("search index: %v", err)
			}

			undo(t, s, past(t, s)[0])
			if back := tree(t, filepath.Join(root, "preferences")); !maps.Equal(old, back) {
				t.Errorf("undone: %d files, want %d", len(back), len(old))
			}
			indexOf(t, s, load(t, s).Records)
		})
	}
}
