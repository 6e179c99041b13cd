package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRunEnds: git waits for ever for a pipe in a file's place; Run doesn't.
func TestRunEnds(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), dir, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if err := syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(ctx, dir, "check-ignore", "f")
	if err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("%v", err)
	}
}

// TestTakes: a file is warned of where the next commit of everything would have it.
func TestTakes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	repo, outside := t.TempDir(), t.TempDir()
	for _, dir := range []string{repo + "/deep", repo + "/private"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ignored := "*.html\n!deep/kept.html\nprivate/\n"
	for name, text := range map[string]string{".gitignore": ignored, "old.html": ""} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(repo, filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "old.html"}} {
		if _, err := Run(t.Context(), repo, args...); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		repo + "/page": true, repo + "/deep/page": true, repo + "/deep/kept.html": true,
		repo + "/old.html": true, // it is tracked
		repo + "/:page":    true, outside + "/link/page": true,
		repo + "/page.html": false, repo + "/private/page": false, outside + "/page": false,
		repo + "/gone/page": false, outside + "/link/page.html": false,
	} {
		if got := Takes(t.Context(), path); got != want {
			t.Errorf("Takes(%s) = %v", path, got)
		}
	}
}
