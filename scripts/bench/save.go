package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// saveFsyncs is how many fsyncs planning and applying six drafts takes: one for
// each of the six records, the session summary that leaves the window, index.md
// and the log, one for each of seven folders, and three for the names of the log.
// Planning makes none. Counted after some saves, and to be counted again when
// package store changes, with
//
//	strace -f -c -e trace=fsync,fdatasync keepsake apply DIGEST
const saveFsyncs = 19

// settings let a category hold as many records as there are.
const settings = `{"max_memories_per_category": 0}`

// saves are planning and applying six new drafts, one of each category, in a
// project of n records: in two calls as the skill does, and in one.
func (w *world) saves(n int, aim string) ([]bench, error) {
	here, err := w.at(n)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(here.project, ".claude", "memory", "memory-config.json"),
		[]byte(settings), 0o644); err != nil {
		return nil, err
	}
	keepsake := filepath.Join(w.bin, "keepsake")
	if _, _, err := here.once([]string{keepsake, "index", "rebuild"}, nil); err != nil {
		return nil, err
	}
	id := fmt.Sprint("save-", n)
	if _, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil); err != nil {
		return nil, err
	}
	desk, err := here.desk(id)
	if err != nil {
		return nil, err
	}
	here.env = append(here.env, "CLAUDE_CODE_SESSION_ID="+id)
	rng := rand.New(rand.NewSource(int64(n)))
	count := 0
	drafts := func() error {
		if count++; count > 1 {
			if left, err := os.ReadDir(desk); err == nil && len(left) > 0 {
				return fmt.Errorf("%s: the last save left %s", desk, left[0].Name())
			}
		}
		return putDrafts(desk, rng, count)
	}
	// Beside the records, so that it is the same disk and as full a folder.
	base := []string{w.fsyncs, filepath.Join(here.project, ".claude", "memory", "decisions"),
		fmt.Sprint(saveFsyncs)}
	// The digest is the last word that plan prints.
	both := []string{"/bin/sh", "-c", `said=$("$0" plan) && exec "$0" apply "${said##* }"`, keepsake}
	return []bench{
		{name: fmt.Sprintf("plan and apply of 6 drafts, %d records", n), aim: aim, argv: both,
			prepare: drafts, base: base, world: here},
		{name: fmt.Sprintf("keepsake commit of 6 drafts, %d records", n), aim: aim,
			argv: []string{keepsake, "commit"}, prepare: drafts, base: base, world: here},
	}, nil
}

// desk is the folder of a session's stage, by the word of its state.
func (w *world) desk(id string) (string, error) {
	path, err := w.state(id)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var state struct{ Stage string }
	err = json.Unmarshal(b, &state)
	return state.Stage, err
}

// putDrafts leaves one draft of each category on a stage, as drafters write them.
func putDrafts(desk string, rng *rand.Rand, number int) error {
	if err := os.MkdirAll(desk, 0o700); err != nil {
		return err
	}
	t := func(n int) string { return text(rng, n) }
	for category, content := range map[string]map[string]any{
		"session_summary": {"goal": t(12), "outcome": "success", "completed": []string{t(8), t(8)},
			"next_actions": []string{t(8)}},
		"decision": {"status": "accepted", "context": t(20), "decision": t(12),
			"rationale": []string{t(12)}},
		"runbook": {"trigger": t(10), "steps": []string{t(8), t(8)}, "verification": t(8)},
		"constraint": {"kind": "limitation", "rule": t(15), "impact": []string{t(10)},
			"severity": "high", "active": true},
		"tech_debt": {"status": "open", "priority": "low", "description": t(20),
			"reason_deferred": t(10)},
		"preference": {"topic": t(3), "value": t(12), "reason": t(12), "strength": "soft"},
	} {
		title := fmt.Sprintf("%s %s, number %d", t(3), strings.ReplaceAll(category, "_", " "), number)
		draft := event(map[string]any{
			"category": category, "intended_action": "create", "new_info_summary": title + ".",
			"partial_content": map[string]any{"title": title, "tags": []string{t(1), t(1)}, "confidence": 0.8,
				"change_summary": "first", "content": content},
		})
		if err := os.WriteFile(filepath.Join(desk, "intent-"+category+".json"), draft, 0o600); err != nil {
			return err
		}
	}
	return nil
}
