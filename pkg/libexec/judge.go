package libexec

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// A WrittenCall is a tool call as a person writes it, in any of the three forms.
type WrittenCall struct {
	Name       string          `json:"tool_name"`
	Input      json.RawMessage `json:"tool_input"`
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Cwd        string          `json:"cwd"`
	Agent      string          `json:"agent_type"`
	Mode       string          `json:"permission_mode"`

	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
	Bash string          `json:"bash"`

	broken string // the beginning of a line that could not be read; the error is in why
	why    error
}

// Event returns the call as the hook would get it. Fields that the call leaves empty are those of this
// session in this folder and project. An empty project is the one around the folder.
func (t WrittenCall) Event(cwd, project, session string) rules.Event {
	e := rules.Event{
		Tool: t.Name, Args: t.Input, Session: t.Session, Transcript: t.Transcript, Cwd: t.Cwd, Agent: t.Agent,
		Mode: t.Mode,
	}
	if t.Tool != "" {
		e.Tool, e.Args = t.Tool, t.Args
	}
	if t.Bash != "" {
		e.Tool = "Bash"
		e.Args, _ = json.Marshal(map[string]string{"command": t.Bash}) // of a string
	}
	e.Cwd, e.Session = cmp.Or(e.Cwd, cwd), cmp.Or(e.Session, session)
	if e.ProjectDir = project; project == "" {
		e.ProjectDir = layout.Project("", e.Cwd).Dir
	}
	// what a session started here would have
	if client := layout.ClientHere(); e.Transcript == "" && client != "" {
		e.Transcript = layout.Transcript(client, "/", e.Session)
	}
	return e
}

// About returns the command or the arguments, for people.
func (t WrittenCall) About() string {
	if t.why != nil {
		return t.broken
	}
	if t.Bash != "" {
		return t.Bash
	}
	args := t.Args
	if len(t.Input) > 0 {
		args = t.Input
	}
	var known struct{ Command string }
	if json.Unmarshal(args, &known) == nil && known.Command != "" {
		return known.Command
	}
	return string(args)
}

// ReadCalls yields the calls in a text, numbered from 1. If a call is no JSON object, it yields one that
// only holds the error, and goes on with the next line.
func ReadCalls(text []byte) iter.Seq2[int, WrittenCall] {
	return func(yield func(int, WrittenCall) bool) {
		for n := 1; ; n++ {
			if text = bytes.TrimLeft(text, " \t\r\n"); len(text) == 0 {
				return
			}
			var in WrittenCall
			d := json.NewDecoder(bytes.NewReader(text))
			if err := d.Decode(&in); err != nil {
				line, rest, _ := bytes.Cut(text, []byte("\n"))
				in, text = WrittenCall{broken: string(line[:min(len(line), 200)]), why: err}, rest
			} else {
				text = text[d.InputOffset():]
			}
			if !yield(n, in) {
				return
			}
		}
	}
}

// A Judge judges tool calls as the hook does, in a program of its own.
type Judge struct{ program Program }

// maxVerdict is the longest answer of the program to one call, in bytes.
const maxVerdict = 1 << 20

// NewJudge returns a judge. The caller must call End.
func NewJudge(ctx context.Context) *Judge {
	return &Judge{Program{Ctx: ctx, Name: "parsers", Task: "judge", Does: "judges tool calls",
		Most: maxVerdict}}
}

// End ends the program.
func (j *Judge) End() { j.program.End() }

// Judge returns the gate's decision on a call, with the reason in words. It denies a call that can't be
// read, as the hook does.
func (j *Judge) Judge(name string, t WrittenCall, e rules.Event, dialog bool) (a rules.Answer, err error) {
	if t.why == nil && len(e.Args) > rules.MaxArgs {
		t.why = fmt.Errorf("it is longer than %d MiB", rules.MaxArgs>>20)
	}
	if t.why != nil {
		return rules.Answer{Decision: rules.Deny.String(),
			Reason: "the hook cannot read this and stops it: " + t.why.Error()}, nil
	}
	if err := j.program.Ask(name, rules.Question{Event: e, Dialog: dialog}, &a); err != nil {
		return a, err
	}
	switch a.Decision {
	case rules.Pass.String():
		if a.Reason != "" { // what a guard says
			break
		}
		a.Reason = "no rule matches; the client decides as it would without Keepsake"
	case rules.Allow.String():
		a.Reason = matchesOf(a.Rule)
	case rules.Ask.String(), rules.Deny.String():
	default:
		return a, errors.New(name + ": the program that judges tool calls gave no verdict" + Rebuild)
	}
	return a, nil
}

// matchesOf returns the description of the calls that a rule matches.
func matchesOf(rule string) string {
	for _, p := range rules.All() {
		for _, r := range p.Rules {
			if r.Name == rule {
				return r.Matches
			}
		}
	}
	return ""
}

// Guards says which guards shell commands are about, in a program of its own. The caller must call end.
func Guards(ctx context.Context) (hear func(guard.Question) (guard.Answer, error), end func()) {
	p := &Program{Ctx: ctx, Name: "parsers", Task: "guards", Does: "reads shell commands", Most: maxVerdict}
	return func(q guard.Question) (a guard.Answer, err error) {
		err = p.Ask("a command", q, &a)
		return a, err
	}, func() { _ = p.End() } // it has answered, or said why not
}
