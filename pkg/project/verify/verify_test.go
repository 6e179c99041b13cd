package verify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// project makes a project of files.
func project(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *Project {
	t.Helper()
	p, err := Open(dir, "2026-11-28")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func parse(t *testing.T, line string) memory.Check {
	t.Helper()
	c, err := memory.ParseCheck(line)
	if err != nil {
		t.Fatal(line, err)
	}
	return c
}

func TestEvaluate(t *testing.T) {
	dir := project(t, map[string]string{
		"a/b.go": "package a\n\nfunc Push() {}\n", "a/c.go": "package a\n\ntype Queue struct{}\n",
		"go.mod":       "module m\n\ngo 1.26\n\nrequire github.com/jackc/pgx/v5 v5.6.0\n",
		"package.json": `{"dependencies": {"react": "^18.2.0", "any": "*"}}`,
		"config.yaml":  "pool: 20\n", "broken/package.json": "{",
	})
	p := open(t, dir)
	p.Ancestor = func(commit string) (bool, error) {
		if commit == "bad0bad" {
			return false, errors.New("git takes too long")
		}
		return commit == "abcdef1", nil
	}
	for line, want := range map[string]Result{
		"path_exists a/b.go":                   {Holds, ""},
		"path_exists a":                        {Holds, ""},
		"path_exists a/d.go":                   {Fails, "a/d.go is gone"},
		"path_exists x/y/z.go":                 {Fails, "x/y/z.go is gone"},
		"path_exists a/b.go/c":                 {Fails, "a/b.go/c is gone"},
		`file_contains config.yaml "pool: 20"`: {Holds, ""},
		`file_contains config.yaml "pool: 30"`: {Fails, `config.yaml no longer has "pool: 30"`},
		`file_contains none.yaml x`:            {Fails, "none.yaml is gone"},
		"file_contains a x":                    {Unknown, "a is no regular file"},
		"requires go.mod go 1.26":              {Holds, ""},
		"requires go.mod go 1.27":              {Fails, "go.mod requires go 1.26, not 1.27 or later"},
		"requires go.mod github.com/jackc/pgx/v4 v4.1": {Fails,
			"go.mod no longer requires github.com/jackc/pgx/v4"},
		"requires package.json react 17 below 18": {Fails,
			"package.json requires react 18.2.0, no longer below 18"},
		"requires package.json react 18 below 19": {Holds, ""},
		"requires package.json any 1": {Unknown,
			"package.json does not say which version of any it requires"},
		"requires broken/package.json react 1": {Unknown, "broken/package.json can't be read"},
		"requires pyproject.toml django 5":     {Fails, "pyproject.toml is gone"},
		"symbol_defined a/b.go Push":           {Holds, ""},
		"symbol_defined a Queue":               {Holds, ""},
		"symbol_defined a Stack":               {Fails, "a no longer defines Stack"},
		"symbol_defined a/b.go Queue":          {Fails, "a/b.go no longer defines Queue"},
		"symbol_defined none Push":             {Fails, "none is gone"},
		"commit_ancestor abcdef1":              {Holds, ""},
		"commit_ancestor abcdef2":              {Fails, "HEAD does not have commit abcdef2 in its history"},
		"commit_ancestor bad0bad":              {Unknown, "git takes too long"},
		"before 2026-11-29":                    {Holds, ""},
		"before 2026-11-28":                    {Fails, "2026-11-28 has come"},
	} {
		if got := p.Evaluate(parse(t, line)); got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
	if got := open(t, dir).Evaluate(parse(t, "commit_ancestor abcdef1")); got.Verdict != Unknown {
		t.Errorf("without git: %+v", got)
	}
}

// TestReadsNothingElse: nothing outside of the project is looked at, and nothing waits.
func TestReadsNothingElse(t *testing.T) {
	outside := project(t, map[string]string{"secret.txt": "the secret", "go.mod": "module x\n\ngo 1.26\n"})
	dir := project(t, map[string]string{"in/a.txt": "a"})
	for name, to := range map[string]string{"link": outside, "file.txt": filepath.Join(outside, "secret.txt"),
		"go.mod": filepath.Join(outside, "go.mod"), "in/loop": "loop", "gone.txt": "nowhere",
		"proc": "/proc"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"fifo", "in/fifo.go"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "huge.txt", strings.Repeat("x", maxFile+1))
	if err := os.Truncate(filepath.Join(dir, "huge.txt"), 1<<40); err != nil {
		t.Log("no sparse file of a terabyte here:", err)
	}
	write(t, dir, "many/x.go", "package many\n")
	for i := range maxFolder {
		write(t, dir, "many/f"+strings.Repeat("i", i%200)+string(rune('a'+i/200))+".go", "package many\n")
	}
	p := open(t, dir)
	begun := time.Now()
	for line, why := range map[string]string{
		`file_contains file.txt "the secret"`:  "file.txt is no regular file",
		`file_contains link/secret.txt secret`: "link/secret.txt leads through a link, which is not followed",
		`path_exists link/secret.txt`:          "link/secret.txt leads through a link, which is not followed",
		`path_exists link/none.txt`:            "link/none.txt leads through a link, which is not followed",
		"path_exists proc/self/environ": "proc/self/environ leads through a link, which is not " +
			"followed",
		"requires go.mod go 1.26":    "go.mod is no regular file",
		"file_contains fifo x":       "fifo is no regular file",
		"file_contains huge.txt x":   "huge.txt has more than 1024 KiB",
		"file_contains in/loop x":    "in/loop is no regular file",
		"symbol_defined link Secret": "link is no regular file",
		"symbol_defined many Secret": "many: it has more than 400 files",
	} {
		c := parse(t, line)
		if got := p.Evaluate(c); got != (Result{Unknown, why}) {
			t.Errorf("%s: %+v, want %s", line, got, why)
		}
		p.State(c, "")
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	// The link itself is there, wherever it leads.
	if got := p.Evaluate(parse(t, "path_exists gone.txt")); got.Verdict != Holds {
		t.Errorf("%+v", got)
	}
	// No grammar lets these through; a check that was made otherwise reads nothing either.
	for _, path := range []string{"../" + filepath.Base(outside) + "/secret.txt", outside + "/secret.txt",
		"in/../../x", "."} {
		c := memory.Check{Kind: memory.FileContains, Path: path, Name: "secret"}
		if got := p.Evaluate(c); got.Verdict != Unknown {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// TestState: it is another one whenever a verdict may be another one.
func TestState(t *testing.T) {
	dir := project(t, map[string]string{"a/b.go": "package a\n\nfunc Push() {}\n", "c.txt": "x",
		"go.mod": "module m\n\ngo 1.26\n"})
	state := func(line, head, today string) string {
		p, err := Open(dir, today)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		return p.State(parse(t, line), head)
	}
	for line, change := range map[string]func(){
		"path_exists c.txt":                func() { os.Remove(filepath.Join(dir, "c.txt")) },
		"file_contains a/b.go Push":        func() { write(t, dir, "a/b.go", "package a\n") },
		"symbol_defined a Push":            func() { write(t, dir, "a/d.go", "package a\n") },
		"requires go.mod go 1.26":          func() { write(t, dir, "go.mod", "module m\n\ngo 1.27.0\n") },
		`file_contains a/b.go "package a"`: func() { os.Remove(filepath.Join(dir, "a/b.go")) },
	} {
		was := state(line, "h", "2026-11-28")
		if again := state(line, "h2", "2026-11-29"); again != was || was == "" {
			t.Errorf("%s: %q and %q", line, was, again)
		}
		change()
		if now := state(line, "h", "2026-11-28"); now == was {
			t.Errorf("%s: still %q", line, was)
		}
	}
	if state("before 2027-01-01", "h", "2026-11-28") == state("before 2027-01-01", "h", "2026-11-29") ||
		state("commit_ancestor abcdef1", "h", "") == state("commit_ancestor abcdef1", "i", "") {
		t.Error("a day, and HEAD, are states")
	}
}

func TestExpired(t *testing.T) {
	dir := project(t, map[string]string{"docs/v2.md": "",
		"package.json": `{"dependencies": {"react": "^19.0.0"}}`,
		"go.mod":       "module m\n\ngo 1.26\n"})
	p := open(t, dir)
	p.Ancestor = func(commit string) (bool, error) { return commit == "abcdef1", nil }
	for s, want := range map[string]string{
		"2026-11-27": "2026-11-27 is past", "2026-11-28": "", "2027-01-01": "",
		"commit abcdef1": "HEAD has commit abcdef1", "commit abcdef2": "",
		"react 19": "package.json requires react 19.0.0", "react 20": "",
		"go 1.26": "go.mod requires go 1.26",
		"Go 1.26": "go.mod requires Go 1.26", "React 19": "package.json requires React 19.0.0",
		"path_exists docs/v2.md": "path_exists docs/v2.md holds", "path_exists docs/v3.md": "",
		"not path_exists old.go": "old.go is gone", "not path_exists docs/v2.md": "",
	} {
		e, acts := memory.ParseExpiry(s)
		if !acts {
			t.Fatal(s)
		}
		if got := p.Expired(e); (got.Verdict == Fails) != (want != "") || got.Why != want {
			t.Errorf("%s: %+v, want %q", s, got, want)
		}
		if p.ExpiryState(e, "h") == "" {
			t.Errorf("%s has no state", s)
		}
	}
	if vue, _ := memory.ParseExpiry("vue 3"); p.Expired(vue) != (Result{Unknown, "no manifest names vue"}) {
		t.Errorf("vue 3: %+v", p.Expired(vue))
	}
	// What git can't tell is not known, and is asked again.
	p.Ancestor = func(string) (bool, error) { return false, errors.New("git took too long") }
	e, _ := memory.ParseExpiry("commit abcdef1")
	if got := p.Expired(e); got.Verdict != Unknown {
		t.Errorf("%+v", got)
	}
}
