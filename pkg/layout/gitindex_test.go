package layout

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository makes a checkout with files, some of them tracked.
func repository(t *testing.T, config ...string) (dir string, git func(args ...string)) {
	t.Helper()
	dir = t.TempDir()
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.example",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.example")
		return cmd.CombinedOutput()
	}
	git = func(args ...string) {
		t.Helper()
		if out, err := run(args...); err != nil {
			t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	if out, err := run(append([]string{"init", "-q"}, config...)...); err != nil {
		if len(config) > 0 { // an older git does not know the option, --object-format for one
			t.Skipf("git init %s: %v: %s", strings.Join(config, " "), err, out)
		}
		t.Fatalf("git init: %v: %s", err, out)
	}
	for _, name := range []string{
		"README.md", ".claude/memory-notes.md", ".claude/settings.json", ".claude/memory/decisions/a.json",
		".claude/memory/decisions/ab.json",
		"src/ümlaut.go", "src/" + strings.Repeat("long", 40) + ".go", "other/.claude/memory/x.json",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, git
}

func TestGitIndex(t *testing.T) {
	for name, c := range map[string]struct {
		init  []string
		steps [][]string
	}{
		"version 2": {nil, nil},
		"version 4": {nil, [][]string{{"update-index", "--index-version", "4"}}},
		"split":     {nil, [][]string{{"update-index", "--split-index"}, {"add", "src"}}},
		"version 3": {nil, [][]string{{"add", "-N", "src"}}},
		"sha256":    {[]string{"--object-format=sha256"}, [][]string{{"add", "src"}}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, git := repository(t, c.init...)
			git("add", "README.md", ".claude/memory-notes.md", ".claude/settings.json", "other")
			for _, s := range c.steps {
				git(s...)
			}
			store := filepath.Join(dir, ".claude", "memory")
			g := FindGitIndex(store)
			has := func(path string, want bool) {
				t.Helper()
				if got, err := g.Has(filepath.Join(dir, path)); got != want || err != nil {
					t.Errorf("%s: %v %v, want %v", path, got, err, want)
				}
			}
			has(".claude/memory", false)
			has("README.md", true)
			has("READ", false)
			has("other/.claude/memory", true)
			has("..", false)
			git("add", ".claude")
			has(".claude/memory", true)
			has(".claude/memory/decisions/a.json", true)
			has(".claude/memory/decisions/a.jso", false)
			git("add", ".")
			want, err := exec.Command("git", "-C", dir, "ls-files", "-z").Output()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			names, err := g.entriesOf()
			if err != nil {
				t.Fatal(err)
			}
			for n := range names {
				got = append(got, string(n))
			}
			slices.Sort(got)
			if list := strings.Split(strings.TrimRight(string(want), "\x00"),
				"\x00"); !slices.Equal(slices.Compact(got), list) {
				t.Errorf("%q, want %q", got, list)
			}
		})
	}
}

func TestGitIndexOfAWorktree(t *testing.T) {
	dir, git := repository(t)
	git("add", ".claude")
	git("commit", "-qm", "x")
	tree := filepath.Join(t.TempDir(), "tree")
	git("worktree", "add", "-q", tree)
	git("rm", "-rq", "--cached", ".claude/memory")
	for root, want := range map[string]bool{dir: false, tree: true} {
		store := filepath.Join(root, ".claude", "memory")
		if got, err := FindGitIndex(store).Has(store); got != want || err != nil {
			t.Errorf("%s: %v %v", root, got, err)
		}
	}
}

func TestNoGitIndex(t *testing.T) {
	dir := t.TempDir()
	if got, err := FindGitIndex(dir).Has(dir); got || err != nil {
		t.Error(got, err)
	}
	if _, err := FindGitIndex(dir).Stat(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func FuzzGitIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"), bytes.Repeat([]byte("\x00"), 200)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		g := GitIndex{sum: 20}
		n := 0
		end, err := g.entries(text, func(name []byte, _ uint32) bool { n++; return n < 1000 })
		if err == nil && end > len(text) {
			t.Error(end)
		}
		if err == nil {
			g.shared(text[end:])
		}
	})
}

func BenchmarkGitIndex(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("DIRC\x00\x00\x00\x02")
	text.Write([]byte{0, 1, 0x86, 0xA0})
	for i := range 100_000 {
		name := fmt.Sprintf("some/folder/of/%d/a-file-%d.go", i%100, i)
		entry := append(make([]byte, 62), name...)
		text.Write(append(entry, make([]byte, 8-len(entry)%8)...))
	}
	g := GitIndex{sum: 20}
	for range b.N {
		if _, err := g.entries(text.Bytes(), func([]byte, uint32) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}
