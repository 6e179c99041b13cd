package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBelow(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]struct {
		there bool
		fault string
	}{
		"a/b": {true, ""}, "a": {true, ""}, "a/c/d": {false, ""}, "none": {false, ""},
		"link": {false, "link is no folder but a link"}, "link/b": {false, "link is no folder but a link"},
		"file": {false, "no folder but a file"}, "file/x": {false, "no folder but a file"},
	} {
		dir, there, err := Below(root, folder)
		switch {
		case there != want.there, (err != nil) != (want.fault != ""):
			t.Errorf("%s: %v, %v", folder, there, err)
		case err != nil && !strings.Contains(err.Error(), want.fault):
			t.Errorf("%s: %v, want %s", folder, err, want.fault)
		case err == nil && dir != filepath.Join(root, folder):
			t.Errorf("%s: %s", folder, dir)
		}
	}
}

func TestAppend(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	say := func(text string) func(io.ReaderAt, int64) ([]byte, error) {
		return func(io.ReaderAt, int64) ([]byte, error) { return []byte(text), nil }
	}
	if err := Append(path, say("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("one\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	refuse := errors.New("full")
	if err := Append(path, func(f io.ReaderAt, size int64) ([]byte, error) {
		head := make([]byte, 3)
		if _, err := f.ReadAt(head, 0); err != nil || string(head) != "one" || size != 4 {
			t.Errorf("%q of %d, %v", head, size, err)
		}
		return []byte("lost"), refuse
	}); !errors.Is(err, refuse) {
		t.Error(err)
	}
	if err := errors.Join(Append(path, say("")), Append(path, say("two\n"))); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "one\ntwo\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.Symlink("f", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := Append(filepath.Join(dir, "link"), say("x")); err == nil {
		t.Error("a link was followed")
	}
	if err := Append(dir, say("x")); err == nil {
		t.Error("a folder was written to")
	}
}

// TestMakeBelow: a root that is gone is not made again.
func TestMakeBelow(t *testing.T) {
	root := filepath.Join(t.TempDir(), "project")
	if _, err := MakeBelow(root, "a/b", 0o755); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("a root that is gone: %v", err)
	}
	if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the root was made: %v", err)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		dir, err := MakeBelow(root, "a/b", 0o755)
		if info, serr := os.Stat(dir); err != nil || serr != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v", dir, err, serr)
		}
	}
}
