package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/disk"
)

// TestTidy: files left by a killed process are removed by the next look that has time for it, not only by the
// next save, and not while somebody saves.
func TestTidy(t *testing.T) {
	s := Open(newRoot(t), Options{})
	apply(t, s, create(preference("a", 0)))
	whole := tree(t, s.root)
	leave := func() {
		for _, name := range []string{begunName, "preferences/.b.json123450987", ".index.md775544332",
			"..redo.json998877665",
			"preferences/.mine"} {
			write(t, s.file(name), "part")
		}
	}
	leave()
	l, err := disk.Exclusive(background, s.file(lockName))
	if err != nil {
		t.Fatal(err)
	}
	before := tree(t, s.root)
	s.Tidy()
	if got := tree(t, s.root); len(got) != len(before) {
		t.Errorf("took what somebody is writing: %q", got)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	s.Tidy()
	got := tree(t, s.root)
	if _, ok := got["preferences/.mine"]; !ok {
		t.Error("took what is not ours")
	}
	delete(got, "preferences/.mine")
	if len(got) != len(whole) {
		t.Errorf("left: %q", got)
	}
	// Until then all of these are ignored by git.
	text, err := os.ReadFile(s.file(ignoreName))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".b.json123450987", ".index.md775544332", "..redo.json998877665",
		"..gitignore554433221"} {
		rows := strings.Split(string(text), "\n")
		if !leftover(name) || !slices.ContainsFunc(rows, func(row string) bool {
			ok, _ := filepath.Match(row, name)
			return ok
		}) {
			t.Errorf("%s is not ignored by %q", name, rows)
		}
	}
}

// A panic in one of many calls reaches the caller.
func TestTogetherPanics(t *testing.T) {
	for _, n := range []int{1, 3, 100} {
		func() {
			defer func() {
				if p := recover(); p != "one" {
					t.Errorf("%d: %v", n, p)
				}
			}()
			err := together(context.Background(), n, func(i int) error {
				if i == n-1 {
					panic("one")
				}
				return nil
			})
			t.Error(errors.Join(errors.New("no panic"), err))
		}()
	}
}
