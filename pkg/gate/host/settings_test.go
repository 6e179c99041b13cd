package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSettings: only the person's own file loosens a checkpoint, and no variable
// puts another file in its place.
func TestSettings(t *testing.T) {
	const at = rules.TopicWrite
	set := func(word string) string { return `{"gate":{"` + at + `":"` + word + `"}}` }
	for name, tc := range map[string]struct {
		own, project, moved, variable string
		want                          rules.Decision
	}{
		"nothing said":                    {want: rules.Ask},
		"the person loosens":              {own: "off", want: rules.Pass},
		"the person tightens":             {own: "deny", want: rules.Deny},
		"a project loosens":               {project: "off", want: rules.Ask},
		"a project tightens":              {own: "off", project: "deny", want: rules.Deny},
		"a variable loosens":              {variable: "off", want: rules.Ask},
		"a variable tightens":             {variable: "deny", want: rules.Deny},
		"a moved file loosens":            {moved: "off", want: rules.Ask},
		"a moved file tightens":           {own: "off", moved: "deny", want: rules.Deny},
		"a moved file hides what is deny": {own: "deny", moved: "off", want: rules.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			t.Setenv("KEEPSAKE_GATE_BEFORE_TOPIC_WRITE", tc.variable)
			project := filepath.Join(home, "project")
			for path, word := range map[string]string{
				filepath.Join(home, ".config", "keepsake", "config.json"):         tc.own,
				filepath.Join(project, ".claude", "memory", "memory-config.json"): tc.project,
				filepath.Join(project, "elsewhere", "keepsake", "config.json"):    tc.moved,
			} {
				if word != "" {
					write(t, path, set(word))
				}
			}
			if tc.moved != "" {
				t.Setenv("XDG_CONFIG_HOME", filepath.Join(project, "elsewhere"))
			}
			e := rules.Event{ProjectDir: project,
				Transcript: filepath.Join(home, ".claude", "projects", "-p", "s.jsonl")}
			if got := Call(e).Settings(at); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

// TestClientElsewhere: the client's folder is where the transcript lies, whatever a
// variable says, and beside one that is no home's .claude nobody's settings are found.
func TestClientElsewhere(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	project := filepath.Join(home, "project")
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(project, ".claude"))
	write(t, filepath.Join(project, ".config", "keepsake", "config.json"),
		`{"gate":{"before_topic_write":"off"}}`)
	client := filepath.Join(project, "client")
	c := Call(rules.Event{ProjectDir: project,
		Transcript: filepath.Join(client, "projects", "-p", "s.jsonl")})
	if c.ClientDir != client {
		t.Errorf("the client's folder is %s, want %s", c.ClientDir, client)
	}
	if got := c.Settings(rules.TopicWrite); got != rules.Ask {
		t.Errorf("%v, want ask", got)
	}
}

// TestClientInTheProject: a client whose folder lies in the project has no settings
// of a person beside it. Whoever made the project could have put them there.
func TestClientInTheProject(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "project")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, at := range []string{project, filepath.Join(project, "sub")} {
		write(t, filepath.Join(at, ".config", "keepsake", "config.json"),
			`{"gate":{"before_topic_write":"off"}}`)
		c := Call(rules.Event{ProjectDir: project,
			Transcript: filepath.Join(at, ".claude", "projects", "-p", "s.jsonl")})
		if got := c.Settings(rules.TopicWrite); got != rules.Ask {
			t.Errorf("below %s: %v, want ask", at, got)
		}
	}
}

// TestClientBehindALink: a home that a link leads into the project is the project's, also before it is made.
func TestClientBehindALink(t *testing.T) {
	base := t.TempDir()
	project := filepath.Join(base, "project")
	if err := errors.Join(os.Mkdir(project, 0o755), os.Symlink(filepath.Join(project, "home"),
		filepath.Join(base, "home"))); err != nil {
		t.Fatal(err)
	}
	e := rules.Event{Cwd: project, ProjectDir: project,
		Transcript: filepath.Join(base, "home", ".claude", "projects", "p", "s.jsonl")}
	if home := clientHome(e); home != "" {
		t.Errorf("%s is taken for the person's home", home)
	}
}

// TestPluginRoot: the plugin is where its program lies, whatever a variable says.
func TestPluginRoot(t *testing.T) {
	t.Setenv("CLAUDE_PLUGIN_ROOT", t.TempDir())
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got := Call(rules.Event{}).PluginRoot()
	if rest, err := filepath.Rel(got, exe); got == "" || err != nil || !filepath.IsLocal(rest) {
		t.Errorf("the plugin is in %q, its program is %s", got, exe)
	}
	t.Setenv("CLAUDE_PLUGIN_ROOT", "/nowhere")
	if again := Call(rules.Event{}).PluginRoot(); again != got {
		t.Errorf("a variable moved the plugin to %q", again)
	}
}

func TestAutoMemory(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	write(t, filepath.Join(home, ".claude", "settings.json"), `{"autoMemoryDirectory":"~/notes"}`)
	write(t, filepath.Join(home, "p", ".claude", "settings.local.json"),
		`{"autoMemoryDirectory":"/srv/memory"}`)
	write(t, filepath.Join(home, "p", ".claude", "settings.json"), `nope`)
	got := Call(rules.Event{ProjectDir: filepath.Join(home, "p"),
		Transcript: filepath.Join(home, ".claude", "projects", "-p", "s.jsonl")}).AutoMemory()
	if len(got) != 2 || got[0] != filepath.Join(home, "notes") || got[1] != "/srv/memory" {
		t.Errorf("%q", got)
	}
	// The person's memdir.dir is one too, and a project's is none.
	t.Setenv("XDG_CONFIG_HOME", "")
	write(t, filepath.Join(home, ".config", "keepsake", "config.json"), `{"memdir":{"dir":"~/mine"}}`)
	write(t, filepath.Join(home, "p", ".claude", "memory", "memory-config.json"),
		`{"memdir":{"dir":"/srv/theirs"}}`)
	got = Call(rules.Event{ProjectDir: filepath.Join(home, "p"),
		Transcript: filepath.Join(home, ".claude", "projects", "-p", "s.jsonl")}).AutoMemory()
	if len(got) != 3 || got[2] != filepath.Join(home, "mine") {
		t.Errorf("%q", got)
	}
}

// TestReorganised: calls are counted by session and prompt, also at once.
func TestReorganised(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	project := t.TempDir()
	call := func(session, prompt string) func() int {
		return Call(rules.Event{Session: session, Prompt: prompt, ProjectDir: project}).Reorganised
	}
	if call("s", "") != nil || call("", "p") != nil {
		t.Error("a call that does not run is counted")
	}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() { call("s1", "p1")() })
	}
	wg.Wait()
	for i, want := range []int{6, 7, 1, 1, 2, 1} {
		c := []func() int{call("s1", "p1"), call("s1", "p1"), call("s2", "p1"), call("s1", "p2"),
			call("s1", "p2"), call("s1", "p1")}[i]
		if got := c(); got != want {
			t.Errorf("step %d: %d, want %d", i, got, want)
		}
	}
}

// TestReorganisedDenied: a call that somebody else denied counts only for as long as calls that are made at
// once may take, and one that ran counts whenever it did.
func TestReorganisedDenied(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	client := t.TempDir()
	e := rules.Event{Session: "s", Prompt: "p", ProjectDir: t.TempDir(),
		Transcript: filepath.Join(client, "projects", "x", "s.jsonl")}
	place := layout.Project(e.ProjectDir, "")
	state := layout.DirsFor(place, e.Transcript).Of(place.Home)
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		after time.Duration
		ran   string // it has run before the next one is judged
		want  int
	}{{0, "", 1}, {time.Second, "", 2}, {time.Minute, "u1", 2}, {time.Second, "", 3},
		{time.Minute, "u2", 3}} {
		if step.ran != "" {
			if err := os.Remove(layout.Counted(client, step.ran)); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(step.after)
		e.UseID = fmt.Sprintf("u%d", i)
		if got, err := count(state, e, now); got != step.want || err != nil {
			t.Errorf("call %d: %d, %v, want %d", i, got, err, step.want)
		}
	}
	e.Prompt = "q"
	if got, err := count(state, e, now); got != 1 || err != nil {
		t.Errorf("after the next prompt: %d, %v", got, err)
	}
	left, _ := os.ReadDir(filepath.Dir(layout.Counted(client, "u")))
	if len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}
