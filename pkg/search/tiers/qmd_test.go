package tiers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeQMD puts a qmd on the path that is this shell script, and returns where it
// notes what it was asked.
func fakeQMD(t *testing.T, script string) (asked string) {
	t.Helper()
	bin := t.TempDir()
	asked = filepath.Join(bin, "asked")
	text := "#!/bin/sh\nprintf '%s|' \"$@\" >>" + asked + "\necho >>" + asked + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(bin, "qmd"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	return asked
}

func TestQMD(t *testing.T) {
	root := real(t, t.TempDir())
	put(t, root, "src/login.ts", "x\n")
	put(t, root, "notes.md", "x\n")
	put(t, root, ".claude/memory/decisions/a.json", "{}")
	outside := put(t, t.TempDir(), "other.md", "x\n")
	asked := fakeQMD(t, `case "$2" in "login handler") echo '[]';; *) cat <<'END'
[{"score":0.64,"file":"./src/login.ts","line":3,"title":"login","snippet":"@@ -2,4 @@ (1 before, 3 after)\n\nimport x\n  the Login  handler password=hunter2hunter2\n"},
 {"score":0.5,"file":"qmd://p/gone.md","docid":"#1","line":1,"title":"gone","snippet":""},
 {"score":0.4,"file":"`+outside+`","line":1,"title":"outside","snippet":""},
 {"score":0.4,"file":"../../../../etc/passwd","line":1,"title":"outside","snippet":""},
 {"score":0.35,"file":"./.claude/memory/decisions/a.json","line":1,"title":"a","snippet":""},
 {"score":0.3,"file":"`+root+`/notes.md","title":"Notes"}]
END
esac`)
	q := QMD{Root: root, Collections: []string{"p", "q r"}}
	hits, err := q.Find(t.Context(), "where is the login handler", 5)
	if err != nil || len(hits) != 2 {
		t.Fatal(hits, err)
	}
	for i, want := range []string{
		"WHERE src/login.ts:3 the Login handler password=[redacted] 0.90",
		"WHERE notes.md:0 Notes 0.90",
	} {
		h := hits[i]
		if got := fmt.Sprintf("%s %s:%d %s %.2f", h.Source, h.Path, h.Line, h.Text, h.Score); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	want := "search|login handler|--json|--full-path|-n|15|-c|p|-c|q r|\nsearch|handler|--json|--full-path|" +
		"-n|15|-c|p|-c|q r|\n"
	if got := get(t, filepath.Dir(asked), "asked"); got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
	if hits, err := q.Find(t.Context(), "", 5); len(hits) != 0 || err != nil {
		t.Errorf("no question: %v %v", hits, err)
	}
}

// TestQMDOfMany: where a collection above the project is full of its neighbours,
// what the project has is found all the same.
func TestQMDOfMany(t *testing.T) {
	root := real(t, t.TempDir())
	put(t, root, "notes.md", "x\n")
	fakeQMD(t, `echo '['
n=1
while [ $n -lt $6 ]; do echo '{"score":0.9,"file":"../b/l.md"},'; n=$((n+1)); [ $n -gt 40 ] && break; done
[ $6 -gt 40 ] && echo '{"score":0.1,"file":"./notes.md"}]' || echo '{"score":0.9,"file":"../b/l.md"}]'`)
	hits, err := QMD{Root: root, Collections: []string{"mono"}}.Find(t.Context(), "login", 5)
	if err != nil || len(hits) != 1 || hits[0].Path != "notes.md" {
		t.Errorf("%+v, %v", hits, err)
	}
}

// TestQMDOfGoneFiles: where QMD knows only files that are gone, that is told, and
// what helps; where something is there, it is shown and nothing else said.
func TestQMDOfGoneFiles(t *testing.T) {
	root := real(t, t.TempDir())
	put(t, root, "notes.md", "x\n")
	said := ""
	q := QMD{Root: root, Collections: []string{"p"}, Warn: func(err error) { said += err.Error() + "\n" }}
	fakeQMD(t, `echo '[{"score":0.9,"file":"qmd://p/gone.md"},{"score":0.5,"file":"qmd://p/too.md"}]'`)
	hits, err := q.Find(t.Context(), "where is the login handler", 5)
	if want := "qmd: what it found is gone (2 of its files); hint: qmd update has it look " +
		"again\n"; len(hits) != 0 || err != nil || said != want {
		t.Errorf("%v, %v, said %q, want %q", hits, err, said, want)
	}
	said = ""
	fakeQMD(t, `echo '[{"score":0.9,"file":"qmd://p/gone.md"},{"score":0.5,"file":"./notes.md"}]'`)
	if hits, err := q.Find(t.Context(), "where is the login handler", 5); len(hits) != 1 || err != nil ||
		said != "" {
		t.Errorf("%v, %v, said %q", hits, err, said)
	}
}

// TestQMDInTrouble: whatever is wrong with it is told, with what helps, and
// nothing is found.
func TestQMDInTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"crash":          {"kill -SEGV $$", []string{"Node older than 22", instead}},
		"crash, by code": {"exit 139", []string{"Node older than 22"}},
		"no bun": {"echo 'exec: bun: not found' >&2; exit 127",
			[]string{"can't start", "npm install -g @tobilu/qmd"}},
		"no collection": {"echo 'Collection not found: p' >&2; exit 1",
			[]string{"Collection not found: p", "qmd collection list"}},
		"killed": {"kill -KILL $$",
			[]string{"qmd: was stopped by a signal (killed)", "qmd status"}},
		"killed, by code": {"exit 143", []string{"qmd: was stopped by a signal (terminated)", instead}},
		"corrupt index": {"echo '/x.js:9' >&2; echo 'throw y' >&2; echo 'SqliteError: file is not a " +
			"database' >&2; echo '  at x' >&2; exit 1",
			[]string{"exit code 1: SqliteError: file is not a database;", "qmd status"}},
		"garbage": {"echo 'Expanding query...'; echo '{'",
			[]string{`answered "Expanding query... {"`, instead}},
		"nothing":            {"true", []string{`answered ""`}},
		"null":               {"echo null", []string{`answered "null"`, instead}},
		"silent":             {"exit 3", []string{"exit code 3: it said nothing;", "qmd status"}},
		"another JSON":       {`echo '{"results":[]}'`, []string{"no list of results"}},
		"results of no file": {`echo '[{"docid":"#1"}]'`, []string{"a result without a file"}},
		"endless":            {"yes '[1,2,3]' | head -c 9000000", []string{"more than 4 MB"}},
	} {
		t.Run(name, func(t *testing.T) {
			fakeQMD(t, c.script)
			hits, err := QMD{Root: t.TempDir(), Collections: []string{"p"}}.Find(t.Context(), "login", 5)
			if err == nil || len(hits) > 0 {
				t.Fatalf("%v, %v", hits, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := QMD{Root: t.TempDir(), Collections: []string{"p"}}.Find(t.Context(), "login", 5)
		if err == nil || !strings.Contains(err.Error(), "hint: npm install -g @tobilu/qmd@2.8.3") {
			t.Errorf("%v", err)
		}
	})
	t.Run("the project's own", func(t *testing.T) {
		fakeQMD(t, "echo '[]'")
		root, _, _ := strings.Cut(os.Getenv("PATH"), ":")
		_, err := QMD{Root: real(t, root), Collections: []string{"p"}}.Find(t.Context(), "login", 5)
		if err == nil || !strings.Contains(err.Error(), "belongs to the project") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a name for a shell", func(t *testing.T) {
		fakeQMD(t, "echo '[]'")
		_, err := QMD{Root: "/srv/Ann's shop"}.Find(t.Context(), "login", 5)
		if err == nil || !strings.Contains(err.Error(),
			`hint: qmd collection add '/srv/Ann'\''s shop' --name ann-s-shop `) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no collection of this project", func(t *testing.T) {
		fakeQMD(t, "echo '[]'")
		_, err := QMD{Root: "/srv/shop"}.Find(t.Context(), "login", 5)
		if err == nil || !strings.Contains(err.Error(), "hint: qmd collection add '/srv/shop' --name shop") {
			t.Errorf("%v", err)
		}
	})
}

// TestQMDIsKilled: at the end of its time it is gone with all that it started,
// also where a child holds the pipe.
func TestQMDIsKilled(t *testing.T) {
	asked := fakeQMD(t, `sleep 600 & echo $! >"$0.child"; wait`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := QMD{Root: t.TempDir(), Collections: []string{"p"}}.Find(ctx, "login", 5)
	if err == nil || !strings.Contains(err.Error(), "did not answer") ||
		!strings.Contains(err.Error(), instead) {
		t.Errorf("%v", err)
	}
	var child int
	if _, err := fmt.Sscan(get(t, filepath.Dir(asked), "qmd.child"), &child); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err = syscall.Kill(child, 0); err != nil || zombie(child) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("its child %d lives", child)
}

// zombie tells a process that has ended and waits for its parent, which is not us.
func zombie(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(b), ") Z ")
}

func TestPickWhere(t *testing.T) {
	root := real(t, t.TempDir())
	config := t.TempDir()
	t.Setenv("QMD_CONFIG_DIR", config)
	none := t.TempDir()
	fakeQMD(t, "exit 1")
	with := os.Getenv("PATH")
	for _, c := range []struct {
		setting, path, settings string
		backend, why            string
		collections             string
	}{
		{"auto", none, "", "embedded", "qmd is not installed", ""},
		{"auto", with, "", "embedded", "qmd has no collection of this project", ""},
		{"auto", with, "collections:\n  other:\n    path: /elsewhere\n", "embedded", "has no collection", ""},
		{"auto", with, "collections:\n  shop:\n    path: " + root + "\n    pattern: '**/*.md'\n", "qmd",
			"has a collection", "shop"},
		{"auto", with, "collections:\n  \"a b\":\n    path: \"" + root +
			"/docs\"\n    context:\n      path: /x\n  up:\n    path: '" + filepath.Dir(root) +
			"'\nmodels:\n  x:\n    path: " + root + "\n", "qmd", "has a collection", "a b,up"},
		{"auto", with, "collections: [\x00", "embedded", "has no collection", ""},
		{"embedded", with, "collections:\n  shop:\n    path: " + root + "\n", "embedded",
			"tiers.where is embedded", ""},
		{"qmd", with, "", "qmd", "tiers.where is qmd", ""},
		{"qmd", none, "", "qmd", "tiers.where is qmd", ""},
	} {
		t.Setenv("PATH", c.path)
		put(t, config, "index.yml", c.settings)
		got := PickWhere(c.setting, root)
		if got.Backend != c.backend || !strings.Contains(got.Why, c.why) ||
			strings.Join(got.Collections, ",") != c.collections {
			t.Errorf("%s, %q: %+v", c.setting, c.settings, got)
		}
	}
	// A project's own settings of QMD go before the person's.
	put(t, config, "index.yml", "collections:\n  mine:\n    path: "+root+"\n")
	put(t, root, ".qmd/index.yml", "collections:\n  its:\n    path: "+root+"/docs\n")
	if got := Collections(filepath.Join(root, "docs")); strings.Join(got, ",") != "its" {
		t.Errorf("%v", got)
	}
}

// real is a folder without links in its path.
func real(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
