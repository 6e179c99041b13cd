package layout

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestHead(t *testing.T) {
	sum := strings.Repeat("0123456789", 4)
	for name, tt := range map[string]struct {
		files          map[string]string
		root           string
		branch, commit string
	}{
		"no repository": {nil, "", "", ""},
		"a branch": {
			map[string]string{".git/HEAD": "ref: refs/heads/feature/queue\n",
				".git/refs/heads/feature/queue": sum + "\n"},
			"", "feature/queue", sum[:12],
		},
		"a branch without a commit": {map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, "", "main",
			""},
		"packed": {
			map[string]string{".git/HEAD": "ref: refs/heads/main\n",
				".git/packed-refs": "# pack-refs with: peeled\n" + strings.Repeat("9", 40) +
					" refs/heads/other\n" + sum + " refs/heads/main\n"},
			"", "main", sum[:12],
		},
		"detached": {map[string]string{".git/HEAD": sum + "\n"}, "", "", sum[:12]},
		"a worktree": {
			map[string]string{
				"main/.git/worktrees/w/HEAD":      "ref: refs/heads/w\n",
				"main/.git/worktrees/w/commondir": "../..\n",
				"main/.git/refs/heads/w":          sum + "\n", "w/.git": "gitdir: ../main/.git/worktrees/w\n",
			},
			"w", "w", sum[:12],
		},
		"references in tables": {map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n",
			".git/refs/heads": "this repository uses the reftable format\n"}, "", "", ""},
		"no commit but text": {map[string]string{".git/HEAD": "ref: ../../../secret\n",
			"secret": "not a commit\n"}, "", "../../../secret", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range tt.files {
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			branch, commit := Head(filepath.Join(dir, tt.root))
			if branch != tt.branch || commit != tt.commit {
				t.Errorf("got %q %q, want %q %q", branch, commit, tt.branch, tt.commit)
			}
		})
	}
}

// TestWorking: while git rebases or bisects a branch, that is what somebody works on.
func TestWorking(t *testing.T) {
	sum := strings.Repeat("a", 40)
	for name, tt := range map[string]struct {
		file, text, want string
	}{
		"a rebase":              {"rebase-merge/head-name", "refs/heads/feat/x\n", "feat/x"},
		"a rebase by patches":   {"rebase-apply/head-name", "refs/heads/feat/x\n", "feat/x"},
		"a bisection":           {"BISECT_START", "feat/x\n", "feat/x"},
		"a rebase of no branch": {"rebase-merge/head-name", "detached HEAD\n", ""},
		"a branch that is gone": {"BISECT_START", "feat/y\n", ""},
		"none":                  {"ORIG_HEAD", sum + "\n", ""},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"HEAD": sum + "\n", "refs/heads/feat/x": sum + "\n",
			tt.file: tt.text} {
			path := filepath.Join(dir, ".git", file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if branch, commit := GitRefsOf(dir).Working(); branch != tt.want || commit != sum {
			t.Errorf("%s: %q at %q, want %q", name, branch, commit, tt.want)
		}
	}
}

// A pipe in the place of HEAD must not keep a save waiting for ever.
func TestHeadDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, ".git", "HEAD"), 0o644); err != nil {
		t.Fatal(err)
	}
	if branch, commit := Head(dir); branch != "" || commit != "" {
		t.Errorf("got %q %q from a pipe", branch, commit)
	}
}

// TestDefaultBranch: the one that the clone names, else the one of two usual names that is there alone.
func TestDefaultBranch(t *testing.T) {
	sum := strings.Repeat("a", 40) + "\n"
	const remote, head = ".git/refs/remotes/origin/", ".git/refs/remotes/origin/HEAD"
	const mains, masters = ".git/refs/heads/main", ".git/refs/heads/master"
	for name, tt := range map[string]struct {
		files   map[string]string
		want    string
		shallow bool
	}{
		"the remote's":    {map[string]string{head: "ref: refs/remotes/origin/trunk\n"}, "trunk", false},
		"main":            {map[string]string{mains: sum}, "main", false},
		"master, fetched": {map[string]string{remote + "master": sum, ".git/shallow": sum}, "master", true},
		"packed": {map[string]string{".git/packed-refs": sum[:40] + " refs/heads/master\n"}, "master",
			false},
		"both":                {map[string]string{mains: sum, masters: sum}, "", false},
		"neither":             {map[string]string{".git/refs/heads/trunk": sum}, "", false},
		"a HEAD of nothing":   {map[string]string{head: "ref: refs/remotes/origin/\n"}, "", false},
		"of another remote":   {map[string]string{head: "ref: refs/remotes/up/x\n"}, "", false},
		"no name of a commit": {map[string]string{mains: "text\n"}, "", false},
	} {
		dir := t.TempDir()
		tt.files[".git/HEAD"] = "ref: refs/heads/x\n"
		for path, text := range tt.files {
			path = filepath.Join(dir, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		refs := GitRefsOf(dir)
		if got := refs.Default(); got != tt.want || refs.Shallow() != tt.shallow {
			t.Errorf("%s: %q, want %q; shallow: %v", name, got, tt.want, refs.Shallow())
		}
	}
	none := GitRefsOf("")
	if b, c := none.Head(); b+c+none.Default()+none.Of("refs/heads/main") != "" || none.Shallow() ||
		none.LastMoves() != nil {
		t.Error("without a repository")
	}
}
