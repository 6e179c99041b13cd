package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Whatever is in the place of our own files and cannot be replaced is set aside whole by the next writer. No
// save waits for a person to do it.
func TestOurPlacesAreMade(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	for name, c := range map[string]struct {
		blocks string
		block  func(path string) error
	}{
		"a folder at index.md": {indexName, func(path string) error {
			return errors.Join(os.MkdirAll(path, 0o755),
				os.WriteFile(filepath.Join(path, "mine"), []byte("mine"), 0o600))
		}},
		"a file at .history": {historyName, func(path string) error {
			return os.WriteFile(path, []byte("mine"), 0o600)
		}},
		"a link at .history": {historyName, func(path string) error {
			return errors.Join(os.MkdirAll(outside, 0o755), os.Symlink(outside, path),
				os.WriteFile(filepath.Join(outside, "mine"), []byte("mine"), 0o600))
		}},
	} {
		block := func(t *testing.T, s *Store) {
			t.Helper()
			if err := errors.Join(os.RemoveAll(s.file(c.blocks)), c.block(s.file(c.blocks))); err != nil {
				t.Fatal(err)
			}
		}
		aside := func(t *testing.T, s *Store) {
			t.Helper()
			kept, err := filepath.Glob(s.file(c.blocks) + ".invalid.*")
			if err != nil || len(kept) != 1 {
				t.Fatalf("set aside: %q, %v", kept, err)
			}
			if in, _ := os.ReadDir(outside); len(in) > 1 {
				t.Errorf("written behind a link: %v", in)
			}
			for _, path := range []string{filepath.Join(kept[0], "mine"), kept[0]} {
				if b, err := os.ReadFile(path); err == nil && string(b) == "mine" {
					return
				}
			}
			t.Errorf("%s does not hold what was there", kept[0])
		}
		t.Run(name+", a save", func(t *testing.T) {
			s := Open(newRoot(t), Options{})
			if err := os.MkdirAll(s.root, 0o755); err != nil {
				t.Fatal(err)
			}
			block(t, s)
			apply(t, s, create(preference("a", 0)))
			aside(t, s)
			if f, _, err := s.Validate(); err != nil || !f.OK() {
				t.Errorf("%+v, %v", f, err)
			}
		})
		t.Run(name+", a save that was cut short", func(t *testing.T) {
			s := Open(newRoot(t), Options{})
			apply(t, s, create(preference("a", 0)))
			stop := errors.New("stop")
			s.step = func(step string) error {
				if step == "file 0" {
					return stop
				}
				return nil
			}
			if err := s.Apply(background, planOf(create(preference("b", 0)))); !errors.Is(err,
				ErrUnfinished) {
				t.Fatal(err)
			}
			s = Open(s.root, Options{})
			block(t, s)
			if got, want := summary(load(t, s)), "preferences/a.json=0 preferences/b.json=0"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if s.inUse() {
				t.Error("the log is still there")
			}
			aside(t, s)
		})
	}
	t.Run("a folder at index.md, a look", func(t *testing.T) {
		s, _ := withTitles(t, newRoot(t))
		apply(t, s, create(preference("a", 0)))
		if err := errors.Join(os.Remove(s.file(indexName)), os.Mkdir(s.file(indexName), 0o755)); err != nil {
			t.Fatal(err)
		}
		if f, _, err := s.Validate(); err != nil || len(f.Missing) != 1 {
			t.Errorf("not said: %+v, %v", f, err)
		}
		ix, err := s.Rebuild()
		if err != nil {
			t.Fatal(err)
		}
		ix.Close()
		if f, _, err := s.Validate(); err != nil || !f.OK() {
			t.Errorf("%+v, %v", f, err)
		}
	})
}
