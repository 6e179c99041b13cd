package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
	"keepsake/pkg/libexec"
)

type gateTestCmd struct {
	Files    []string `arg:"" optional:"" name:"file" help:"Files of tool calls (default: standard input)."`
	NoDialog bool     `help:"Judge as where no dialog is shown: claude -p, and hosts that answer for the person."`
	JSON     bool     `help:"Print one JSON array: call, tool, decision, checkpoint, rule, why."`
}

func (gateTestCmd) Help() string {
	return `Judges tool calls as the hook does, with the palaces, links and scripts of this machine, and
runs none of them. A call is a JSON object in one of three forms: what the client gives to the hook
(tool_name, tool_input, and cwd, agent_type, permission_mode if they matter), {"tool": NAME, "args": {…}},
or {"bash": COMMAND}. A file holds one or more of them. Approvals that wait don't count.

Examples:

    echo '{"bash": "mempalace mine ."}' | keepsake gate test
    keepsake gate test --no-dialog --json calls.jsonl`
}

// testedJSON is what gate test --json prints of one call.
type testedJSON struct {
	Call       string `json:"call"` // FILE:N, or N from standard input, counted from 1
	Tool       string `json:"tool"`
	Decision   string `json:"decision"`
	Checkpoint string `json:"checkpoint"`
	Rule       string `json:"rule"`
	Why        string `json:"why"`
}

func (v gateTestCmd) Run(c *call) error {
	c.json = v.JSON
	out := []testedJSON{}
	judge := libexec.Program{Ctx: c.ctx, Name: "judge", Does: "judges tool calls", Most: maxVerdict}
	defer judge.End()
	see := func(t testedJSON, about string) {
		where := ""
		if t.Rule != "" {
			where = "  at " + t.Checkpoint + " by " + t.Rule
		}
		c.line("%s: %s%s  %s", t.Call, t.Decision, where, brief.Line(cut(t.Tool+" "+about, 100)))
		for l := range strings.SplitSeq(t.Why, "\n") {
			c.line("    %s", brief.Line(l))
		}
		out = append(out, t)
	}
	if len(v.Files) == 0 {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		if err := v.test(c, &judge, "", text, see); err != nil {
			return err
		}
	}
	for _, name := range v.Files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.cwd, path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := v.test(c, &judge, name+":", text, see); err != nil {
			return err
		}
	}
	if len(out) == 0 {
		return failed(errors.New("no tool call"), "keepsake gate test --help shows how one is written")
	}
	c.value(out)
	return nil
}

// maxVerdict bounds what the judge says of one call, in bytes.
const maxVerdict = 1 << 20

// test has the calls in text judged, one after another. What is no JSON object is
// stopped, as the hook stops it, and the next line is tried. A call without a verdict
// ends it with an error: none is made up.
func (v gateTestCmd) test(c *call, judge *libexec.Program, from string, text []byte,
	see func(t testedJSON, about string)) error {
	for n := 1; ; n++ {
		text = bytes.TrimLeft(text, " \t\r\n")
		if len(text) == 0 {
			return nil
		}
		var in toolCall
		d := json.NewDecoder(bytes.NewReader(text))
		t := testedJSON{Call: fmt.Sprintf("%s%d", from, n), Decision: rules.Deny.String()}
		if err := d.Decode(&in); err != nil {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			t.Why = "the hook cannot read this and stops it: " + err.Error()
			see(t, string(line[:min(len(line), 200)]))
			text = rest
			continue
		}
		text = text[d.InputOffset():]
		e := in.event(c)
		t.Tool = e.Tool
		if len(e.Args) > rules.MaxArgs {
			t.Why = fmt.Sprintf("the hook cannot read this and stops it: it is longer than %d MiB",
				rules.MaxArgs>>20)
			see(t, in.about())
			continue
		}
		var answer rules.Answer
		if err := judge.Ask(t.Call, rules.Question{Event: e, Dialog: !v.NoDialog}, &answer); err != nil {
			return err
		}
		t.Decision, t.Checkpoint, t.Rule, t.Why = answer.Decision, answer.Checkpoint, answer.Rule,
			answer.Reason
		switch t.Decision {
		case rules.Pass.String():
			t.Why = "no rule matches; the client decides as it would without Keepsake"
		case rules.Allow.String():
			t.Why = matches(t.Rule)
		case rules.Ask.String(), rules.Deny.String():
		default:
			return fmt.Errorf("%s: the program that judges tool calls gave no verdict"+libexec.Rebuild,
				t.Call)
		}
		see(t, in.about())
	}
}

// matches is what a rule says that it matches.
func matches(rule string) string {
	for _, p := range rules.All() {
		for _, r := range p.Rules {
			if r.Name == rule {
				return r.Matches
			}
		}
	}
	return ""
}

// toolCall is a call in any of the three forms.
type toolCall struct {
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
}

func (t toolCall) event(c *call) rules.Event {
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
	if e.Cwd == "" {
		e.Cwd = c.cwd
	}
	e.ProjectDir = c.project
	if e.ProjectDir == "" {
		e.ProjectDir = layout.Project("", e.Cwd).Dir
	}
	if e.Session == "" {
		e.Session = c.session
	}
	// what a session started here would have
	if client := layout.ClientHere(); e.Transcript == "" && client != "" {
		e.Transcript = layout.Transcript(client, "/", e.Session)
	}
	return e
}

// about is the command or the arguments, for people.
func (t toolCall) about() string {
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
