package host

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// TestStage: a session without a state has its desk where the next one would be
// made, and a state names another.
func TestStage(t *testing.T) {
	work := t.TempDir()
	for name, dir := range map[string]string{"XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "state"} {
		path := filepath.Join(work, dir)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, path)
	}
	got := Call(rules.Event{Session: "s1", ProjectDir: filepath.Join(work, "project")}).Stage()
	want := filepath.Join(work, "run",
		layout.StageName(layout.Project(filepath.Join(work, "project"), "").Home), "s1")
	if got != want {
		t.Errorf("stage %q, want %q", got, want)
	}
	home := layout.Project(filepath.Join(work, "project"), "").Home
	sessions := filepath.Join(work, "state", "keepsake", layout.Key(home), "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		`{"version": 1, "stage": "/desk"}`:                   "/desk",
		`{"version": 99, "stage": "/desk", "client": "cli"}`: "/desk",
		`{"version": 1, "stage": "/desk", "saves": "x"}`:     "/desk",
		`{"version": 1, "stage": 7}`:                         want,
		`{"version": 1, "stage": "/desk"`:                    want,
	} {
		if err := os.WriteFile(filepath.Join(sessions, "s1.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Call(rules.Event{Session: "s1",
			ProjectDir: filepath.Join(work, "project")}).Stage(); got != want {
			t.Errorf("%s: stage %q, want %q", file, got, want)
		}
	}
}
