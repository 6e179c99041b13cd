package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/project/session"
)

// TestClearLogs: the logs of days in the client's own memory go after a yes, with their lines, and undo
// brings them back.
func TestClearLogs(t *testing.T) {
	base := t.TempDir()
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_CONFIG_DIR": "home/.claude"} {
		t.Setenv(env, filepath.Join(base, d))
	}
	project := filepath.Join(base, "project")
	if err := errors.Join(os.MkdirAll(project, 0o700),
		os.MkdirAll(filepath.Join(base, "run"), 0o700)); err != nil {
		t.Fatal(err)
	}
	s, err := session.In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	dir := s.MemoryDir()
	index, log := filepath.Join(dir, "MEMORY.md"), filepath.Join(dir, "2026-11-20.md")
	if err := errors.Join(os.MkdirAll(dir, 0o700),
		os.WriteFile(log, []byte("# 2026-11-20\n\n- 09:04 note: db.md\n"), 0o600),
		os.WriteFile(index, []byte("# Memory\n\n- [Day](2026-11-20.md) — a log\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	there := func() bool {
		_, err := os.Stat(log)
		return err == nil
	}
	args := []string{"doctor", "--clear-logs", "--project", project}
	if out, _, shown, code := answering("n\n", time.Now(), args...); code != 0 || !there() ||
		!strings.Contains(shown, "has 1 log of days") || !strings.HasPrefix(out, "kept: ") {
		t.Errorf("no: %q, %q, exit %d", out, shown, code)
	}
	out, errs, _, code := answering("y\n", time.Now(), args...)
	b, _ := os.ReadFile(index)
	if code != 0 || there() ||
		strings.TrimSpace(string(b)) != "# Memory" || !strings.HasPrefix(out, "removed: 1 log;") {
		t.Errorf("yes: %q, %q, exit %d\n%s", out, errs, code, b)
	}
	if out, _, _, code := answering("y\n", time.Now(), args...); code != 0 ||
		out != "no log of Keepsake's is in the client's own memory\n" {
		t.Errorf("again: %q, exit %d", out, code)
	}
	if _, errs, _, code := answering("y\n", time.Now(), "undo", "--dir", dir); code != 0 || !there() {
		t.Errorf("undo: %s, exit %d", errs, code)
	}
}
