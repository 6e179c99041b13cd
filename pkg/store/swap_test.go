package store

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"keepsake/pkg/plan"
)

// TestSwappedFolders lets another process put a link in the place of a folder before each step of a save,
// back again after it or not. Nothing is written where the link leads, and the plan is whole or was never
// begun.
func TestSwappedFolders(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"..", ".", historyName, "preferences", "decisions"} {
		for i, at := range steps {
			for _, stays := range []bool{true, false} {
				root := newRoot(t)
				s := Open(root, Options{})
				apply(t, s, create(preference("a", 0)), create(decision("d")))
				was, err := s.Read("preferences/a.json")
				if err != nil {
					t.Fatal(err)
				}
				gone, err := s.Read("decisions/d.json")
				if err != nil {
					t.Fatal(err)
				}
				// Outside is a whole store, so that whatever is looked for is there.
				outside := t.TempDir()
				if err := os.CopyFS(outside, os.DirFS(filepath.Dir(filepath.Dir(root)))); err != nil {
					t.Fatal(err)
				}
				before := tree(t, outside)
				place := filepath.Join(root, folder)
				there, err := filepath.Rel(filepath.Dir(filepath.Dir(root)), place)
				if err != nil {
					t.Fatal(err)
				}
				swap := func() {
					if err := os.Rename(place, place+".aside"); err != nil {
						t.Fatal(err)
					}
					if err := os.Symlink(filepath.Join(outside, there), place); err != nil {
						t.Fatal(err)
					}
				}
				back := func() {
					if _, err := os.Readlink(place); err != nil {
						return // not swapped, or the link was set aside
					}
					if err := os.Remove(place); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(place+".aside", place); err != nil {
						t.Fatal(err)
					}
				}
				s.step = func(step string) error {
					switch {
					case step == at:
						swap()
					case !stays:
						back()
					}
					return nil
				}
				retired, err := gone.Retire("over", time.Now())
				edit := moved(t, gone, plan.Retire, retired, err)
				err = s.Apply(background,
					planOf(update(was, preference("a", 1)), create(preference("b", 1)), edit))
				if after := tree(t, outside); !maps.Equal(before, after) {
					t.Errorf("%s is a link from %q on (stays %v): written outside, and %v: %v, was %v",
						folder, at, stays, err, slices.Sorted(maps.Keys(after)),
						slices.Sorted(maps.Keys(before)))
				}
				back()
				got := summary(load(t, Open(root, Options{})))
				whole := "decisions/d.json=0 preferences/a.json=1 preferences/b.json=1"
				if want := "decisions/d.json=0 preferences/a.json=0"; got != whole &&
					(got != want || i > slices.Index(steps, "file 0")) {
					t.Errorf("%s was a link from %q on: %s, and %v", folder, at, got, err)
				}
			}
		}
	}
}
