package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// memories are the hooks in a project with a usual directory of the client's own
// memory, 30 files: when nothing in it changed, and when one file did.
func (w *world) memories() ([]bench, error) {
	here := w.in("with-memories")
	if err := os.MkdirAll(here.project, 0o755); err != nil {
		return nil, err
	}
	client := filepath.Join(w.dir, "home", ".claude", "projects",
		regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(here.project, "-"))
	dir := filepath.Join(client, "memory")
	if err := memoryFiles(dir, 30); err != nil {
		return nil, err
	}
	transcript := filepath.Join(client, "m.jsonl")
	from, err := w.transcript("m.jsonl", 2, 0)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(from, transcript); err != nil {
		return nil, err
	}
	start := event(map[string]any{"session_id": "m", "transcript_path": transcript, "cwd": here.project,
		"hook_event_name": "SessionStart", "source": "startup"})
	prompt := event(map[string]any{
		"session_id": "m", "transcript_path": transcript, "cwd": here.project,
		"hook_event_name": "UserPromptSubmit", "permission_mode": "default",
		"prompt": "please rename the helper in the importer and run its tests again",
	})
	read := event(map[string]any{
		"session_id": "m", "transcript_path": transcript, "cwd": here.project,
		"hook_event_name": "PreToolUse", "permission_mode": "default",
		"tool_name": "Read", "tool_input": map[string]any{"file_path": filepath.Join(dir, "teams",
			"feedback_billing_0.md")}, "tool_use_id": "toolu_1",
	})
	agent := event(map[string]any{
		"session_id": "m", "transcript_path": transcript, "cwd": here.project,
		"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "code-reviewer",
	})
	again, err := here.session("m", transcript, nil)
	if err != nil {
		return nil, err
	}
	n := 0
	changed := func() error {
		n++
		return os.WriteFile(filepath.Join(dir, "new.md"), []byte(strings.Repeat("One more line.\n", n)),
			0o644)
	}
	return []bench{
		{name: "SessionStart, 30 memory files", aim: "<= 4", argv: w.hook("SessionStart"),
			stdin: start, world: here},
		{name: "SessionStart, one of them changed", aim: "<= 4", argv: w.hook("SessionStart"),
			stdin: start, prepare: changed, world: here},
		{name: "UserPromptSubmit, 30 memory files", aim: "<= 3", argv: w.hook("UserPromptSubmit"),
			stdin: prompt, world: here},
		{name: "UserPromptSubmit, one of them changed", aim: "<= 4",
			argv: w.hook("UserPromptSubmit"), stdin: prompt, prepare: changed, world: here},
		{name: "SubagentStart, 30 memory files", aim: "<= 2", argv: w.hook("SubagentStart"),
			stdin: agent, world: here},
		{name: "Stop, 30 memory files", aim: "<= 3", argv: w.hook("Stop"),
			stdin: w.stopEvent("m", transcript), prepare: again, world: here},
		{name: "PreToolUse, Read of a memory file", aim: "<= 2", argv: w.hook("PreToolUse"),
			stdin: read, world: here},
	}, nil
}
