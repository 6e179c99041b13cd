package session

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/stage"
)

// TestPersonal: variables that lead into the project, as its settings can set them,
// bring nobody's own settings; others do.
func TestPersonal(t *testing.T) {
	top := t.TempDir()
	file := func(dir, value string) string {
		name := filepath.Join(top, dir, "keepsake", "config.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755),
			os.WriteFile(name, []byte(`{"memdir":{"dir":"`+value+`"}}`), 0o600)); err != nil {
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
			if told := strings.Contains(strings.Join(s.Warnings, "\n"),
				"lies in the project"); told != moved {
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
		s, err := Open(Call{ID: "s1",
			Transcript: filepath.Join(home, ".claude", "projects", "-p", "s1.jsonl"), Cwd: project})
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

// TestOwnState: what a project brings along as Keepsake's state, and has variables name,
// is nobody's; a home that is a project itself goes on working.
func TestOwnState(t *testing.T) {
	git := func(t *testing.T, dir string, args ...string) {
		t.Helper()
		if out, err := exec.Command("git",
			append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	type world struct{ top, home, project string }
	for name, c := range map[string]struct {
		set        func(t *testing.T, w *world) // variables, and what stands there
		transcript string                       // below top
		want       string                       // below top, "" where there is no place for state
	}{
		"as it is": {func(*testing.T, *world) {}, "home/.claude", "home/.local/state"},
		"the person's variable": {func(t *testing.T, w *world) {
			t.Setenv("XDG_STATE_HOME", w.top+"/state")
		}, "home/.claude", "state"},
		"a variable into the project": {func(t *testing.T, w *world) {
			t.Setenv("XDG_STATE_HOME", w.project+"/.x/state")
		}, "home/.claude", "home/.local/state"},
		"by the working directory": {func(t *testing.T, w *world) {
			t.Chdir(w.project)
			t.Setenv("XDG_STATE_HOME", "/proc/self/cwd/.x/state")
		}, "home/.claude", "home/.local/state"},
		"the home into the project": {func(t *testing.T, w *world) {
			t.Setenv("HOME", w.project+"/.x")
		}, "home/.claude", "home/.local/state"},
		"the home is the project": {func(t *testing.T, w *world) {
			t.Setenv("HOME", w.project)
		}, "home/.claude", "home/.local/state"},
		"beside a package of it": {func(t *testing.T, w *world) {
			git(t, w.project, "init", "-q")
			t.Setenv("XDG_STATE_HOME", w.project+"/.x/state")
			w.project += "/pkg"
			if err := os.MkdirAll(w.project+"/.claude/memory", 0o755); err != nil {
				t.Fatal(err)
			}
		}, "home/.claude", "home/.local/state"},
		"around a submodule": {func(t *testing.T, w *world) {
			git(t, w.project, "init", "-q")
			t.Setenv("XDG_STATE_HOME", w.project+"/.x/state")
			w.project += "/sub"
			git(t, w.top, "init", "-q", w.project)
		}, "home/.claude", "home/.local/state"},
		"another clone": {func(t *testing.T, w *world) {
			git(t, w.top, "init", "-q", "clone")
			tracked(t, w.top+"/clone/state", w.top+"/clone", git)
			t.Setenv("XDG_STATE_HOME", w.top+"/clone/state")
		}, "home/.claude", "home/.local/state"},
		"nobody knows the home": {func(t *testing.T, w *world) {
			t.Setenv("XDG_STATE_HOME", w.project+"/.x/state")
		}, "elsewhere", "project/.x/state"},
		"nobody knows the home, and git tracks it": {func(t *testing.T, w *world) {
			git(t, w.project, "init", "-q")
			tracked(t, w.project+"/.x/state", w.project, git)
			t.Setenv("XDG_STATE_HOME", w.project+"/.x/state")
		}, "elsewhere", ""},
		"a project that is the home": {func(t *testing.T, w *world) {
			git(t, w.home, "init", "-q")
			w.project = w.home
		}, "home/.claude", "home/.local/state"},
		"and a variable in it": {func(t *testing.T, w *world) {
			git(t, w.home, "init", "-q")
			w.project = w.home
			t.Setenv("XDG_STATE_HOME", w.home+"/.var/state")
		}, "home/.claude", "home/.var/state"},
		"and git tracks it": {func(t *testing.T, w *world) {
			git(t, w.home, "init", "-q")
			tracked(t, w.home+"/.local/state", w.home, git)
			w.project = w.home
		}, "home/.claude", ""},
	} {
		t.Run(name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			w := &world{top, top + "/home", top + "/project"}
			if err := errors.Join(os.MkdirAll(w.home, 0o755), os.MkdirAll(w.project, 0o755)); err != nil {
				t.Fatal(err)
			}
			t.Setenv("HOME", w.home)
			for _, v := range []string{"STATE", "CONFIG", "DATA", "CACHE"} {
				t.Setenv("XDG_"+v+"_HOME", "")
			}
			c.set(t, w)
			t.Setenv("CLAUDE_PROJECT_DIR", w.project)
			s, err := Open(Call{ID: "s1", Cwd: w.project,
				Transcript: filepath.Join(top, c.transcript, "projects", "-p", "s1.jsonl")})
			if err != nil {
				if c.want != "" || !strings.Contains(err.Error(), "no place for state") {
					t.Error(err)
				}
				return
			}
			dirs := []string{s.Dirs.State, s.Dirs.Config, s.Dirs.Data, s.Dirs.Cache}
			if want := filepath.Join(top, c.want, "keepsake"); dirs[0] != want || c.want == "" {
				t.Errorf("%s, want %s", dirs[0], want)
			}
			if c.want == "home/.local/state" && slices.ContainsFunc(dirs, func(d string) bool {
				return !strings.HasPrefix(d, w.home+"/")
			}) {
				t.Errorf("%q", dirs)
			}
		})
	}
}

// tracked has git track a state folder.
func tracked(t *testing.T, state, top string, git func(t *testing.T, dir string, args ...string)) {
	t.Helper()
	file := filepath.Join(state, "keepsake", "app", "records.jsonl")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
		os.WriteFile(file, []byte("{}\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	git(t, top, "add", "-f", file)
}

// TestHomeIn: the home is that of the client which a person started.
func TestHomeIn(t *testing.T) {
	env := map[int]map[string]string{2: {"HOME": "/project/.x"}, 4: {"HOME": "/home/me/"},
		5: {"HOME": "/root"}}
	environ := func(pid int) func(string) string {
		if env[pid] == nil {
			return nil
		}
		return func(name string) string { return env[pid][name] }
	}
	client := func(pid int) stage.Ancestor {
		return stage.Ancestor{PID: pid, Name: "claude", Args: []string{"claude"}}
	}
	shell := stage.Ancestor{PID: 3, Name: "bash", Args: []string{"bash"}}
	for _, c := range []struct {
		up   []stage.Ancestor
		want string
	}{
		{[]stage.Ancestor{shell, client(2), shell, client(4), shell}, "/home/me"},
		{[]stage.Ancestor{shell}, ""}, {nil, ""}, {[]stage.Ancestor{shell, client(9)}, ""},
	} {
		_, getenv := outermostClient(c.up, environ)
		if got := homeOf(getenv); got != c.want {
			t.Errorf("%v: %q, want %q", c.up, got, c.want)
		}
	}
}
