//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	for _, line := range lines(run.Stdout) {
		e, err := parseEvent(line)
		if err != nil {
			l.t.Fatal(err)
		}
		run.Events = append(run.Events, e)
	}
	return run
}

func parseEvent(line string) (Event, error) {
	e := Event{Raw: line}
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		return Event{}, fmt.Errorf("stream-json line %.200q: %w", line, err)
	}
	return e, nil
}

// A Talk is one headless client that is given prompt after prompt, as a program that hosts it does. What a
// story asks in several sessions is asked this way where it matters not that they are several: to start a
// client takes most of what a prompt costs.
type Talk struct {
	lab    *Lab
	in     io.WriteCloser
	events chan Event // closed at the client's end
	over   chan error
	stderr bytes.Buffer
}

// Talk starts the client in the project.
func (l *Lab) Talk(args ...string) *Talk {
	l.t.Helper()
	args = append(append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json",
		"--verbose"}, l.arguments(nil)...), args...)
	k := &Talk{lab: l, events: make(chan Event, 1000), over: make(chan error, 1)}
	cmd := exec.Command(l.Client.Path, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = l.Project, l.environ(), &k.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	k.in = in
	l.t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	go func() {
		defer close(k.events)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				k.over <- cmd.Wait()
				return
			}
			e, err := parseEvent(line)
			if err != nil {
				l.t.Error(err)
			}
			k.events <- e
		}
	}()
	return k
}

// Say gives the client a prompt and waits until its turn has ended. It returns the result.
func (k *Talk) Say(prompt string) Event {
	k.lab.t.Helper()
	if !strings.HasPrefix(prompt, "/") {
		k.lab.prompted(prompt)
	}
	if err := json.NewEncoder(k.in).Encode(map[string]any{"type": "user",
		"message": map[string]any{"role": "user", "content": prompt}}); err != nil {
		k.lab.t.Fatalf("%q: %v\n%s", prompt, err, k.stderr.String())
	}
	for deadline := time.After(3 * patience); ; {
		select {
		case e, more := <-k.events:
			if !more {
				k.lab.t.Fatalf("the client ended at %q\n%s\n%s", prompt, k.stderr.String(),
					k.lab.Model.Digest())
			}
			if e.Type == "result" {
				return e
			}
		case <-deadline:
			k.lab.t.Fatalf("the turn of %q does not end\n%s", prompt, k.lab.Model.Digest())
		}
	}
}

// End ends the session and waits for the client's end.
func (k *Talk) End() {
	k.lab.t.Helper()
	k.in.Close()
	select {
	case err := <-k.over:
		if err != nil {
			k.lab.t.Errorf("the client: %v\n%s", err, k.stderr.String())
		}
	case <-time.After(3 * patience):
		k.lab.t.Fatalf("the client does not end\n%s", k.lab.Model.Digest())
	}
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
