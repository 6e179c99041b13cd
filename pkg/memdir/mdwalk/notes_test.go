package mdwalk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"keepsake/pkg/plan"
)

// TestWalk reads what is a note, in order, and says what it leaves out.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.md", "a/c.MD", "a/b/c/d.md", "a/b/c/d/e.md", "a/b/c/d/e/f.md",
		".hidden.md", ".git/x.md", "text.txt", "MEMORY.md"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Symlink("b.md", filepath.Join(dir, "link.md")),
		syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600),
		os.WriteFile(filepath.Join(dir, "large.md"), bytes.Repeat([]byte("x"), MaxNote+1), 0o644),
		os.WriteFile(filepath.Join(dir, "full.md"), bytes.Repeat([]byte("x"), MaxNote), 0o644),
	); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "memory")
	if err := os.Symlink(dir, linked); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{dir, linked} {
		var got, passed []string
		err := Walk(root, func(n Note) {
			got = append(got, n.Name)
			if n.Modified.IsZero() || len(n.Bytes) != MaxNote && string(n.Bytes) != n.Name {
				t.Errorf("%s: %v %.20s", n.Name, n.Modified, n.Bytes)
			}
		}, func(name, why string) { passed = append(passed, name+" "+why) })
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"MEMORY.md", "a/b/c/d/e.md", "a/b/c/d.md", "a/c.MD", "b.md",
			"full.md"}; !slices.Equal(got, want) {
			t.Errorf("%s: read %q, want %q", root, got, want)
		}
		for _, name := range got {
			if err := plan.CheckMarkdown(name); err != nil {
				t.Errorf("what is read can't be written: %v", err)
			}
		}
		all, _, err := List(root)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range all {
			if len(all) != len(got) || f.Name != got[i] || f.Size == 0 || f.Modified.IsZero() {
				t.Fatalf("%s: lists %v, reads %q", root, all, got)
			}
		}
		if len(passed) != 3 || !strings.HasPrefix(passed[0], "large.md ") ||
			!strings.HasPrefix(passed[1], "link.md ") || !strings.HasPrefix(passed[2], "pipe.md ") {
			t.Errorf("%s: left out %q", root, passed)
		}
	}
	for path, want := range map[string]string{filepath.Join(dir, "none"): "no such file",
		filepath.Join(dir, "b.md"): "is no folder"} {
		if err := Walk(path, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	var pathErr *fs.PathError
	if err := Walk(filepath.Join(dir, "none"), nil, nil); !errors.As(err, &pathErr) {
		t.Errorf("%v names no path", err)
	}
}

// TestWalkEnough stops after 5,000 notes and says where.
func TestWalkEnough(t *testing.T) {
	dir := t.TempDir()
	for i := range maxNotes + 3 {
		if err := os.WriteFile(filepath.Join(dir, strings.Repeat("n", 1+i/100)+string(rune('0'+i%100))+".md"),
			nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	var passed []string
	if err := Walk(dir, func(Note) {
		n++
	}, func(name, why string) { passed = append(passed, why) }); err != nil {
		t.Fatal(err)
	}
	if n != maxNotes || len(passed) != 1 || !strings.Contains(passed[0], "more than 5000") {
		t.Errorf("read %d, left out %q", n, passed)
	}
	if all, more, err := List(dir); len(all) != maxNotes || !more || err != nil {
		t.Errorf("listed %d, more: %v, %v", len(all), more, err)
	}
	if all, more, err := List(t.TempDir()); len(all) != 0 || more || err != nil {
		t.Errorf("of nothing listed %d, more: %v, %v", len(all), more, err)
	}
}

// TestHead reads no more than it was asked for, and nothing but files.
func TestHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{4: "0123", 10: "0123456789", 99: "0123456789"} {
		begin, modified, cut, err := Head(path, limit)
		if err != nil || string(begin) != want || modified.IsZero() || cut != (limit < 10) {
			t.Errorf("%d: %q %v %v %v", limit, begin, modified, cut, err)
		}
	}
	if _, _, _, err := Head(filepath.Dir(path), 4); err == nil {
		t.Error("a folder has a head")
	}
}
