package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// fiveThings are what a person says in a turn with five findings.
const fiveThings = `We decided to keep the job queue in Postgres instead of Redis, because jobs must survive a restart.

From now on always use pnpm, never npm, in this repository.

The API only allows 60 requests per minute by design, and that is a hard limit.

We skip retries for now, that is tech debt we leave for later.

We decided to deploy with Nomad because Kubernetes is too much for two people.`

// captures are Stops of a turn with five findings, and the command that writes one of
// them up: in a project with an empty journal, and beside one of n findings.
func (w *world) captures(n int) ([]bench, error) {
	draft, err := json.Marshal(map[string]any{"covers": []int{1}, "category": "decision",
		"title": "Keep the job queue in Postgres", "tags": []string{"queue"},
		"content": map[string]any{"status": "accepted", "context": "Jobs must survive a restart.",
			"decision": "Postgres instead of Redis.", "rationale": []string{"Jobs must survive a restart"}}})
	if err != nil {
		return nil, err
	}
	var all []bench
	for _, size := range []int{0, n} {
		id, in := "five", ""
		if size > 0 {
			id, in = "many", " beside 100,000 findings"
		}
		// A transcript of its own: of one that another session has read, as a fork has it, nothing is noticed
		// twice.
		path := filepath.Join(w.dir, id+".jsonl")
		line := event(map[string]any{
			"type": "user", "uuid": fmt.Sprintf("00000000-0000-4000-9000-%012d", size+1),
			"timestamp": "2026-11-20T09:00:00.000Z", "promptSource": "typed",
			"origin": map[string]any{"kind": "human"}, "message": map[string]any{"role": "user",
				"content": fiveThings},
		})
		if err := os.WriteFile(path, append(line, '\n'), 0o600); err != nil {
			return nil, err
		}
		start, err := w.session(id, path, func(s map[string]any) { s["fresh"] = true })
		if err != nil {
			return nil, err
		}
		state, err := w.state(id)
		if err != nil {
			return nil, err
		}
		log := filepath.Join(filepath.Dir(filepath.Dir(state)), "journal.jsonl")
		length, written := int64(0), size == 0
		again := func() error {
			if !written { // not before: the row without it empties the journal before each run
				if err := writeJournal(log, size); err != nil {
					return err
				}
				info, err := os.Stat(log)
				if err != nil {
					return err
				}
				length, written = info.Size(), true
				// As in any project with a past: somebody has read the whole journal before.
				if _, _, err := w.once([]string{filepath.Join(w.bin, "keepsake"), "inbox"}, nil); err != nil {
					return err
				}
			}
			// One that is cut to nothing and written again is flushed when it is closed (ext4).
			put := func() error { return os.Truncate(log, length) }
			if length == 0 {
				put = func() error { return os.Remove(log) }
			}
			if err := put(); err != nil && !os.IsNotExist(err) {
				return err
			}
			return start()
		}
		stop := bench{name: "Stop, five findings" + in, aim: "<= 4", argv: w.hook("Stop"),
			stdin: w.stopEvent(id, path), prepare: again}
		all = append(all, stop)
		if size == 0 {
			forget := func() error {
				if err := os.RemoveAll(filepath.Join(w.project, ".claude", "memory")); err != nil {
					return err
				}
				if err := again(); err != nil {
					return err
				}
				_, _, err := w.once(stop.argv, stop.stdin)
				return err
			}
			keepsake := filepath.Join(w.bin, "keepsake")
			all = append(all, bench{name: "keepsake remember, one finding", aim: "<= 15",
				argv:    []string{keepsake, "--session", id, "remember", strings.TrimSpace(string(draft))},
				prepare: forget})
		}
	}
	return all, nil
}
