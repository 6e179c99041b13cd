package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// boxes puts programs in the place of the client's sandbox: they say that it runs, as does, or not.
func boxes(t *testing.T, does string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bwrap", "socat", "sandbox-exec"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+does+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("SANDBOX_RUNTIME", "")
	for _, name := range []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"MEMPALACE_CONFIG_DIR", "MEMPALACE_PALACE_PATH", "MEMPALACE_PALACE", "MEMPAL_PALACE_PATH"} {
		t.Setenv(name, "")
	}
}

func sandboxLock(typed string, more ...string) (out, errs, shown string, code int) {
	return answering(typed, time.Now(), append([]string{"gate", "install-lock", "--sandbox"}, more...)...)
}

func TestSandboxLockAndBack(t *testing.T) {
	boxes(t, "exit 0")
	const on = `"enabled": true, "failIfUnavailable": true, "allowUnsandboxedCommands": false`
	for name, tt := range map[string]struct{ before, typed string }{
		"no settings": {"", "y\ny\n"},
		"settings":    {"{\n\t\"model\": \"opus\", \"z\": \"\\u00e9\"\n}", "y\ny\n"},
		"switched off": {`{"sandbox": {"enabled": false, "allowUnsandboxedCommands": true, ` +
			`"filesystem": {"denyWrite": ["/mine"]}}}`, "y\ny\n"},
		"a sandbox": {"{\n  \"sandbox\": {" + on + "}\n}\n", "y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := lockHome(t, tt.before)
			home := filepath.Dir(filepath.Dir(path))
			palace := filepath.Join(t.TempDir(), "elsewhere")
			t.Setenv("MEMPALACE_PALACE_PATH", palace)
			asksTwice := strings.Count(tt.typed, "y") == 2
			if asksTwice {
				out, _, shown, _ := sandboxLock("y\nn\n")
				if !strings.Contains(out, "nothing was changed") || readText(t, path) != tt.before ||
					!strings.Contains(shown, "caches of builds too") {
					t.Fatalf("one yes is enough: %q, %s", out, readText(t, path))
				}
			}
			out, errs, shown, code := sandboxLock(tt.typed)
			if code != exitDone || errs != "" || !strings.Contains(out, "the lock is in "+path) ||
				!strings.Contains(shown, "keepsake notes promote works too") ||
				strings.Contains(shown, "You have no sandbox yet") != asksTwice {
				t.Fatalf("exit %d, %q, %q, %s", code, out, errs, shown)
			}
			var is struct {
				Sandbox struct {
					Enabled, FailIfUnavailable, AllowUnsandboxedCommands *bool
					Filesystem                                           struct{ DenyWrite []string }
				}
			}
			if err := json.Unmarshal([]byte(readText(t, path)), &is); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{home + "/.mempalace", home + "/.config/mempalace", palace,
				home + "/.local/share/keepsake/drawers", home + "/.local/state/keepsake",
				home + "/.config/keepsake", home + "/.claude/keepsake"} {
				if !slices.Contains(is.Sandbox.Filesystem.DenyWrite, want) {
					t.Errorf("%s is not read-only: %q", want, is.Sandbox.Filesystem.DenyWrite)
				}
			}
			if s := is.Sandbox; !*s.Enabled || !*s.FailIfUnavailable || *s.AllowUnsandboxedCommands {
				t.Errorf("no wall: %s", readText(t, path))
			}
			if out, _, _, code := sandboxLock(""); code != exitDone || !strings.Contains(out, "already") {
				t.Errorf("again: exit %d, %q", code, out)
			}
			if _, errs, _, code := sandboxLock("y\n", "--remove"); code != exitDone ||
				readText(t, path) != tt.before {
				t.Errorf("removed: exit %d, %q; the file is\n%s", code, errs, readText(t, path))
			}
			if out, _, _, _ := sandboxLock("", "--remove"); !strings.Contains(out, "put no sandbox") {
				t.Errorf("removed again: %q", out)
			}
		})
	}
}

// TestSandboxLockBesideRules: each of the two locks is taken out without the other.
func TestSandboxLockBesideRules(t *testing.T) {
	boxes(t, "exit 0")
	const own = "{\n  \"model\": \"opus\"\n}\n"
	path := lockHome(t, own)
	for _, removed := range [][]string{{"--remove"}, {"--sandbox", "--remove"}} {
		answering("y\n", time.Now(), "gate", "install-lock")
		sandboxLock("y\ny\n")
		if text := readText(t, path); !strings.Contains(text, `"ask"`) || !strings.Contains(text, `"denyWrite"`) {
			t.Fatalf("not both: %s", text)
		}
		answering("y\n", time.Now(), append([]string{"gate", "install-lock"}, removed...)...)
		text := readText(t, path)
		if strings.Contains(text, `"ask"`) == (len(removed) == 1) ||
			strings.Contains(text, `"denyWrite"`) == (len(removed) == 2) {
			t.Errorf("%q: %s", removed, text)
		}
		answering("y\n", time.Now(), "gate", "install-lock", "--remove")
		sandboxLock("y\n", "--remove")
		if text := readText(t, path); text != own {
			t.Errorf("%q: %s", removed, text)
		}
	}
}

// TestSandboxLockRefused: what cancels the lock is named, and nothing is written.
func TestSandboxLockRefused(t *testing.T) {
	boxes(t, "exit 0")
	for text, want := range map[string]string{
		`{"sandbox":{"filesystem":{"allowWrite":["/"]}}}`:            "opens / for Bash",
		`{"sandbox":{"filesystem":{"allowWrite":["~/.mempalace"]}}}`: "opens ~/.mempalace for Bash",
		`{"permissions":{"allow":["Edit(//**)"]}}`:                   "opens //** for Bash",
		`{"sandbox":[]}`: "sandbox is no object",
	} {
		path := lockHome(t, text)
		if _, errs, _, code := sandboxLock("y\ny\n"); code != exitFailed || !strings.Contains(errs, want) ||
			readText(t, path) != text {
			t.Errorf("%s: exit %d, %q", text, code, errs)
		}
	}
	path := lockHome(t, `{"sandbox":{"excludedCommands":["docker *"]}}`)
	if out, _, _, _ := sandboxLock("", "--dry-run"); !strings.Contains(out, "run outside: docker *") ||
		!strings.Contains(out, "nothing was changed") || strings.Contains(readText(t, path), "denyWrite") {
		t.Errorf("%q", out)
	}
	if runtime.GOOS == "darwin" {
		return // where the sandbox is only looked for
	}
	boxes(t, "echo no namespaces >&2; exit 1")
	if _, errs, _, code := sandboxLock("y\ny\n"); code != exitFailed ||
		!strings.Contains(errs, "can't run here") || !strings.Contains(errs, "hint: install bubblewrap") {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// TestSandboxDoctor: doctor sees whether the lock holds.
func TestSandboxDoctor(t *testing.T) {
	boxes(t, "exit 0")
	path := lockHome(t, "")
	project := t.TempDir()
	says := func(want string) {
		t.Helper()
		out, _, _, _ := answering("", time.Now(), "--project", project, "doctor")
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	says("ok    sandbox   off; keepsake gate install-lock --sandbox")
	sandboxLock("y\ny\n")
	locked := readText(t, path)
	says("ok    sandbox   Bash can't write to 6 folders (tried)")
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(path, strings.Replace(locked, `/.mempalace"`, `/.mempalaces"`, 1))
	says("bad   sandbox   not read-only in the sandbox: " + filepath.Dir(filepath.Dir(path)) + "/.mempalace")
	put(path, strings.Replace(locked, `"failIfUnavailable": true,`, "", 1))
	says("bad   sandbox   the settings lost what the lock in the sandbox put there: " +
		"sandbox.failIfUnavailable: true")
	put(path, locked)
	theirs := filepath.Join(project, ".claude", "settings.json")
	put(theirs, `{"sandbox":{"enabled":false,"filesystem":{"allowWrite":["/"]},"excludedCommands":["git *"]}}`)
	says("bad   sandbox   " + theirs + " cancels the lock in the sandbox: sandbox.enabled: false")
	says("bad   sandbox   " + theirs + " opens / for Bash")
	says("note  sandbox   outside of the sandbox, by sandbox.excludedCommands, run git *")
	put(theirs, "{}")
	if runtime.GOOS == "darwin" {
		return
	}
	boxes(t, "echo /h/.mempalace")
	says("bad   sandbox   in a sandbox /h/.mempalace can be written although it is read-only there")
	boxes(t, "exit 1")
	says("bad   sandbox   the client's sandbox can't run here: exit status 1")
}
