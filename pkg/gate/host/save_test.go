package host

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// script makes a program of a line of sh.
func script(t *testing.T, path, does string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+does+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestRunSave: what takes the place of the call prints, byte for byte, what the save printed, and ends as it
// ended.
func TestRunSave(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "keepsake")
	e := rules.Event{Session: "s1", Cwd: dir,
		Args: []byte(`{"command":"x","description":"keep it","timeout":7,"run_in_background":true,` +
			`"dangerouslyDisableSandbox":true}`)}
	for does, want := range map[string]struct {
		out, errs string
		code      int
	}{
		`echo "$PWD $* $CLAUDE_CODE_SESSION_ID $CLAUDECODE"`: {dir + " notes save it's 'x' s1 1\n", "", 0},
		`cat; echo said >&2; exit 5`:                         {"on $stdin\n`x`", "said\n", 5},
		`printf 'a\tb\\n%%s\n\033[1mé\000z'`:                 {"a\tb\\n%s\n\x1b[1mé\x00z", "", 0},
		`exit 3`:                                             {"", "", 3}, `true`: {"", "", 0},
	} {
		script(t, program, does)
		input, err := runSave(t.Context(), program, e,
			rules.Command{Args: []string{"notes", "save", "it's 'x'"}, Stdin: "on $stdin\n`x`"})
		var in map[string]any
		if err = errors.Join(err, json.Unmarshal(input, &in)); err != nil {
			t.Fatalf("%s: %v", does, err)
		}
		if len(in) != 3 || in["description"] != "keep it" || in["timeout"] != 7.0 {
			t.Errorf("%s: %v", does, in)
		}
		cmd := exec.Command("bash", "-c", in["command"].(string))
		var errs strings.Builder
		cmd.Stderr = &errs
		out, _ := cmd.Output()
		// no shell prints what ends its strings
		if string(out) != strings.ReplaceAll(want.out, "\x00", "") &&
			string(out) != want.out[:max(0, strings.IndexByte(want.out, 0))] || errs.String() != want.errs ||
			cmd.ProcessState.ExitCode() != want.code {
			t.Errorf("%s: %q, %q, exit %d", does, out, errs.String(), cmd.ProcessState.ExitCode())
		}
	}
	script(t, program, "head -c 100000 /dev/zero | tr '\\0' x\n")
	if input, err := runSave(t.Context(), program, e, rules.Command{}); err != nil ||
		len(input) > maxSaid+200 || !strings.Contains(string(input), "… 67232 bytes more") {
		t.Errorf("%d bytes, %v", len(input), err)
	}
}

// TestSearched: a program of the project takes no other one's place.
func TestSearched(t *testing.T) {
	base := t.TempDir()
	project := filepath.Join(base, "p")
	link := filepath.Join(base, "link")
	err := errors.Join(os.MkdirAll(filepath.Join(project, "bin"), 0o700), os.Symlink(project, link))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join([]string{".", "", project + "/bin", link + "/bin", base, "/usr/bin",
		project}, string(filepath.ListSeparator)))
	e := rules.Event{ProjectDir: project, Cwd: project}
	if got := searched(e, rules.Command{}); got != base+string(filepath.ListSeparator)+"/usr/bin" {
		t.Error(got)
	}
	if got := searched(e, rules.Command{Alone: true}); got != "" {
		t.Error(got)
	}
}

func TestRunSaveFails(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "keepsake")
	e := rules.Event{Cwd: dir, Args: []byte(`{"command":"x"}`)}
	if input, err := runSave(t.Context(), program, e, rules.Command{}); input != nil || err != nil {
		t.Errorf("a program that is missing: %s, %v", input, err)
	}
	script(t, program, "kill -9 $$\n")
	if input, err := runSave(t.Context(), program, e, rules.Command{}); input != nil || err == nil {
		t.Errorf("a save that was killed: %s, %v", input, err)
	}
	script(t, program, "echo x; exec sleep 100\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if input, err := runSave(ctx, program, e, rules.Command{}); input != nil && err == nil {
		t.Errorf("a save that never ends: %s, %v", input, err)
	}
}

// TestSandboxed: the sandbox counts by whichever file switches it on, and a rule about Bash or Keepsake is
// left to the client.
func TestSandboxed(t *testing.T) {
	base := t.TempDir()
	client, project := filepath.Join(base, ".claude"), filepath.Join(base, "p")
	e := rules.Event{Transcript: layout.Transcript(client, project, "s"), ProjectDir: project,
		Args: []byte(`{"command":"/opt/bin/keepsake remember x"}`)}
	files := layout.SettingsOf(client, project)
	for i, file := range files[:3] {
		for text, want := range map[string]bool{
			`{"sandbox":{"enabled":true}}`: true, `{"sandbox":{"enabled":false}}`: false, `[`: false,
			`{"sandbox":{"enabled":true},"permissions":{"deny":["Bash(*keepsake*)"]}}`:   false,
			`{"sandbox":{"enabled":true},"permissions":{"deny":["Bash(* remember *)"]}}`: false,
			`{"sandbox":{"enabled":true},"permissions":{"ask":["Bash(* forget *)"]}}`:    true,
		} {
			write(t, file, text)
			if got := Sandboxed(e); got != want {
				t.Errorf("%s: %s: %v", file, text, got)
			}
		}
		write(t, file, `{"sandbox":{"enabled":true}}`)
		other := files[(i+1)%3]
		write(t, other, `{"permissions":{"ask":["Bash"]}}`)
		if Sandboxed(e) {
			t.Errorf("a rule of %s is passed over", other)
		}
		for _, f := range []string{file, other} {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestWalled: all scopes together make a wall, or don't.
func TestWalled(t *testing.T) {
	base := t.TempDir()
	client, project := filepath.Join(base, ".claude"), filepath.Join(base, "p")
	e := rules.Event{Transcript: layout.Transcript(client, project, "s"), ProjectDir: project,
		Args: []byte(`{"command":"/opt/bin/keepsake remember x"}`)}
	files := layout.SettingsOf(client, project)
	write(t, files[0], `{"sandbox":{"enabled":true,"failIfUnavailable":true}}`)
	if Walled(e) {
		t.Error("a command may ask to run outside")
	}
	for text, want := range map[string]bool{
		`{"sandbox":{"allowUnsandboxedCommands":false}}`:                                   true,
		`{"sandbox":{"allowUnsandboxedCommands":false,"enabled":false}}`:                   false,
		`{"sandbox":{"allowUnsandboxedCommands":false,"excludedCommands":["keepsake *"]}}`: false,
	} {
		write(t, files[2], text)
		if got := Walled(e); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
