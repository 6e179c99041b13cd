package posttooluse

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/layout"
)

// TestWhatAGuardNeedsHasRun: a command counts as run once the client says that it ended without a failure.
func TestWhatAGuardNeedsHasRun(t *testing.T) {
	base := t.TempDir()
	project := filepath.Join(base, "app")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"HOME": "home", "XDG_STATE_HOME": "state",
		"XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_PROJECT_DIR": "app"} {
		t.Setenv(name, filepath.Join(base, dir))
	}
	folder := armed.Folder(layout.Load().Of(layout.Project(project, project).Home))
	if err := folder.Note(armed.Mark{At: time.Now(), Session: "s1", Record: "constraints/test.json",
		Guard: "k", What: armed.Began, Use: "toolu_1"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tool, use, response string
		ran                       int
	}{
		{"another call", "Bash", "toolu_2", `{"stdout": ""}`, 0},
		{"another tool", "Read", "toolu_1", `{}`, 0},
		{"in the background", "Bash", "toolu_1", `{"stdout": "", "backgroundTaskId": "b1"}`, 0},
		{"interrupted", "Bash", "toolu_1", `{"stdout": "", "interrupted": true}`, 0},
		{"it ran", "Bash", "toolu_1", `{"stdout": "ok", "interrupted": false}`, 1},
		{"told again", "Bash", "toolu_1", `{"stdout": "ok"}`, 1},
	} {
		in := hook.PostToolUse{Tool: c.tool, Args: []byte(`{"command": "make test"}`), UseID: c.use,
			Response: []byte(c.response)}
		in.Session, in.Cwd, in.Transcript = "s1", project, filepath.Join(base, "home", ".claude", "projects",
			"-p", "s1.jsonl")
		if _, err := answer(context.Background(), in); err != nil {
			t.Fatal(err)
		}
		marks, err := folder.Marks()
		ran := 0
		for _, m := range marks {
			if m.What == armed.Ran && m.Guard == "k" && m.Session == "s1" {
				ran++
			}
		}
		if err != nil || ran != c.ran {
			t.Errorf("%s: %d ran, want %d (%v)", c.name, ran, c.ran, err)
		}
	}
}
