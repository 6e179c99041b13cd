package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRunEnds: git waits for ever for a pipe in a file's place; Run doesn't.
func TestRunEnds(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, err := Run(ctx, dir, "init", "-q"); err != nil {
		t.Skip("no git here:", err)
	}
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
