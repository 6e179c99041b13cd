package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"keepsake/hooks"
)

func TestMain(m *testing.M) {
	testscript.Main(tidyRun{m}, map[string]func(){"keepsake": main, "lab": lab, "typed": typed})
}

// tidyRun runs the tests and removes the plugin that they share.
type tidyRun struct{ m *testing.M }

func (r tidyRun) Run() int {
	code := r.m.Run()
	if builtPlugin != "" {
		os.RemoveAll(builtPlugin)
	}
	return code
}

// TestScripts runs testdata/*.txtar against the real program and, in the
// stories, the real hooks. Each script has a home and XDG folders of its own; its
// directory is the project.
func TestScripts(t *testing.T) { testscript.Run(t, scripts(t, "testdata")) }

// scripts returns how the scripts of a directory are run.
func scripts(t *testing.T, dir string) testscript.Params {
	t.Helper()
	plugin := buildPlugin(t)
	// recorded from the real client by e2e
	transcript, err := filepath.Abs("../../scripts/demo/transcript.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("KEEPSAKE_GOLDEN") == "1",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exitsWith,
			"digest": digestOf, "digests": firstOf, "hook": callHook, "mcp": mcpSession},
		Condition: condition,
		Setup: func(e *testscript.Env) error {
			for _, dir := range []string{"home", "run", ".git"} {
				if err := os.MkdirAll(filepath.Join(e.WorkDir, dir), 0o700); err != nil {
					return err
				}
			}
			data, err := os.MkdirTemp("", "keepsake-data-") // drawers lie in no project
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(data) })
			e.Vars = append(e.Vars,
				"HOME="+filepath.Join(e.WorkDir, "home"), "XDG_RUNTIME_DIR="+filepath.Join(e.WorkDir, "run"),
				"XDG_CONFIG_HOME=", "XDG_DATA_HOME="+data, "XDG_STATE_HOME=", "XDG_CACHE_HOME=",
				"PLUGIN="+plugin, "HOOKS="+filepath.Join(plugin, "bin", "hooks"), "PROJECT="+e.WorkDir,
				"COLUMNS=100", "TRANSCRIPT="+transcript,
			)
			return nil
		},
	}
}

// condition is the script condition [mounts]: this user may mount what only a
// child process sees.
func condition(name string) (bool, error) {
	if name != "mounts" {
		return false, fmt.Errorf("no condition %s", name)
	}
	return exec.Command("unshare", "-rm", "true").Run() == nil, nil
}

// exitsWith is the script command "exits CODE PROGRAM ARG…": exec, and this
// exit code and no other.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if want, err := strconv.Atoi(args[0]); err != nil || code != want {
		ts.Fatalf("%s: exit code %d, want %s\n%s%s", strings.Join(args[1:], " "), code, args[0],
			ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// digestOf is the script command "digest NAME": the variable NAME becomes the
// digest in the standard output of the last keepsake plan --json.
func digestOf(ts *testscript.TestScript, neg bool, args []string) {
	var plan struct{ Digest string }
	if neg || len(args) != 1 {
		ts.Fatalf("usage: digest NAME")
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &plan))
	ts.Setenv(args[0], plan.Digest)
}

// firstOf is the script command "digests NAME": the variable NAME becomes the
// digest of the first plan in the standard output of the last keepsake history
// --json, which is its last entry.
func firstOf(ts *testscript.TestScript, neg bool, args []string) {
	var plans []struct{ Digest string }
	if neg || len(args) != 1 {
		ts.Fatalf("usage: digests NAME")
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &plans))
	ts.Setenv(args[0], plans[len(plans)-1].Digest)
}

// callHook is the script command "hook NAME SESSION [JSON]": the hook is called
// as the client does, with the event's own fields in JSON. Its answer is the
// standard output.
func callHook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: hook NAME SESSION [JSON]")
	}
	project := ts.Getenv("PROJECT")
	event := map[string]any{
		"hook_event_name": hookEvents[args[0]], "session_id": args[1], "cwd": project,
		"transcript_path": filepath.Join(project, args[1]+".jsonl"), "permission_mode": "default",
	}
	if len(args) > 2 {
		ts.Check(json.Unmarshal([]byte(args[2]), &event))
	}
	in, err := json.Marshal(event)
	ts.Check(err)
	path := ts.MkAbs("event.json")
	ts.Check(os.WriteFile(path, in, 0o600))
	for _, v := range [][2]string{
		{"CLAUDE_CODE_SESSION_ID", args[1]}, {"CLAUDE_PROJECT_DIR", project},
		{"CLAUDE_PLUGIN_ROOT", ts.Getenv("PLUGIN")}, {"CLAUDE_CODE_ENTRYPOINT", "cli"},
	} {
		old := ts.Getenv(v[0])
		ts.Setenv(v[0], v[1])
		defer ts.Setenv(v[0], old)
	}
	program, more := hooks.Call(hookEvents[args[0]])
	ts.Check(ts.Exec("sh", append([]string{"-c", `exec "$0" "$@" <event.json`,
		filepath.Join(ts.Getenv("HOOKS"), program)}, more...)...))
}

// builtPlugin is the folder that buildPlugin made.
var builtPlugin string

var hookEvents = map[string]string{
	"stop": "Stop", "sessionstart": "SessionStart", "sessionend": "SessionEnd",
	"subagentstart": "SubagentStart", "subagentstop": "SubagentStop", "userpromptsubmit": "UserPromptSubmit",
	"pretooluse": "PreToolUse", "posttooluse": "PostToolUse",
}

// releasedVersion is the version of the programs of buildPlugin, that of plugin.json. The test's own
// program is "dev".
const releasedVersion = "0.1.0"

// buildPlugin returns a folder like an installed plugin: the programs as make
// build leaves them, and the two files that doctor reads. It is built once; tests only read it.
func buildPlugin(t *testing.T) string {
	t.Helper()
	if builtPlugin != "" {
		return builtPlugin
	}
	dir, err := os.MkdirTemp("", "keepsake-plugin-")
	if err != nil {
		t.Fatal(err)
	}
	builtPlugin = dir
	for out, pkgs := range map[string][]string{"bin/": {"keepsake/cmd/keepsake"},
		"bin/hooks/": {"keepsake/hooks/..."},
		"bin/libexec/": {"keepsake/cmd/palace", "keepsake/cmd/mempalace", "keepsake/cmd/parsers",
			"keepsake/cmd/tui"}} {
		cmd := exec.Command("go", append([]string{"build",
			"-ldflags=-s -w -X keepsake/pkg/layout.version=" + releasedVersion, "-o",
			filepath.Join(dir, out) + "/"}, pkgs...)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", pkgs, err, b)
		}
	}
	for _, name := range []string{"hooks/hooks.json", ".claude-plugin/plugin.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(read(t, filepath.Join("../..", name))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestExitCodesAreDocumented holds docs/cli.md to the constants, row by row.
func TestExitCodesAreDocumented(t *testing.T) {
	text := read(t, "../../docs/cli.md")
	_, table, ok := strings.Cut(text, "## Exit codes")
	if !ok {
		t.Fatal("docs/cli.md has no section about exit codes")
	}
	var rows []string
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| ") && line[2] >= '0' && line[2] <= '9' {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	if len(rows) != len(exits) {
		t.Fatalf("docs/cli.md has %d exit codes, the program %d", len(rows), len(exits))
	}
	for i, e := range exits {
		if want := fmt.Sprintf("| %d | %s |", e.code, e.meaning); rows[i] != want {
			t.Errorf("docs/cli.md: %q, want %q", rows[i], want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSplitHints: each of several errors keeps its words apart from its hints.
func TestSplitHints(t *testing.T) {
	for said, want := range map[string][]string{
		"a":                                     {"a"},
		"a; hint: b":                            {"a", "b"},
		"a\nhint: b\nhint: c":                   {"a", "b", "c"},
		"two:\na\nb":                            {"two: a; b"},
		"a; hint: b\nc; hint: d; hint: e":       {"a; c", "b", "d", "e"},
		"a; hint: b\nc\nd; hint: b; hint: last": {"a; c; d", "b", "last"},
	} {
		if what, hints := splitHints(said); !slices.Equal(append([]string{what}, hints...), want) {
			t.Errorf("%q: %q, %q", said, what, hints)
		}
	}
}

// TestNoteIsSafe: whatever a note or an error names is one line of bounded length that no terminal obeys.
func TestNoteIsSafe(t *testing.T) {
	var b strings.Builder
	v := voice{err: &b}
	evil := "/a/\x1b]0;x\a\nb" + strings.Repeat("x", 300_000)
	v.note("settings: open %s: no such file", evil)
	v.trouble(errors.New("store: lstat "+evil+"; hint: move "+evil), nil, exitFailed)
	if said := b.String(); strings.ContainsAny(said, "\x1b\a") || strings.Count(said, "\n") != 3 ||
		len(said) > 4*maxNote {
		t.Errorf("%d bytes, %q", len(said), said[:min(len(said), 400)])
	}
}
