package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSweep: what a process was writing when it was killed goes, whatever wrote it, and nothing else.
func TestSweep(t *testing.T) {
	root := t.TempDir()
	var left []string
	beside := func(path string) {
		t.Helper()
		d, err := Hold(filepath.Dir(path), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		name := filepath.Base(path)
		f, err := d.Prepare(name, "."+name, []byte("half"), 0o600, time.Time{}, false)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, d.file(f.temp))
	}
	for _, dir := range []string{"a/b", ".staging"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	beside(filepath.Join(root, "a/b/state.json"))
	beside(filepath.Join(root, "prompts.jsonl"))
	beside(filepath.Join(root, ".staging/context"))
	young := left[1]
	kept := []string{"a/b/state.json", "a/2026112401.json", "a/b/.lock", ".staging/.v12", "20261124123456",
		".20261124123456"}
	for _, name := range kept {
		if err := os.WriteFile(filepath.Join(root, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hour := time.Now().Add(-time.Hour)
	for _, path := range append(slices.Clone(left), filepath.Join(root, "a/b/state.json")) {
		if path != young {
			if err := os.Chtimes(path, hour, hour); err != nil {
				t.Fatal(err)
			}
		}
	}
	Sweep(root, time.Now().Add(-time.Minute))
	for _, path := range left {
		if _, err := os.Lstat(path); (err == nil) != (path == young) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, name := range kept {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}
