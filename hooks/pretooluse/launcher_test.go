package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLauncher runs the command line of hooks.json as the client does, with
// programs in all states in the gate's place and an empty PATH, which a
// project's settings can give to hooks.
func TestLauncher(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	gate := filepath.Join(t.TempDir(), "gate")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", gate, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole, err := os.ReadFile(gate)
	if err != nil {
		t.Fatal(err)
	}
	const (
		ordinary = `{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
		palace   = `{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"mcp__m__mempalace_add_drawer","tool_input":{"wing":"w","room":"r","content":"c"}}`
	)
	const passes, blocks, asks = "passes", "blocks", "asks"
	for name, c := range map[string]struct {
		program  []byte // nil: missing
		mode     os.FileMode
		ordinary string
		palace   string
	}{
		"the gate":            {whole, 0o755, passes, asks},
		"missing":             {nil, 0, passes, blocks},
		"empty":               {[]byte{}, 0o755, passes, blocks},
		"not executable":      {whole, 0o644, passes, blocks},
		"crashes":             {[]byte("#!/bin/sh\nexit 1\n"), 0o755, blocks, blocks},
		"panics":              {[]byte("#!/bin/sh\nexit 2\n"), 0o755, blocks, blocks},
		"is killed":           {[]byte("#!/bin/sh\nkill -9 $$\n"), 0o755, blocks, blocks},
		"succeeds at nothing": {[]byte("#!/bin/sh\nexit 0\n"), 0o755, blocks, blocks},
		"is no program":       {[]byte("\n\n"), 0o755, blocks, blocks},
		"is cut short":        {whole[:len(whole)/3], 0o755, blocks, blocks},
		"head of it":          {whole[:100], 0o755, blocks, blocks},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, "bin", "hooks", "pretooluse")
			os.MkdirAll(filepath.Dir(path), 0o755)
			if c.program != nil {
				if err := os.WriteFile(path, c.program, c.mode); err != nil {
					t.Fatal(err)
				}
			}
			line := strings.ReplaceAll(file.Hooks["PreToolUse"][0].Hooks[0].Command, "${CLAUDE_PLUGIN_ROOT}",
				root)
			for event, want := range map[string]string{ordinary: c.ordinary, palace: c.palace} {
				cmd := exec.Command("/bin/sh", "-c", line)
				cmd.Env = []string{"PATH=/nonexistent", "HOME=" + root, "CLAUDE_CODE_ENTRYPOINT=cli"}
				cmd.Stdin = strings.NewReader(event + "\n")
				out, err := cmd.Output()
				var exit *exec.ExitError
				code := 0
				if errors.As(err, &exit) {
					code = exit.ExitCode()
				}
				got := passes
				switch {
				case code == 2:
					got = blocks
				case strings.Contains(string(out), `"permissionDecision":"ask"`):
					got = asks
				case len(out) > 0 || code != 0 && code != 90:
					got = "says " + string(out)
				}
				if got != want {
					t.Errorf("%.60s…: %s (exit %d), want %s", event, got, code, want)
				}
			}
		})
	}
}
