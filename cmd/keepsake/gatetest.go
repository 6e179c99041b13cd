package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"keepsake/pkg/brief"
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
	out := []testedJSON{}
	judge := libexec.NewJudge(c.ctx)
	defer judge.End()
	test := func(from string, text []byte, err error) error {
		if err != nil {
			return err
		}
		for n, in := range libexec.ReadCalls(text) {
			name := fmt.Sprintf("%s%d", from, n)
			e := in.Event(c.cwd, c.project, c.session)
			verdict, err := judge.Judge(name, in, e, !v.NoDialog)
			if err != nil { // none is made up
				return err
			}
			where := ""
			if verdict.Rule != "" {
				where = "  at " + verdict.Checkpoint + " by " + verdict.Rule
			}
			c.line("%s: %s%s  %s", name, verdict.Decision, where, brief.Line(cut(e.Tool+" "+in.About(), 100)))
			for l := range strings.SplitSeq(verdict.Reason, "\n") {
				c.line("    %s", brief.Line(l))
			}
			out = append(out, testedJSON{name, e.Tool, verdict.Decision, verdict.Checkpoint, verdict.Rule,
				verdict.Reason})
		}
		return nil
	}
	if len(v.Files) == 0 {
		text, err := io.ReadAll(os.Stdin)
		if err := test("", text, err); err != nil {
			return err
		}
	}
	for _, name := range v.Files {
		text, err := os.ReadFile(c.path(name))
		if err := test(name+":", text, err); err != nil {
			return err
		}
	}
	if len(out) == 0 {
		return failed(errors.New("no tool call"), "keepsake gate test --help shows how one is written")
	}
	c.value(out)
	return nil
}
