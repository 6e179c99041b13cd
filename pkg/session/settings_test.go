package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPersonal: variables that lead into the project, as its settings can set them,
// bring nobody's own settings; others do.
func TestPersonal(t *testing.T) {
	top := t.TempDir()
	file := func(dir, value string) string {
		name := filepath.Join(top, dir, "keepsake", "config.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(`{"memdir":{"dir":"`+value+`"}}`), 0o600)); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(top, dir)
	}
	file("home/.config", "/mine")
	file("project/.config", "/theirs")
	inside, elsewhere := file("project/conf", "/theirs"), file("dotfiles", "/moved")
	if err := os.Symlink(inside, filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	home, project := filepath.Join(top, "home"), filepath.Join(top, "project")
	transcript := filepath.Join(home, ".claude", "projects", "-p", "s1.jsonl")
	for name, c := range map[string]struct{ home, config, project, transcript, want string }{
		"as it is":              {home, "", project, transcript, "/mine"},
		"the person's variable": {home, elsewhere, project, transcript, "/moved"},
		"into the project":      {home, inside, project, transcript, "/mine"},
		"behind a link":         {home, filepath.Join(top, "link"), project, transcript, "/mine"},
		"home in the project":   {project, "", project, transcript, "/mine"},
		"nobody knows better":   {home, inside, project, "", "/theirs"},
		"a session in the home": {home, "", home, transcript, "/mine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", c.home)
			t.Setenv("XDG_CONFIG_HOME", c.config)
			t.Setenv("XDG_STATE_HOME", t.TempDir())
			t.Setenv("CLAUDE_PROJECT_DIR", c.project)
			s, err := Open(Call{ID: "s1", Transcript: c.transcript, Cwd: c.project})
			if err != nil {
				t.Fatal(err)
			}
			if s.Config.Memdir.Dir != c.want {
				t.Errorf("%s, want %s", s.Config.Memdir.Dir, c.want)
			}
			moved := c.want == "/mine" && (c.home != home || c.config != "")
			if told := strings.Contains(strings.Join(s.Warnings, "\n"), "lies in the project"); told != moved {
				t.Errorf("told %t: %q", told, s.Warnings)
			}
		})
	}
}

// TestBeside: no plan that a project brings along is finished among the memories.
func TestBeside(t *testing.T) {
	top := t.TempDir()
	home, project := filepath.Join(top, "home"), filepath.Join(top, "project")
	if err := errors.Join(os.MkdirAll(home, 0o755), os.MkdirAll(project, 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_PROJECT_DIR", project)
	for state, want := range map[string]string{
		"":                              filepath.Join(home, ".local", "state", "keepsake", "notes"),
		filepath.Join(project, "state"): filepath.Join(home, ".local", "state", "keepsake", "notes"),
		filepath.Join(top, "state"):     filepath.Join(top, "state", "keepsake", "notes"),
	} {
		t.Setenv("XDG_STATE_HOME", state)
		s, err := Open(Call{ID: "s1", Transcript: filepath.Join(home, ".claude", "projects", "-p", "s1.jsonl"), Cwd: project})
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Dir(s.Beside(s.MemoryDir())); got != want {
			t.Errorf("%q: %s, want %s", state, got, want)
		}
	}
}

// TestEnviron: a variable that counts as the person's does not where the project sets it.
func TestEnviron(t *testing.T) {
	t.Setenv("KEEPSAKE_CAPTURE_DIGEST", "auto")
	for text, want := range map[string]bool{
		"": true, `{"env":{"OTHER":"1"}}`: true, `{"env":{"KEEPSAKE_CAPTURE_DIGEST":"auto"}}`: false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		env := strings.Join(Environ(filepath.Join(dir, "memory", "memory-config.json")), "\n")
		if strings.Contains(env, "KEEPSAKE_CAPTURE_DIGEST=auto") != want {
			t.Errorf("%s: want %t", text, want)
		}
	}
}
