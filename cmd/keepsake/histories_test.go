package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"keepsake/internal/histories"
)

// TestHistoriesWithGit plays random histories of three people with real git and the merge driver. After each
// step the branch has, byte for byte, what the merge alone came to in internal/histories, where a thousand of
// them are played.
func TestHistoriesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	keepsake := filepath.Join(buildPlugin(t), "bin", "keepsake")
	const plays = 12
	merges := 0
	for seed := range int64(plays) {
		dir := t.TempDir()
		run := func(name string, args ...string) {
			t.Helper()
			cmd := exec.Command(name, args...)
			cmd.Dir = dir
			cmd.Env = []string{"HOME=" + filepath.Join(dir, "../home"), "PATH=" + os.Getenv("PATH"),
				"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
				"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("seed %d: %s %v: %v\n%s", seed, name, args, err, out)
			}
		}
		write := func(tree histories.Tree) {
			t.Helper()
			for path, b := range tree {
				path = filepath.Join(dir, filepath.FromSlash(path))
				if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b) {
					continue
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		h, err := histories.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		run("git", "init", "-q", "-b", "trunk")
		write(h.First)
		run(keepsake, "team", "git-setup")
		run("git", "add", "-f", ".")
		run("git", "commit", "-q", "-m", "first")
		for who := range histories.People {
			run("git", "branch", fmt.Sprint("person-", who))
		}
		on := -1
		for n, s := range h.Steps {
			if s.Who != on {
				run("git", "checkout", "-q", fmt.Sprint("person-", s.Who))
				on = s.Who
			}
			if s.From >= 0 {
				run("git", "merge", "-q", "--no-edit", fmt.Sprint("person-", s.From))
				merges++
			} else {
				write(s.Tree)
				run("git", "add", "-f", ".")
				run("git", "commit", "-q", "--allow-empty", "-m", "change")
			}
			for path, want := range s.Tree {
				got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("seed %d, step %d of %d: %s: %v: git has\n%s\nthe merge alone\n%s", seed, n,
						len(h.Steps), path, err, got, want)
				}
			}
		}
	}
	if merges < 4*plays {
		t.Errorf("%d merges: has the test gone blind?", merges)
	}
}
