package layout

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeadMoves(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git",
			append([]string{"-C", dir, "-c", "user.name=A B", "-c", "user.email=a@b"},
				args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	if moves, err := FindGitIndex(dir).HeadMoves(); err != nil || len(moves) > 0 {
		t.Errorf("no commit: %v, %v", moves, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "first\tone")
	git("checkout", "-q", "-b", "other")
	git("commit", "-q", "--allow-empty", "-m", "second")
	git("worktree", "add", "-q", filepath.Join(dir, "tree"), "main")
	moves, err := FindGitIndex(dir).HeadMoves()
	if err != nil || len(moves) != 3 || moves[0].Commit != git("rev-parse", "main") ||
		moves[2].Commit != git("rev-parse", "other") || moves[2].From != moves[1].Commit ||
		moves[0].Time.IsZero() ||
		!strings.HasPrefix(moves[1].Why, "checkout: moving from main") ||
		!strings.HasPrefix(moves[2].Why, "commit: ") {
		t.Errorf("%+v, %v", moves, err)
	}
	tree, err := FindGitIndex(filepath.Join(dir, "tree")).HeadMoves()
	if err != nil || len(tree) == 0 || tree[len(tree)-1].Commit != moves[0].Commit {
		t.Errorf("of a worktree: %+v, %v", tree, err)
	}
	if moves, err := (GitIndex{}).HeadMoves(); moves != nil || err != nil {
		t.Errorf("outside: %v, %v", moves, err)
	}
}

// TestLastMoves: only the end of a long log is read, and no line of it in part.
func TestLastMoves(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git", "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for i := range 500 {
		fmt.Fprintf(&log, "%040x %040x A B <a@b.c> 1790000000 +0000\tcommit: %d\n", i, i+1, i)
	}
	file := filepath.Join(dir, ".git", "logs", "HEAD")
	if err := os.WriteFile(file, []byte(log.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	moves := GitRefsOf(dir).LastMoves()
	if len(moves) < 20 || len(moves) > 100 || moves[len(moves)-1].Why != "commit: 499" {
		t.Fatalf("%d moves", len(moves))
	}
	for i, m := range moves {
		if want := fmt.Sprintf("commit: %d", 500-len(moves)+i); m.Why != want {
			t.Errorf("%s, want %s", m.Why, want)
		}
	}
}
