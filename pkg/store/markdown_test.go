package store

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/plan"
)

// newNotes returns a store of Markdown files whose directory is not there yet.
func newNotes(t testing.TB) *Store {
	t.Helper()
	top := t.TempDir()
	return OpenNotes(filepath.Join(top, "projects", "x", "memory"), filepath.Join(top, "state", "notes"), Options{})
}

// edit makes an edit of what is there to text; nil takes the file away.
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
		edit(t, s, "old/a.md", nil), edit(t, s, "archive/2026/a.md", []byte("a\n")), edit(t, s, "empty.md", nil),
		edit(t, s, ".learnings/instincts/b.yaml", []byte("b: 1\n")),
	)
	after := tree(t, s.root)
	want := map[string]string{
		"MEMORY.md": "----------\xef\xbb\xbf# Memory\r\n\r\n- [A](archive/a.md)\r\n", "archive/2026/a.md": "----------a\n", ".learnings/instincts/b.yaml": "----------b: 1\n",
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
