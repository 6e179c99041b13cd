package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDemo plays the demo against programs built for it: what it tells a
// newcomer is true, and nothing is left behind.
func TestDemo(t *testing.T) {
	bin, tmp := t.TempDir(), t.TempDir()
	for out, pkg := range map[string]string{"": "keepsake/cmd/keepsake", "hooks": "keepsake/hooks/..."} {
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(bin, out)+"/", pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", pkg, err, b)
		}
	}
	t.Setenv("TMPDIR", tmp)
	t.Setenv("KEEPSAKE", "off") // the demo doesn't hear its caller's environment
	var out bytes.Buffer
	if err := play(context.Background(), bin, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	if !strings.Contains(out.String(), "What to try next:") {
		t.Errorf("the end is missing:\n%s", out.Bytes())
	}
	if !strings.Contains(out.String(), "The user said: “We decided to keep the job queue in PostgreSQL") {
		t.Errorf("what the person decided is not told as theirs:\n%s", out.Bytes())
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestDemoWithoutPrograms(t *testing.T) {
	err := play(context.Background(), t.TempDir(), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "hint: run make build first") {
		t.Errorf("got %v", err)
	}
}
