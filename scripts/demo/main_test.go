package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
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
	play := func(whole bool) string {
		var out bytes.Buffer
		if err := play(context.Background(), bin, whole, &out); err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		if !strings.HasSuffix(out.String(),
			"\nNext: make build && claude --plugin-dir .   All: go run ./scripts/demo -whole\n") {
			t.Errorf("the end is missing:\n%s", out.Bytes())
		}
		if !strings.Contains(out.String(), "The user said: “We decided to keep the job queue in PostgreSQL") {
			t.Errorf("what the person decided is not told as theirs:\n%s", out.Bytes())
		}
		return out.String()
	}
	if whole := play(true); !strings.Contains(whole, "Where a person sits at the terminal") {
		t.Errorf("the whole demo leaves something out:\n%s", whole)
	}
	// A line is left for the prompt below it.
	brief := play(false)
	if n := strings.Count(brief, "\n"); n > 23 {
		t.Errorf("%d lines do not fit a screen of 24:\n%s", n, brief)
	}
	for l := range strings.Lines(brief) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > 79 {
			t.Errorf("%d columns do not fit a screen of 80: %s", n, l)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestDemoWithoutPrograms(t *testing.T) {
	err := play(context.Background(), t.TempDir(), false, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "hint: run make build first") {
		t.Errorf("got %v", err)
	}
}
