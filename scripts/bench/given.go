package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// givens is a Stop in whose turn three memories were given, beside the same Stop without them. Of these it
// finds out whether the agent used their words, and whether it had them from elsewhere. The agent used one,
// which no result of its 40 calls has.
func (w *world) givens() ([]bench, error) {
	here := w.in("with-givens")
	dir := filepath.Join(here.project, ".claude", "memory", "decisions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for i := range 3 {
		b := event(map[string]any{"schema_version": "1.0", "category": "decision",
			"id": fmt.Sprint("ledger-", i), "title": fmt.Sprintf("Export the ledger, part %d", i),
			"record_status": "active", "created_at": "2026-10-02T09:00:00Z",
			"updated_at": "2026-10-02T09:00:00Z", "tags": []string{"ledger"}, "times_updated": 0,
			"content": map[string]any{"status": "accepted", "context": "The ledger is read by auditors.",
				"decision":  fmt.Sprintf("Export part %d of the ledger as Kestrel%d.", i, i),
				"rationale": []string{"auditors ask for it"}}})
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("ledger-", i, ".json")), b, 0o644); err != nil {
			return nil, err
		}
	}
	const asks = "how do we export the ledger?"
	stop := func(id string, given bool) (stdin []byte, restore func() error, err error) {
		path, err := w.transcript(id+".jsonl", 5, 0)
		if err != nil {
			return nil, nil, err
		}
		if _, err := here.session(id, path, nil); err != nil {
			return nil, nil, err
		}
		// It reads the beginning.
		if _, _, err := here.once(w.hook("Stop"), here.stopEvent(id, path)); err != nil {
			return nil, nil, err
		}
		if given {
			prompt := event(map[string]any{"session_id": id, "transcript_path": path, "cwd": here.project,
				"hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": asks})
			if _, _, err := here.once(w.hook("UserPromptSubmit"), prompt); err != nil {
				return nil, nil, err
			}
		}
		if err := givenTurn(path, id, asks); err != nil {
			return nil, nil, err
		}
		restore, err = w.keep(id)
		return here.stopEvent(id, path), restore, err
	}
	with, restoreWith, err := stop("given", true)
	if err != nil {
		return nil, err
	}
	without, restoreWithout, err := stop("not-given", false)
	if err != nil {
		return nil, err
	}
	if n, err := w.givenIn("given"); err != nil || n != 3 {
		return nil, fmt.Errorf("the prompt was given %d memories, want 3: %v", n, err)
	}
	program := strings.Join(w.hook("Stop"), " ")
	file := func(name string, b []byte) []string {
		path := filepath.Join(w.dir, name+".event")
		_ = os.WriteFile(path, b, 0o600) // else the row fails
		return []string{"/bin/sh", "-c", "exec " + program + " <" + path}
	}
	return []bench{
		{name: "Stop, 3 memories were given in its turn", aim: "<= 8", argv: w.hook("Stop"), stdin: with,
			prepare: restoreWith, world: here},
		{name: "Stop, 3 memories given against none", aim: "<= 2", argv: file("with", with),
			prepare: restoreWith, base: file("without", without), pre: restoreWithout, world: here},
	}, nil
}

// givenIn returns how many memories a session's state has that were given.
func (w *world) givenIn(id string) (int, error) {
	path, err := w.state(id)
	if err != nil {
		return 0, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var s struct{ Given []json.RawMessage }
	err = json.Unmarshal(b, &s)
	return len(s.Given), err
}

// givenTurn appends a turn of 40 calls to a transcript.
func givenTurn(path, id, asks string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	lines := 0
	record := func(v map[string]any) {
		lines++
		v["uuid"], v["timestamp"] = fmt.Sprintf("%s-%d", id, lines), "2026-11-20T09:30:00.000Z"
		out.Write(event(v))
	}
	record(map[string]any{"type": "user", "promptSource": "typed", "origin": map[string]any{"kind": "human"},
		"message": map[string]any{"role": "user", "content": asks}})
	for i := range 40 {
		call := fmt.Sprint("c", i)
		record(map[string]any{"type": "assistant", "message": map[string]any{"id": call, "role": "assistant",
			"content": []any{map[string]any{"type": "tool_use", "id": call, "name": "Read",
				"input": map[string]any{"file_path": fmt.Sprintf("/p/ledger%d.go", i)}}}}})
		record(map[string]any{"type": "user", "toolUseResult": true, "message": map[string]any{"role": "user",
			"content": []any{map[string]any{"type": "tool_result", "tool_use_id": call,
				"content": strings.Repeat("func step() error { return nil }\n", 60)}}}})
	}
	record(map[string]any{"type": "assistant", "message": map[string]any{"id": "end", "role": "assistant",
		"content": []any{map[string]any{"type": "text", "text": "I write Kestrel1, as was decided."}}}})
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}
