package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

// newNotes returns a store of Markdown files whose directory is not there yet.
func newNotes(t testing.TB) *Store {
	t.Helper()
	top := t.TempDir()
	return OpenNotes(filepath.Join(top, "projects", "x", "memory"), filepath.Join(top, "state", "notes"),
		Options{})
}

// edit returns an edit that changes the file at path to text; nil removes it.
func edit(t testing.TB, s *Store, path string, text []byte) plan.Edit {
	t.Helper()
	e := plan.Edit{Path: path, Verb: plan.Create, After: text, Title: path}
	b, err := os.ReadFile(s.file(path))
	switch {
	case err == nil && text == nil:
		e.Verb, e.Before = plan.Delete, plan.DigestOf(b)
	case err == nil:
		e.Verb, e.Before = plan.Update, plan.DigestOf(b)
	case !errors.Is(err, os.ErrNotExist):
		t.Fatal(err)
	}
	return e
}

// TestMarkdown: a plan of Markdown files is applied and taken back whole, and
// nothing of ours lies beside them.
func TestMarkdown(t *testing.T) {
	s := newNotes(t)
	const odd = "\xef\xbb\xbf# Memory\r\n\r\n- [A](a.md) \xff\r\n"
	write(t, s.file("MEMORY.md"), odd)
	write(t, s.file("empty.md"), "")
	write(t, s.file("old/a.md"), "a\n")
	before := tree(t, s.root)
	apply(t, s,
		edit(t, s, "MEMORY.md", []byte("\xef\xbb\xbf# Memory\r\n\r\n- [A](archive/a.md)\r\n")),
		edit(t, s, "old/a.md", nil), edit(t, s, "archive/2026/a.md", []byte("a\n")),
		edit(t, s, "empty.md", nil),
		edit(t, s, ".learnings/instincts/b.yaml", []byte("b: 1\n")),
	)
	after := tree(t, s.root)
	want := map[string]string{
		"MEMORY.md":         "----------\xef\xbb\xbf# Memory\r\n\r\n- [A](archive/a.md)\r\n",
		"archive/2026/a.md": "----------a\n", ".learnings/instincts/b.yaml": "----------b: 1\n",
	}
	if !maps.Equal(after, want) {
		t.Errorf("got %q, want %q", after, want)
	}
	if _, err := os.Lstat(s.file("old")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the empty folder stays: %v", err)
	}
	undo(t, s, past(t, s)[0])
	if got := tree(t, s.root); !maps.Equal(got, before) {
		t.Errorf("undone %q, want %q", got, before)
	}
	if _, err := os.Lstat(s.file("archive")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the empty folder stays: %v", err)
	}
}

// TestMarkdownRefused: a plan with one edit that cannot be made changes nothing.
func TestMarkdownRefused(t *testing.T) {
	s := newNotes(t)
	guard := plan.DigestOf([]byte("a"))
	write(t, s.file("a.md"), "a")
	write(t, s.file("file"), "no folder")
	write(t, s.file("large.md"), strings.Repeat("x", markdownLimit+1))
	outside := t.TempDir()
	write(t, filepath.Join(outside, "a.md"), "a")
	if err := errors.Join(
		os.Symlink(filepath.Join(outside, "a.md"), s.file("link.md")), os.Symlink(outside, s.file("linked")),
		os.MkdirAll(s.file("deep/folder.d"), 0o755),
		os.Symlink(outside, s.file("deep/linked")), syscall.Mkfifo(s.file("pipe.md"), 0o600),
		os.Mkdir(s.file("folder.md"), 0o755),
	); err != nil {
		t.Fatal(err)
	}
	before, theirs := tree(t, s.root), tree(t, outside)
	update := func(path string) plan.Edit {
		return plan.Edit{Path: path, Verb: plan.Update, Before: guard, After: []byte("b")}
	}
	make := func(path string) plan.Edit {
		return plan.Edit{Path: path, Verb: plan.Create, After: []byte("b")}
	}
	for name, tt := range map[string]struct {
		edit plan.Edit
		err  error
		says string
	}{
		"there already": {make("a.md"), ErrExists, "a.md"},
		"other bytes": {plan.Edit{Path: "a.md", Verb: plan.Update,
			Before: plan.DigestOf([]byte("z")), After: []byte("b")}, ErrConflict, "a.md"},
		"gone": {update("none.md"), ErrConflict, "it is gone"},
		"gone, to be deleted": {plan.Edit{Path: "none.md", Verb: plan.Delete, Before: guard}, ErrConflict,
			"it is gone"},
		"a link": {update("link.md"), disk.ErrNotRegular, "link.md"},
		"a link, to be deleted": {plan.Edit{Path: "link.md", Verb: plan.Delete, Before: guard},
			disk.ErrNotRegular, "link.md"},
		"a link in the way": {make("link.md"), ErrExists, "link.md"},
		"below a link":      {update("linked/a.md"), nil, "a link is not followed"},
		"new below a link":  {make("linked/b.md"), nil, "a link is not followed"},
		"below a deep link": {make("deep/linked/b.md"), nil, "a link is not followed"},
		"below a file":      {make("file/b.md"), nil, "is not a directory"},
		"a pipe":            {update("pipe.md"), disk.ErrNotRegular, "pipe.md"},
		"a folder":          {make("folder.md"), ErrExists, "folder.md"},
		"too large":         {update("large.md"), disk.ErrTooLarge, "large.md"},
		"to be too large": {plan.Edit{Path: "b.md", Verb: plan.Create,
			After: bytes.Repeat([]byte("x"), markdownLimit+1)}, nil, "524288 of a file"},
		"outside": {make("../b.md"), nil, "../b.md"},
		"hidden":  {make(".git/b.md"), nil, "hidden"},
		"no plan left it": {plan.Edit{Path: "a.md", Verb: plan.Revert, Before: guard,
			After: []byte("z")}, nil, "no plan in .history"},
	} {
		t.Run(name, func(t *testing.T) {
			checked := s.Check(background, planOf(make("innocent.md"), tt.edit))
			err := s.Apply(background, planOf(make("innocent.md"), tt.edit))
			if fmt.Sprint(checked) != fmt.Sprint(err) {
				t.Errorf("Check says %v, Apply %v", checked, err)
			}
			if err == nil || tt.err != nil && !errors.Is(err, tt.err) ||
				!strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %v with %s in it", err, tt.err, tt.says)
			}
			if got := tree(t, s.root); !maps.Equal(got, before) {
				t.Errorf("got %q, want %q", got, before)
			}
			if got := tree(t, outside); !maps.Equal(got, theirs) {
				t.Errorf("outside: %q", got)
			}
		})
	}
	if err := s.Apply(background, planOf(create(preference("a", 0)))); err == nil ||
		!strings.Contains(err.Error(), "preferences/a.json") {
		t.Errorf("a record among Markdown: %v", err)
	}
	if err := Open(newRoot(t), Options{}).Apply(background, planOf(make("a.md"))); err == nil ||
		!strings.Contains(err.Error(), "a.md") {
		t.Errorf("Markdown among records: %v", err)
	}
	linked := filepath.Join(t.TempDir(), "memory")
	if err := os.Symlink(outside, linked); err != nil {
		t.Fatal(err)
	}
	link := OpenNotes(linked, t.TempDir(), Options{})
	for name, err := range map[string]error{"Apply": link.Apply(background, planOf(make("b.md"))),
		"Check": link.Check(background, planOf(make("b.md")))} {
		if err == nil || !strings.Contains(err.Error(), "a link is not followed") {
			t.Errorf("%s of a directory that is a link: %v", name, err)
		}
	}
}

// TestMarkdownChecked: what Check lets pass can be applied, and Check itself writes nothing.
func TestMarkdownChecked(t *testing.T) {
	long := strings.Repeat("x", 252) + ".md"
	root := filepath.Join(t.TempDir(), "memory")
	s := OpenNotes(root, t.TempDir(), Options{})
	for _, path := range []string{"a.md", long, "new/deep/" + long} {
		p := planOf(plan.Edit{Path: path, Verb: plan.Create, After: []byte("b")})
		if err := s.Check(background, p); err != nil {
			t.Errorf("%.20s: %v", path, err)
		}
		if _, err := os.Lstat(s.file(path)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%.20s: Check wrote it: %v", path, err)
		}
		if err := s.Apply(background, p); err != nil {
			t.Errorf("%.20s: %v", path, err)
		}
		if err := s.Check(background, p); !errors.Is(err, ErrExists) {
			t.Errorf("%.20s, again: %v", path, err)
		}
	}
}

// TestMarkdownModes: a file keeps its permissions, even if it was gone for a while.
func TestMarkdownModes(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	s := newNotes(t)
	apply(t, s, edit(t, s, "new.md", []byte("x")))
	for path, mode := range map[string]os.FileMode{"private.md": 0o600, "deleted.md": 0o600,
		"shared.md": 0o664} {
		write(t, s.file(path), path)
		if err := os.Chmod(s.file(path), mode); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, s, edit(t, s, "private.md", []byte("y")), edit(t, s, "shared.md", []byte("y")),
		edit(t, s, "deleted.md", nil))
	want := map[string]os.FileMode{"new.md": 0o644, "private.md": 0o600, "shared.md": 0o664}
	for range 3 {
		for path, mode := range want {
			if info, err := os.Lstat(s.file(path)); err != nil || info.Mode() != mode {
				t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, mode)
			}
		}
		undo(t, s, past(t, s)[0]) // and the undo of the undo
		if _, gone := want["deleted.md"]; gone {
			delete(want, "deleted.md")
		} else {
			want["deleted.md"] = 0o600
		}
	}
	// After a crash in between, the log knows them.
	s.step = func(step string) error {
		if step == "file 0" {
			return errStopped
		}
		return nil
	}
	if _, err := os.Lstat(s.file("deleted.md")); err == nil {
		undo(t, OpenNotes(s.root, s.own, Options{}), past(t, s)[0])
	}
	if err := s.Apply(background, past(t, s)[0].Undo()); !errors.Is(err, ErrUnfinished) {
		t.Fatal(err)
	}
	past(t, OpenNotes(s.root, s.own, Options{}))
	if info, err := os.Lstat(s.file("deleted.md")); err != nil || info.Mode() != 0o600 {
		t.Errorf("after a crash: %v, %v", info, err)
	}
}

// TestMarkdownLeftovers: the next plan removes what a killed process was writing, and nothing that only looks
// a little like it.
func TestMarkdownLeftovers(t *testing.T) {
	s := newNotes(t)
	long := strings.Repeat("n", 252) + ".md" // its temporary name is no longer than that
	apply(t, s, edit(t, s, "a/b/"+long, []byte("x")))
	theirs := []string{".keepsake-writes-", ".keepsake-writes-1.md", ".a.md123", ".hidden/.keepsake-writes-1",
		"a/b/c/d/e/.keepsake-writes-1"}
	ours := []string{".keepsake-writes-1", "a/b/.keepsake-writes-18446744073709551615",
		".learnings/instincts/.keepsake-writes-7"}
	for _, name := range append(theirs, ours...) {
		write(t, s.file(name), "half")
	}
	write(t, s.ownFile(begunName), "")
	apply(t, s, edit(t, s, "c.md", []byte("x")))
	got := tree(t, s.root)
	for _, name := range theirs {
		if got[name] == "" {
			t.Errorf("%s is gone", name)
		}
	}
	for _, name := range ours {
		if got[name] != "" {
			t.Errorf("%s is still there", name)
		}
	}
	if len(got) != len(theirs)+2 {
		t.Errorf("got %q", slices.Sorted(maps.Keys(got)))
	}
}

// TestMarkdownTimes: a file gets the time that its edit says, also if the plan is finished by another call,
// and undo brings back the one that it had.
func TestMarkdownTimes(t *testing.T) {
	s := newNotes(t)
	old := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	write(t, s.file("a.md"), "one\n")
	if err := os.Chtimes(s.file("a.md"), old, old); err != nil {
		t.Fatal(err)
	}
	is := func(path string, want time.Time) {
		t.Helper()
		if info, err := os.Lstat(s.file(path)); err != nil || !info.ModTime().Equal(want) {
			t.Errorf("%s: %v (%v), want %v", path, info.ModTime(), err, want)
		}
	}
	mended, made := edit(t, s, "a.md", []byte("two\n")), edit(t, s, "b.md", []byte("b\n"))
	mended.Modified, made.Modified = old, old.AddDate(0, 1, 0)
	s.step = func(name string) error { // cut short before the first file has its name
		if name == "file 0" {
			return errors.New("cut short")
		}
		return nil
	}
	p := plan.Plan{Edits: []plan.Edit{mended, made}}
	if err := s.Apply(background, p); !errors.Is(err, ErrUnfinished) {
		t.Fatal(err)
	}
	s.step = func(string) error { return nil }
	s.Tidy()
	is("a.md", old)
	is("b.md", old.AddDate(0, 1, 0))
	apply(t, s, edit(t, s, "a.md", []byte("three\n"))) // which says nothing of its time
	undo(t, s, past(t, s)[0])
	is("a.md", old)
}

// TestMarkdownUndo: undoing plans one after the other restores each former state of the directory, byte for
// byte.
func TestMarkdownUndo(t *testing.T) {
	t.Parallel()
	paths := rapid.SampledFrom([]string{"MEMORY.md", "a.md", "A B.md", "user/a.md", "archive/2026-11/a.md",
		".learnings/instincts/a.yaml"})
	texts := rapid.SampledFrom([][]byte{nil, {}, []byte("a\n"), []byte("\xef\xbb\xbfa\r\nb"),
		[]byte("\xff\x00"), []byte("{\"base64\": \"\"}"), []byte("\u2028<&>")})
	rapid.Check(t, func(r *rapid.T) {
		top, err := os.MkdirTemp("", "keepsake-undo-")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(top)
		s := notesBelow(top)
		if err := os.MkdirAll(s.root, 0o755); err != nil {
			r.Fatal(err)
		}
		for _, path := range rapid.SliceOfDistinct(paths, rapid.ID).Draw(r, "there") {
			if text := texts.Draw(r, path); text != nil {
				write(t, s.file(path), string(text))
			}
		}
		states := []map[string]string{tree(t, s.root)}
		for range rapid.IntRange(1, 3).Draw(r, "plans") {
			var p plan.Plan
			for _, path := range rapid.SliceOfNDistinct(paths, 1, 4, rapid.ID).Draw(r, "paths") {
				e := edit(t, s, path, texts.Draw(r, "text"))
				if e.Before == plan.DigestOf(e.After) || !e.Deletes() && len(e.After) == 0 {
					continue // no plan does that
				}
				p.Edits = append(p.Edits, e)
			}
			if len(p.Edits) == 0 {
				continue
			}
			if err := s.Apply(background, p); err != nil {
				r.Fatal(err)
			}
			states = append(states, tree(t, s.root))
		}
		done := past(t, s)
		for i, a := range done {
			if err := s.Apply(background, a.Undo()); err != nil {
				r.Fatal(err)
			}
			if got, want := tree(t, s.root), states[len(states)-2-i]; !maps.Equal(got, want) {
				r.Fatalf("undone %d: %q, want %q", i+1, got, want)
			}
		}
		for i, a := range past(t, s)[:len(done)] { // and taking that back goes forward again
			if err := s.Apply(background, a.Undo()); err != nil {
				r.Fatal(err)
			}
			if got, want := tree(t, s.root), states[i+1]; !maps.Equal(got, want) {
				r.Fatalf("redone %d: %q, want %q", i+1, got, want)
			}
		}
	})
}
