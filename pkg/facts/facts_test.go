package facts

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/checkpoint"
	"keepsake/pkg/paths"
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
	got := Call(checkpoint.Event{Session: "s1", ProjectDir: filepath.Join(work, "project")}).Stage()
	want := filepath.Join(work, "run", paths.StageName(paths.Project(filepath.Join(work, "project"), "").Home), "s1")
	if got != want {
		t.Errorf("stage %q, want %q", got, want)
	}
}
