package save

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/project/session"
)

// newSession opens a session of a new project, in a home of its own.
func newSession(t *testing.T) *session.Session {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"XDG_RUNTIME_DIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR"} {
		t.Setenv(v, "")
	}
	project := filepath.Join(dir, "p")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := session.In(project, "s1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
