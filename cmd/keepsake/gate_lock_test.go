package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lockHome is a home with settings of the client, "" for none, and one server that
// has another name.
func lockHome(t *testing.T, settings string) (path string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	path = filepath.Join(home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if settings != "" {
		put(path, settings)
	}
	put(filepath.Join(home, ".claude.json"),
		`{"mcpServers":{"why":{"command":"mempalace-mcp"},"other":{"command":"x"}},"projects":{"/p":{"mcpServers":{"my palace":{"url":"http://127.0.0.1:8765/mcp"}}}}}`)
	put(filepath.Join(home, ".claude", "plugins", "cache", "m", "vwf", "1.0", ".mcp.json"),
		`{"mempalace":{"command":"x"}}`)
	return path
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func TestLockAndBack(t *testing.T) {
	const own = "{\n\t\"model\": \"opus\", \"permissions\": {\n\t\t\"ask\": [ \"Bash(rm *)\" ]\n\t}, " +
		"\"z\": \"\\u00e9\" }"
	for name, before := range map[string]string{"settings": own, "no settings": "", "blank": "\n"} {
		t.Run(name, func(t *testing.T) {
			path := lockHome(t, before)
			out, errs, shown, code := answering("y\n", time.Now(), "gate", "install-lock")
			if code != exitDone || errs != "" || !strings.Contains(out, "the lock is in "+path) {
				t.Fatalf("exit %d, %q, %q", code, out, errs)
			}
			for _, want := range []string{`+ `, `"mcp__mempalace__mempalace_add_drawer"`,
				"headless (claude -p) it stays denied", "Write " + path + "? [y]es, [n]o: "} {
				if !strings.Contains(shown, want) {
					t.Errorf("the terminal does not show %q:\n%s", want, shown)
				}
			}
			for _, rule := range []string{"mcp__plugin_mempalace_mempalace__mempalace_checkpoint",
				"mcp__why__palace_exec", "mcp__my_palace__mempalace_mine",
				"mcp__plugin_vwf_mempalace__mempalace_add_drawer"} {
				if !strings.Contains(readText(t, path), `"`+rule+`"`) {
					t.Errorf("no rule %s in\n%s", rule, readText(t, path))
				}
			}
			if strings.Contains(readText(t, path), "mcp__other") ||
				strings.Contains(readText(t, path), "mempalace_search") {
				t.Error("the lock asks before what stores nothing")
			}
			if before != "" && readText(t, path+".before-keepsake") != before {
				t.Error("the file as it was is not kept")
			}
			if out, _, _, code := answering("", time.Now(), "gate", "install-lock"); code != exitDone ||
				!strings.Contains(out, "already") {
				t.Errorf("again: exit %d, %q", code, out)
			}
			if _, errs, _, code := answering("y\n", time.Now(), "gate", "install-lock",
				"--remove"); code != exitDone || readText(t, path) != before {
				t.Errorf("removed: exit %d, %q; the file is\n%s", code, errs, readText(t, path))
			}
			if _, err := os.Stat(path); before == "" && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a file that was not there stays: %v", err)
			}
			if out, _, _, code := answering("", time.Now(), "gate", "install-lock",
				"--remove"); code != exitDone || !strings.Contains(out, "put no lock") {
				t.Errorf("removed again: exit %d, %q", code, out)
			}
		})
	}
}

// What the person changed in between stays.
func TestLockLeavesOthersChanges(t *testing.T) {
	path := lockHome(t, "{\n  \"model\": \"opus\"\n}\n")
	answering("y\n", time.Now(), "gate", "install-lock")
	with := strings.Replace(readText(t, path), `"ask": [`,
		"\"allow\": [\"Bash(ls)\"],\n    \"ask\": [\n      \"mcp__mine__x\",", 1)
	if err := os.WriteFile(path, []byte(with), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, _, code := answering("yes\n", time.Now(), "gate", "install-lock",
		"--remove"); code != exitDone {
		t.Fatalf("exit %d, %q", code, errs)
	}
	want := "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"],\n    \"ask\": " +
		"[\n      \"mcp__mine__x\"\n    ]\n  }\n}\n"
	if got := readText(t, path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLockNeedsAPerson(t *testing.T) {
	const own = `{"model":"opus"}`
	path := lockHome(t, own)
	for _, typed := range []string{"", "n\n", "y", "sure\n"} {
		if out, _, _, code := answering(typed, time.Now(), "gate", "install-lock"); code != exitDone ||
			!strings.Contains(out, "nothing was changed") || readText(t, path) != own {
			t.Errorf("%q: exit %d, %q, %s", typed, code, out, readText(t, path))
		}
	}
	var o, e bytes.Buffer
	nobody := person{alone: func() error { return errors.New("a client runs this") }}
	code := run(&call{ctx: context.Background(), args: []string{"gate", "install-lock"}, cwd: "/",
		now: time.Now, voice: voice{out: &o, err: &e}, person: nobody})
	if code != exitPerson || readText(t, path) != own {
		t.Errorf("exit %d, %q, %s", code, e.String(), readText(t, path))
	}
	if out, _, shown, code := answering("y\n", time.Now(), "gate", "install-lock",
		"--dry-run"); code != exitDone || shown != "" || !strings.Contains(out, "nothing was changed") ||
		readText(t, path) != own {
		t.Errorf("dry: exit %d, %q", code, out)
	}
	if _, _, _, code := answering("y\n", time.Now(), "gate", "install-lock", "--yes"); code != exitUsage {
		t.Errorf("--yes: exit %d", code)
	}
}

func TestLockLeavesBrokenSettings(t *testing.T) {
	for _, broken := range []string{"{", `{"permissions":[]}`, "// mine\n{}"} {
		path := lockHome(t, broken)
		if _, errs, _, code := answering("y\n", time.Now(), "gate", "install-lock"); code != exitFailed ||
			!strings.Contains(errs, path) || readText(t, path) != broken {
			t.Errorf("%s: exit %d, %q, now %s", broken, code, errs, readText(t, path))
		}
	}
}

// slowReader does something before the person answers.
type slowReader struct {
	before func()
	io.Reader
}

func (r slowReader) Read(b []byte) (int, error) {
	r.before()
	return r.Reader.Read(b)
}

// A yes is to what was shown: what somebody else writes while it is read stays.
func TestLockWritesOnlyOverWhatWasShown(t *testing.T) {
	path := lockHome(t, `{"model":"opus"}`)
	const other = `{"model":"haiku"}`
	screen := &tty{typed: slowReader{func() {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Error(err)
		}
	}, strings.NewReader("y\n")}}
	var o, e bytes.Buffer
	there := person{alone: func() error {
		return nil
	}, terminal: func() (io.ReadWriteCloser, error) { return screen, nil }}
	code := run(&call{ctx: context.Background(), args: []string{"gate", "install-lock"}, cwd: "/",
		now: time.Now, voice: voice{out: &o, err: &e}, person: there})
	if code != exitFailed || !strings.Contains(e.String(), "was changed meanwhile") ||
		readText(t, path) != other {
		t.Errorf("exit %d, %q, now %s", code, e.String(), readText(t, path))
	}
}

// Settings that are a link stay one.
func TestLockFollowsALink(t *testing.T) {
	path := lockHome(t, "")
	real := filepath.Join(t.TempDir(), "dotfiles.json")
	if err := os.WriteFile(real, []byte("{}\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	answering("y\n", time.Now(), "gate", "install-lock")
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 ||
		!strings.Contains(readText(t, real), "mcp__why__") {
		t.Errorf("%v, %v:\n%s", info, err, readText(t, real))
	}
}
