package tiers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/search/kept"
)

// gitOf runs the machine's git, as the command line does.
func gitOf(t *testing.T) func(ctx context.Context, dir string, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	return func(ctx context.Context, dir string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git",
			append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		return strings.TrimRight(string(out), "\n"), err
	}
}

// ask is the first n places that a question finds, as path:line.
func ask(t *testing.T, f Finder, question string, n int) string {
	t.Helper()
	hits, err := f.Find(t.Context(), question, n)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	var places []string
	for _, h := range hits {
		places = append(places, fmt.Sprintf("%s:%d", h.Path, h.Line))
	}
	return strings.Join(places, " ")
}

// TestWhereKeepsUp changes a project in every way and asks after each, of an
// index that is kept and of one that is not.
func TestWhereKeepsUp(t *testing.T) {
	for name, c := range map[string]struct{ git, cache bool }{
		"git": {true, true}, "git, no cache": {true, false}, "no git": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &Where{Root: t.TempDir(), Note: func(f string, args ...any) {
				t.Errorf("said: "+f, args...)
			}}
			add := func(...string) {}
			if c.git {
				w.Git = gitOf(t)
				add = func(args ...string) {
					t.Helper()
					if _, err := w.Git(t.Context(), w.Root, args...); err != nil {
						t.Fatal(err)
					}
				}
			}
			if c.cache {
				w.Dir = filepath.Join(t.TempDir(), "cache", "project")
			}
			put(t, w.Root, "src/login.go", "package src\n\nfunc LoginHandler() {}\n")
			put(t, w.Root, "docs/login.md", "# Signing in\n\nabout the login\n")
			put(t, w.Root, ".claude/memory/decisions/login.json", "{}")
			put(t, w.Root, "node_modules/x/login.js", "function login() {\n}\n")
			put(t, w.Root, ".gitignore", "node_modules\n")
			add("init", "-q")
			add("add", "-A")

			const question = "where is the login handler"
			want := func(places string) {
				t.Helper()
				for range 2 { // made, and read again
					if got := ask(t, w, question, 5); got != places {
						t.Fatalf("%q, want %q", got, places)
					}
				}
			}
			want("src/login.go:3 docs/login.md:3")

			put(t, w.Root, "src/login.go", "package src\n\n// more\n\nfunc LoginHandler() {}\n")
			want("src/login.go:5 docs/login.md:3")

			put(t, w.Root, "src/web.go", "package src\n\nfunc handleLogin() {}\n")
			if c.git {
				want("src/login.go:5 docs/login.md:3")
			}
			add("add", "-A")
			want("src/login.go:5 src/web.go:3 docs/login.md:3")

			held := get(t, w.Root, "src/login.go")
			if err := os.Remove(filepath.Join(w.Root, "src/login.go")); err != nil {
				t.Fatal(err)
			}
			want("src/web.go:3 docs/login.md:3")
			put(t, w.Root, "src/login.go", held)
			want("src/login.go:5 src/web.go:3 docs/login.md:3")

			if c.git {
				add("rm", "-q", "--cached", "src/login.go")
				want("src/web.go:3 docs/login.md:3")
				add("add", "-A")
				want("src/login.go:5 src/web.go:3 docs/login.md:3")
			}

			if err := os.Remove(filepath.Join(w.Root, "src/web.go")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("/etc/passwd", filepath.Join(w.Root, "src/web.go")); err != nil {
				t.Fatal(err)
			}
			want("src/login.go:5 docs/login.md:3")
			add("add", "-A")
			want("src/login.go:5 docs/login.md:3")

			// So much changes that the two segments become one.
			for i := range grown + 5 {
				put(t, w.Root, fmt.Sprintf("many/f%d.go", i), "package many\n")
			}
			add("add", "-A")
			want("src/login.go:5 docs/login.md:3")
			if c.cache {
				if ix, _ := w.open(); ix.Delta.Docs+len(ix.Dead) > 0 {
					t.Error("the segments did not become one")
				}
			}
			if err := os.RemoveAll(filepath.Join(w.Root, "many")); err != nil {
				t.Fatal(err)
			}
			add("add", "-A")
			want("src/login.go:5 docs/login.md:3")

			if got := ask(t, w, "kubernetes ingress", 5); got != "" {
				t.Errorf("found %s for nothing", got)
			}
			if got := ask(t, w, "", 5); got != "" {
				t.Errorf("found %s for no question", got)
			}
		})
	}
}

// TestWhereIsOnlyACache damages what is kept: the answer stays.
func TestWhereIsOnlyACache(t *testing.T) {
	w := &Where{Root: t.TempDir(), Dir: t.TempDir()}
	put(t, w.Root, "login.go", "package a\n\nfunc Login() {}\n")
	put(t, w.Root, "other.go", strings.Repeat("var a1, b2, cc, dd, ee, ff = gg, hh, ii, jj, kk, ll\n", 9))
	ask(t, w, "login", 1)
	put(t, w.Root, "login2.go", "package a\n")
	ask(t, w, "login", 1)
	for _, name := range []string{indexName, filepath.Base(kept.Base(indexName))} {
		path := filepath.Join(w.Dir, name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(good); at += 7 {
			bad := append([]byte{}, good...)
			bad[at] ^= 0x55
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			hits, err := w.Find(t.Context(), "login", 2)
			if err != nil {
				t.Fatalf("%s, byte %d: %v", name, at, err)
			}
			if len(hits) != 2 || hits[0].Path != "login.go" || hits[1].Path != "login2.go" {
				t.Fatalf("%s, byte %d: %+v", name, at, hits)
			}
			if err := os.WriteFile(path, good, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.RemoveAll(w.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := ""
	w.Note = func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
	if got := ask(t, w, "login", 1); got != "login.go:3" || !strings.Contains(said, "not kept") {
		t.Errorf("with a file in the cache's place: %q, said %q", got, said)
	}
}

func TestWhereHit(t *testing.T) {
	w := &Where{Root: t.TempDir()}
	path := put(t, w.Root, "env/prod.conf", "# Login\n\nlogin   password=hunter2hunter2 "+
		strings.Repeat("word ", 60)+"\n")
	put(t, w.Root, "login.bin", "login\x00")
	when := time.Date(2026, 4, 23, 10, 30, 0, 0, time.UTC)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
	hits, err := w.Find(t.Context(), "login password", 5)
	if err != nil || len(hits) != 2 {
		t.Fatal(hits, err)
	}
	h := hits[0]
	if h.Path != "env/prod.conf" {
		h = hits[1]
	}
	if h.Source != "WHERE" || h.Line != 3 || h.Date != "2026-04-23T10:30:00Z" ||
		strings.Contains(h.Text, "hunter2") || len([]rune(h.Text)) > textRunes {
		t.Errorf("%+v", h)
	}
	if got := ask(t, w, "hunter2hunter2", 5); got != "" {
		t.Errorf("a secret is in the index, of %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Find(ctx, "login", 5); err == nil {
		t.Error("a cancelled question was answered")
	}
}

// TestWhereInThisRepository asks for things in Keepsake's own files: each is to be
// among the first three, and most are the first.
func TestWhereInThisRepository(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	w := &Where{Root: root}
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		w.Git = gitOf(t)
	}
	w.Dir = t.TempDir()
	first := 0
	questions := map[string]string{
		"where is the lock of the store taken":             "pkg/store/lock.go",
		"where are secrets redacted":                       "pkg/secret/secret.go",
		"which file has the config schema":                 "pkg/project/config/schema.go",
		"where do we parse bash commands":                  "pkg/gate/shell/shell.go",
		"where is the redo log written":                    "pkg/store/redo.go",
		"file that renders the Stop feedback":              "pkg/brief/stop.go",
		"where are drafts parsed":                          "pkg/capture/draft/draft.go",
		"where is the failure ledger":                      "pkg/journal/ledger.go",
		"undo a plan":                                      "cmd/keepsake/undo.go",
		"where is install-mempalace":                       "e2e/install-mempalace.sh",
		"how to add a trigger word":                        "CONTRIBUTING.md",
		"json schema of a decision":                        "assets/schemas/decision.schema.json",
		"exit codes table":                                 "cmd/keepsake/exit.go",
		"where is the rolling window of session summaries": "pkg/memory/upkeep/upkeep.go",
		"StageBase":                        "pkg/layout/stagebase.go",
		"merge driver of git":              "pkg/git/setup.go",
		"where do transcripts get read":    "pkg/client/transcript/transcript.go",
		"rules of the house about imports": "house_test.go",
		"stemmer":                          "pkg/text/stem.go",
		"why one store for all worktrees":  "docs/adr/0008-one-store-for-all-worktrees.md",
		"where is the digest of a plan":    "pkg/plan/plan.go",
		"doctor checks of the gate":        "pkg/doctor/doctor.go",
	}
	for question, want := range questions {
		hits, err := w.Find(t.Context(), question, 3)
		if err != nil {
			t.Fatal(err)
		}
		at := -1
		var got []string
		for i, h := range hits {
			got = append(got, fmt.Sprintf("%s:%d", h.Path, h.Line))
			if h.Path == want {
				at = i
			}
		}
		switch at {
		case 0:
			first++
		case -1:
			t.Errorf("%q: %v, want %s", question, got, want)
		}
	}
	t.Logf("%d of %d first", first, len(questions))
	if first < len(questions)*2/3 {
		t.Errorf("only %d of %d questions find their file first", first, len(questions))
	}
}

// TestWhereOfBrokenGit: where git can't say what it tracks, nothing else is searched
// in its place, and the error says what to do.
func TestWhereOfBrokenGit(t *testing.T) {
	w := &Where{Root: t.TempDir(), Git: gitOf(t)}
	put(t, w.Root, "parse.go", "package parse\n")
	if _, err := w.Git(t.Context(), w.Root, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	put(t, w.Root, ".git/index", "garbage")
	hits, err := w.Find(t.Context(), "parse", 5)
	if want := "hint: git status in " + w.Root; len(hits) > 0 || err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, %v, want %q", hits, err, want)
	}
}
