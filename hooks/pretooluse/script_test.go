package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepsake/internal/script"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
)

func TestMain(m *testing.M) {
	script.Main(m, map[string]func(){"pretooluse": main, "event": printEvent, "held": held, "huge": huge,
		"desk": desk, "continued": continued, "waiting": waiting, "answer": answerAll})
}

func TestScripts(t *testing.T) { script.Run(t) }

// printEvent prints a PreToolUse event: event [-agent TYPE] [-mode MODE] [-prompt ID] TOOL
// KEY=VALUE... A value is taken as it is; KEY:=VALUE takes JSON.
func printEvent() {
	e := map[string]any{
		"session_id": "s1", "cwd": os.Getenv("CLAUDE_PROJECT_DIR"), "hook_event_name": "PreToolUse",
		"permission_mode": "default", "tool_use_id": "t1",
		"transcript_path": filepath.Join(os.Getenv("HOME"), ".claude", "projects", "-project", "s1.jsonl"),
	}
	args := os.Args[1:]
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "-agent":
			e["agent_id"], e["agent_type"] = "a1", args[1]
		case "-mode":
			e["permission_mode"] = args[1]
		case "-cwd":
			e["cwd"] = args[1]
		case "-prompt":
			e["prompt_id"] = args[1]
		}
		args = args[2:]
	}
	input := map[string]any{}
	for _, a := range args[1:] {
		if k, v, ok := strings.Cut(a, ":="); ok {
			input[k] = json.RawMessage(v)
			continue
		}
		k, v, _ := strings.Cut(a, "=")
		input[k] = v
	}
	e["tool_name"], e["tool_input"] = args[0], input
	b, err := json.Marshal(e)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(b))
}

// desk gives session s1 the stage that is its argument.
func desk() { writeState(fmt.Sprintf(`"stage":%q`, os.Args[1])) }

// continued notes that the Stop hook made the agent of session s1 go on, at the time that is its argument.
func continued() { writeState(fmt.Sprintf(`"continued":%q`, os.Args[1])) }

// writeState writes the state of session s1 with one more field.
func writeState(field string) {
	dir := filepath.Join(layout.Load().State,
		layout.Key(layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), "/").Home), "sessions")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "s1.json"),
			fmt.Appendf(nil, `{"version":1,"session":"s1",%s}`, field), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// held runs the hook with its input left open: held FILE SECONDS. It fails when
// the hook waits for the end of its input.
func held() {
	in, err := os.ReadFile(os.Args[1])
	limit, _ := strconv.Atoi(os.Args[2])
	cmd := exec.Command("pretooluse")
	stdin, perr := cmd.StdinPipe()
	if err != nil || perr != nil {
		os.Exit(1)
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
	if _, err := stdin.Write(in); err != nil {
		os.Exit(1)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(time.Duration(limit) * time.Second):
		cmd.Process.Kill()
		fmt.Fprintln(os.Stderr, "still waiting for the end of input")
		os.Exit(1)
	}
}

// huge prints an event of about N MiB: huge N.
func huge() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Printf(`{"session_id":"s1","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/x","content":"%s"}}`,
		strings.Repeat("a", n<<20))
}

func approvals() approval.Dir {
	return approval.Dir(layout.Approvals(filepath.Join(os.Getenv("HOME"), ".claude")))
}

// waiting prints the ids of the calls that wait for a person.
func waiting() {
	all, err := approvals().Waiting(time.Now())
	for _, r := range all {
		fmt.Println(r.ID)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answerAll approves or rejects all that waits, as a person in a terminal.
func answerAll() {
	d := approvals()
	all, err := d.Waiting(time.Now())
	for _, r := range all {
		answer := d.Approve
		if os.Args[1] == "reject" {
			answer = d.Reject
		}
		if _, aerr := answer(r.ID, approval.Terminal, "", time.Now()); aerr != nil {
			err = aerr
		}
	}
	if err != nil || len(all) == 0 {
		fmt.Fprintln(os.Stderr, "answered", len(all), err)
		os.Exit(1)
	}
}
