package proposed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/plan"
)

var now = time.Date(2026, 11, 28, 7, 0, 0, 0, time.UTC)

// files are those of a directory, as a test has them.
type files map[string]string

func (f files) digest(path string) string {
	if s, is := f[path]; is {
		return plan.DigestOf([]byte(s))
	}
	return ""
}

// notes returns the directory with these files, in which what conflicts with them can't be written.
func (f files) notes() Notes {
	return Notes{Dir: "/d", Digest: f.digest, Check: func(p plan.Plan) error {
		for _, e := range p.Edits {
			if f.digest(e.Path) != e.Before || strings.HasPrefix(e.Path, "linked/") {
				return fmt.Errorf("%s conflicts", e.Path)
			}
		}
		return nil
	}}
}

func ptr(s string) *string { return &s }

// add proposes edits for the session s and the directory /d.
func add(t *testing.T, b Box, f files, edits map[string]*string) Change {
	t.Helper()
	c, err := b.Edit("s", f.notes(), now, func([]Change) (map[string]*string, error) {
		return edits,
			nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// says returns the changes that wait as one text.
func says(t *testing.T, b Box) string {
	t.Helper()
	all, err := b.All()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range all {
		if err := c.Plan.Validate(); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		var parts []string
		for _, e := range c.Plan.Edits {
			parts = append(parts, fmt.Sprintf("%s %s=%s", e.Verb, e.Path, e.After))
		}
		lines = append(lines, strings.Join(parts, ", "))
	}
	return strings.Join(lines, "; ")
}

func TestEdit(t *testing.T) {
	b, f := Box{filepath.Join(t.TempDir(), "p", "inbox")}, files{"a.md": "A", "b.md": "B", "c.md": "C"}
	step := func(want string, edits map[string]*string) Change {
		t.Helper()
		c := add(t, b, f, edits)
		if got := says(t, b); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		return c
	}
	first := step("update a.md=A2", map[string]*string{"a.md": ptr("A2")})
	if len(first.ID) != 6 || first.ID[0] != 'n' {
		t.Errorf("id %q", first.ID)
	}
	step("update a.md=A2; create new.md=N", map[string]*string{"new.md": ptr("N")})
	if again := step("create new.md=N; update a.md=A3",
		map[string]*string{"a.md": ptr("A3")}); again.ID != first.ID {
		t.Errorf("another id: %s, %s", first.ID, again.ID)
	}
	// A rename joins what both of its names are part of.
	if c := step("delete a.md=, create new.md=A3", map[string]*string{"a.md": nil,
		"new.md": ptr("A3")}); c.ID == "" {
		t.Error("no id")
	}
}

func TestEditsThatMeet(t *testing.T) {
	b, f := Box{filepath.Join(t.TempDir(), "p", "inbox")}, files{"a.md": "A", "b.md": "B"}
	add(t, b, f, map[string]*string{"a.md": ptr("A2")})
	add(t, b, f, map[string]*string{"n.md": ptr("N")})
	add(t, b, f, map[string]*string{"n.md": nil})
	if got := says(t, b); got != "update a.md=A2" {
		t.Errorf("a note that came and went: %s", got)
	}
	add(t, b, f, map[string]*string{"b.md": nil, "c.md": ptr("B")})
	add(t, b, f, map[string]*string{"a.md": nil, "c.md": ptr("BA")})
	if got := says(t, b); got != "delete a.md=, delete b.md=, create c.md=BA" {
		t.Errorf("one change: %s", got)
	}
	// What puts everything back comes to nothing.
	if c := add(t, b, f, map[string]*string{"a.md": ptr("A"), "b.md": ptr("B"), "c.md": nil}); c.ID != "" ||
		says(t, b) != "" {
		t.Errorf("left: %+v, %s", c, says(t, b))
	}
	// What no longer fits is replaced, and its other files are as they are.
	add(t, b, f, map[string]*string{"a.md": ptr("A2"), "b.md": ptr("B2")})
	f["a.md"] = "changed"
	add(t, b, f, map[string]*string{"a.md": ptr("A4")})
	if got := says(t, b); got != "update a.md=A4" {
		t.Errorf("replaced: %s", got)
	}
	// Of another session or directory it is another change.
	if _, err := b.Edit("other", f.notes(), now, func(w []Change) (map[string]*string, error) {
		if len(w) != 0 {
			t.Errorf("sees %v", w)
		}
		return map[string]*string{"a.md": ptr("mine")}, nil
	}); err != nil {
		t.Error(err)
	}
	if got := says(t, b); got != "update a.md=A4; update a.md=mine" {
		t.Errorf("two sessions: %s", got)
	}
}

// TestUnwritable refuses what could not be written, and leaves what waits as it is.
func TestUnwritable(t *testing.T) {
	b, f := Box{filepath.Join(t.TempDir(), "p", "inbox")}, files{}
	first := add(t, b, f, map[string]*string{"a.md": ptr("A")})
	for _, edits := range []map[string]*string{{"linked/x.md": ptr("X")},
		{"a.md": nil, "linked/a.md": ptr("A")}} {
		_, err := b.Edit("s", f.notes(), now, func([]Change) (map[string]*string, error) {
			return edits, nil
		})
		if !errors.Is(err, ErrUnwritable) || !strings.Contains(err.Error(), "linked/") {
			t.Errorf("%v: %v", edits, err)
		}
	}
	if c, err := b.Find(first.ID); err != nil || says(t, b) != "create a.md=A" {
		t.Errorf("%v, %v, %s", c, err, says(t, b))
	}
}

func TestTake(t *testing.T) {
	b, f := Box{filepath.Join(t.TempDir(), "p", "inbox")}, files{}
	c := add(t, b, f, map[string]*string{"a.md": ptr("A")})
	shown := c.Plan.Digest()
	add(t, b, f, map[string]*string{"a.md": ptr("another A")})
	ran := false
	do := func(Change) error { ran = true; return nil }
	if err := b.Take(c.ID, shown, do); !errors.Is(err, ErrChanged) || ran {
		t.Errorf("what was not shown: %v", err)
	}
	c, err := b.Find(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := b.Take(c.ID, c.Plan.Digest(), func(Change) error { return full }); !errors.Is(err, full) ||
		says(t, b) == "" {
		t.Errorf("a failure: %v, %q", err, says(t, b))
	}
	if err := b.Take(c.ID, c.Plan.Digest(), do); err != nil || !ran || says(t, b) != "" {
		t.Errorf("taken: %v, %q", err, says(t, b))
	}
	if err := b.Take(c.ID, c.Plan.Digest(), do); !errors.Is(err, ErrUnknown) {
		t.Errorf("twice: %v", err)
	}
	if err := b.Put(c); err != nil || says(t, b) != "create a.md=another A" {
		t.Errorf("put back: %v, %q", err, says(t, b))
	}
	if err := b.Forget(func(s string) bool { return strings.Contains(s, "another") }); err != nil ||
		says(t, b) != "" {
		t.Errorf("forgotten: %v, %q", err, says(t, b))
	}
}

func TestBounds(t *testing.T) {
	b, f := Box{filepath.Join(t.TempDir(), "p", "inbox")}, files{}
	for i := range maxChanges {
		add(t, b, f, map[string]*string{fmt.Sprintf("%d.md", i): ptr("x")})
	}
	_, err := b.Edit("s", f.notes(), now, func([]Change) (map[string]*string, error) {
		return map[string]*string{"more.md": ptr("x")}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "keepsake review") {
		t.Errorf("one more: %v", err)
	}
	if all, _ := b.All(); len(all) != maxChanges {
		t.Errorf("%d wait", len(all))
	}
}

// TestStrange leaves a file alone that is broken or of a newer version.
func TestStrange(t *testing.T) {
	for _, content := range []string{"{", `{"version":2,"changes":{}}`, `{"version":2}`} {
		b := Box{filepath.Join(t.TempDir(), "p", "inbox")}
		if err := os.MkdirAll(b.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(b.Dir, boxFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := b.Edit("s", files{}.notes(), now, func([]Change) (map[string]*string, error) {
			return map[string]*string{"a.md": ptr("A")}, nil
		})
		after, _ := os.ReadFile(filepath.Join(b.Dir, boxFile))
		if err == nil || string(after) != content {
			t.Errorf("%s: %v\n%s", content, err, after)
		}
	}
	if all, err := (Box{}).All(); err != nil || all != nil {
		t.Errorf("no folder: %v, %v", all, err)
	}
}

// TestMany has several sessions propose at the same time, and loses nothing.
func TestMany(t *testing.T) {
	b := Box{filepath.Join(t.TempDir(), "p", "inbox")}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, err := b.Edit("s", files{}.notes(), now, func(w []Change) (map[string]*string, error) {
				said := fmt.Sprint(i, " ")
				for _, c := range w {
					said += string(c.Plan.Edits[0].After)
				}
				return map[string]*string{"a.md": &said}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	changes, err := b.All()
	if err != nil || len(changes) != 1 || len(strings.Fields(string(changes[0].Plan.Edits[0].After))) != 20 {
		t.Errorf("%v, %+v", err, changes)
	}
}
