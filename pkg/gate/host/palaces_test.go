package host

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/gate/shell"
)

// TestDrawers: what was promoted is a palace, and what was written down of it is
// Keepsake's own, wherever a project's variables say that they lie.
func TestDrawers(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "project")
	t.Setenv("HOME", home)
	judge := func(tool string, args map[string]string) rules.Verdict {
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return shell.Judge(Call(rules.Event{Tool: tool, Args: b, Cwd: project, ProjectDir: project,
			Transcript: filepath.Join(home, ".claude", "projects", "-p", "s.jsonl")}))
	}
	for _, variables := range []map[string]string{
		{},
		{"XDG_DATA_HOME": filepath.Join(project, "data"), "XDG_STATE_HOME": filepath.Join(project, "state")},
		{"HOME": project},
	} {
		t.Setenv("XDG_DATA_HOME", "")
		t.Setenv("XDG_STATE_HOME", "")
		t.Setenv("HOME", home)
		for name, value := range variables {
			t.Setenv(name, value)
		}
		drawers := []string{filepath.Join(home, ".local", "share", "keepsake", "drawers")}
		if moved := variables["XDG_DATA_HOME"]; moved != "" {
			drawers = append(drawers, filepath.Join(moved, "keepsake", "drawers"))
		}
		for _, dir := range drawers {
			write(t, filepath.Join(dir, "w", "r", "a.md"), "x")
			for _, command := range []string{
				"echo x > " + dir + "/w/r/b.md", "rm -r " + filepath.Dir(dir), "mv " + filepath.Dir(dir) +
					" /tmp/x", "rm " + dir + "/*/*/a.md",
			} {
				if v := judge("Bash",
					map[string]string{"command": command}); v.Checkpoint != rules.MemPalaceWrite {
					t.Errorf("%v: %s: %+v", variables, command, v)
				}
			}
			if v := judge("Write",
				map[string]string{"file_path": dir + "/w/r/b.md",
					"content": "x"}); v.Decision != rules.Deny || v.Checkpoint != rules.MemPalaceWrite {
				t.Errorf("%v: Write: %+v", variables, v)
			}
			for _, command := range []string{"cat " + dir + "/w/r/a.md", "grep -rn x " + dir,
				"ls " + filepath.Dir(dir)} {
				if v := judge("Bash", map[string]string{"command": command}); v.Decision != rules.Pass {
					t.Errorf("%v: %s: %+v", variables, command, v)
				}
			}
		}
		journal := filepath.Join(home, ".local", "state", "keepsake", "project-0123456789ab", "promotions",
			"a.json")
		if v := judge("Write",
			map[string]string{"file_path": journal, "content": "x"}); v.Checkpoint != rules.MemoryWrite {
			t.Errorf("%v: the journal: %+v", variables, v)
		}
	}
}
