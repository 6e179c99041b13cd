package disk

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestAppendLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 50 {
				if err := AppendLine(path, []byte(strings.Repeat("x", 100)), 1<<20); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != strings.Repeat(strings.Repeat("x", 100)+"\n", 1000) {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	if err := AppendLine(path, []byte("next"), 1000); err != nil {
		t.Fatal(err)
	}
	aside, _ := os.ReadFile(path + ".1")
	now, _ := os.ReadFile(path)
	if len(aside) != len(b) || string(now) != "next\n" {
		t.Errorf("%d bytes set aside, now %q", len(aside), now)
	}
}

// TestAppendLineToWhatIsNoFile: a link is not followed, and a pipe does not block.
func TestAppendLineToWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	link, pipe, target := filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), filepath.Join(dir, "target")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, pipe, dir} {
		if err := AppendLine(path, []byte("x"), 10); err == nil {
			t.Errorf("%s was written to", filepath.Base(path))
		}
	}
	if b, _ := os.ReadFile(target); len(b) > 0 {
		t.Error("the link was followed")
	}
}
