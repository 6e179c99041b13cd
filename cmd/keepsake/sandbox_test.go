package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSandboxHints(t *testing.T) {
	for _, err := range []error{&fs.PathError{Op: "open", Path: "/s", Err: syscall.EROFS},
		fmt.Errorf("lock /s: %w", syscall.EPERM), errors.New("no drafts"), nil} {
		refused := errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EPERM)
		for _, variable := range []string{"1", ""} {
			t.Setenv("SANDBOX_RUNTIME", variable)
			t.Setenv("CODEX_THREAD_ID", "")
			got := strings.Join(sandboxHints(err), " ")
			if strings.Contains(got, "in a terminal") != (refused && variable != "") {
				t.Errorf("%v with %q: %q", err, variable, got)
			}
		}
	}
}

// TestHalfWritten: in a sandbox that keeps the state home read-only a verb that would write memories beside
// it writes nothing.
func TestHalfWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere but in a sandbox, which TestSandboxedCalls of e2e has")
	}
	home := lockHome(t, "")
	state := filepath.Join(filepath.Dir(filepath.Dir(home)), "state")
	t.Setenv("XDG_STATE_HOME", state)
	project := t.TempDir()
	at := func(args ...string) (string, int) {
		_, errs, _, code := answering("", time.Now(), append([]string{"--project", project}, args...)...)
		return errs, code
	}
	if errs, code := at("remember", "We always use pnpm because of the lockfile."); code != exitDone {
		t.Fatalf("exit %d, %q", code, errs)
	}
	own := filepath.Join(state, "keepsake")
	if err := os.Chmod(own, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(own, 0o700) })
	t.Setenv("SANDBOX_RUNTIME", "1")
	for _, tt := range []struct {
		args []string
		ok   bool
	}{
		{[]string{"records", "retire", "we-always-use-pnpm"}, false}, {[]string{"undo"}, false},
		{[]string{"remember", "We never use yarn."}, false},
		{[]string{"records", "retire", "--dry-run", "we-always-use-pnpm"}, true}, {[]string{"list"}, true},
	} {
		errs, code := at(tt.args...)
		if (code == exitDone) != tt.ok || strings.Contains(errs, "hint: the client's sandbox") == tt.ok {
			t.Errorf("%q: exit %d, %q", tt.args, code, errs)
		}
	}
	// Codex CLI: a save keeps at least the memory; what forgets or takes back must be whole.
	t.Setenv("SANDBOX_RUNTIME", "")
	t.Setenv("CODEX_THREAD_ID", "t")
	for _, args := range [][]string{{"undo"}, {"forget", "we-always-use-pnpm"}} {
		errs, code := at(args...)
		if code == exitDone || !strings.Contains(errs, "hint: the client's sandbox") {
			t.Errorf("%q in Codex: exit %d, %q", args, code, errs)
		}
	}
	found, _ := filepath.Glob(filepath.Join(project, ".claude", "memory", "[a-z]*", "*.json"))
	if len(found) != 1 {
		t.Errorf("%q", found)
	}
}
