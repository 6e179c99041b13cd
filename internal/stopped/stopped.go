// Package stopped gives the scripts of the hooks that settle calls a call that
// the gate had let through: as a person's answer leaves it. Only tests use it.
package stopped

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// tool is the one that was called: that which stores, where a script says no other in TOOL.
func tool() string { return cmp.Or(os.Getenv("TOOL"), "mcp__m__mempalace_add_drawer") }

// Programs adds to own: taken USE ARGS, which lets a call through on an approval;
// shown USE ARGS, which asks the dialog about one; after EVENT USE ARGS RESPONSE,
// which prints the event that follows; settled, which prints what became of all.
func Programs(own map[string]func()) map[string]func() {
	maps.Copy(own, map[string]func(){"taken": taken, "shown": shown, "after": after, "settled": settled})
	return own
}

func folder() approval.Dir {
	return approval.Dir(layout.Approvals(filepath.Join(os.Getenv("HOME"), ".claude")))
}

func request() approval.Request {
	return approval.Request{
		Digest:     rules.Digest(rules.MemPalaceWrite, tool(), []byte(os.Args[2])),
		Checkpoint: rules.MemPalaceWrite, Tool: tool(),
		Session: "s1", Project: "/p", Args: []byte(os.Args[2]), Asked: time.Now(),
		Transcript: filepath.Join(os.Getenv("HOME"), ".claude", "projects", "-p", "s1.jsonl"),
	}
}

func taken() {
	r := request()
	id, _, err := folder().Ask(r)
	check(err)
	_, err = folder().Approve(id, approval.Terminal, "", time.Now())
	check(err)
	_, ok, err := folder().Take(r.Digest, "s1", "/p", os.Args[1], time.Now())
	if check(err); !ok {
		check(fmt.Errorf("%s was not taken", id))
	}
}

func shown() {
	r := request()
	id, _, err := folder().Ask(r)
	check(err)
	r.ID = id
	check(folder().Show(r, os.Args[1]))
}

func after() {
	event := map[string]any{
		"session_id": "s1", "cwd": "/", "hook_event_name": os.Args[1], "tool_name": tool(),
		"tool_use_id":     os.Args[2],
		"transcript_path": filepath.Join(os.Getenv("HOME"), ".claude", "projects", "-p", "s1.jsonl"),
		"tool_input":      json.RawMessage(os.Args[3]),
	}
	if len(os.Args) > 4 {
		event["tool_response"] = []map[string]string{{"type": "text", "text": os.Args[4]}}
	}
	b, err := json.Marshal(event)
	check(err)
	fmt.Println(string(b))
}

func settled() {
	all, err := folder().Settled(time.Time{})
	check(err)
	for _, o := range all {
		fmt.Println(o.By, o.Result, o.Stored, o.Error)
	}
	waiting, err := folder().Waiting(time.Now())
	check(err)
	fmt.Println(len(waiting), "waiting")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
