package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/project/session"
)

// TestClearGone: what is known of a project that is gone goes after a yes of a person,
// and of nobody else.
func TestClearGone(t *testing.T) {
	base := t.TempDir()
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run"} {
		if err := os.MkdirAll(filepath.Join(base, d), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(env, filepath.Join(base, d))
	}
	project := filepath.Join(base, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := session.In(project, "s1")
	if err == nil {
		err = s.Update(func(*stage.State) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	states := func() int {
		all, err := filepath.Glob(filepath.Join(base, "state", "keepsake", "project-*",
			"sessions", "s1.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	later := time.Now().Add(100 * 24 * time.Hour)
	if out, _, shown, code := answering("y\n", later, "doctor",
		"--clear-gone"); out != "no project is gone\n" || shown != "" || code != 0 {
		t.Errorf("%q, %q, exit %d", out, shown, code)
	}
	if err := os.Remove(project); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	agent := person{func() error { return session.ErrNested },
		func() (io.ReadWriteCloser, error) { return &tty{typed: strings.NewReader("y\n")}, nil }, nil}
	code := run(&call{ctx: context.Background(), args: []string{"doctor", "--clear-gone"}, cwd: "/",
		now: func() time.Time { return later }, voice: voice{out: &o, err: &e}, person: agent})
	if code != exitPerson || states() != 1 {
		t.Errorf("an agent: exit %d, %q", code, e.String())
	}
	if out, _, shown, _ := answering("n\n", later, "doctor", "--clear-gone"); !strings.HasPrefix(out,
		"kept: ") || !strings.Contains(shown, project+" is gone.") || states() != 1 {
		t.Errorf("no: %q, %q", out, shown)
	}
	if out, _, _, code := answering("y\n", later, "doctor", "--clear-gone"); !strings.HasPrefix(out,
		"cleared: ") || code != 0 || states() != 0 {
		t.Errorf("yes: %q, exit %d", out, code)
	}
}
