//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Run is the outcome of one client process that had no terminal.
type Run struct {
	Code   int
	Stdout string
	Stderr string
	Events []Event // of `-p` with stream-json
}

// Event is one line of the client's stream-json output.
type Event struct {
	Type         string          `json:"type"`
	Subtype      string          `json:"subtype"`
	Tag          string          `json:"tag"` // of informational events
	Result       string          `json:"result"`
	IsError      bool            `json:"is_error"`
	SessionID    string          `json:"session_id"`
	PluginErrors json.RawMessage `json:"plugin_errors"`
	Plugins      []struct {
		Name, Path, Source string
	} `json:"plugins"`
	Skills  []string        `json:"skills"`
	Agents  []string        `json:"agents"`
	Message json.RawMessage `json:"message"`
	Raw     string          `json:"-"`
}

// Headless runs `claude -p prompt` in the project.
func (l *Lab) Headless(prompt string, args ...string) Run {
	l.t.Helper()
	if !strings.HasPrefix(prompt, "/") { // commands are not written as they were typed
		l.prompted(prompt)
	}
	args = append(append([]string{"-p", prompt}, l.arguments(nil)...), args...)
	run := l.Claude(append(args, "--output-format", "stream-json", "--verbose")...)
	for _, line := range strings.Split(run.Stdout, "\n") {
		if line == "" {
			continue
		}
		e := Event{Raw: line}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			l.t.Fatalf("stream-json line %.200q: %v", line, err)
		}
		run.Events = append(run.Events, e)
	}
	return run
}

// Claude runs the client with exactly these arguments, no plugin added, and waits for its end.
func (l *Lab) Claude(args ...string) Run {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, l.Client.Path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = l.Project, l.environ(), &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		l.t.Fatalf("claude %.200q: %v\n%s\n%s", args, err, stderr.String(), l.Model.Digest())
	}
	return Run{Code: cmd.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
}

// Init is the event that opens a session.
func (r Run) Init() Event { return r.find("system", "init") }

// Result is the event that ends it.
func (r Run) Result() Event { return r.find("result", "") }

func (r Run) find(kind, subtype string) Event {
	for _, e := range r.Events {
		if e.Type == kind && (subtype == "" || e.Subtype == subtype) {
			return e
		}
	}
	return Event{}
}
