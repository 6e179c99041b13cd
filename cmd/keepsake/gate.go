package main

import (
	"fmt"
	"strings"

	"keepsake/pkg/gate/rules"
)

type gateCmd struct {
	Test        gateTestCmd    `cmd:"" help:"Say what the gate does with tool calls, and why."`
	Explain     gateExplainCmd `cmd:"" help:"Explain a checkpoint of the gate: what passes, asks or is denied."`
	Approvals   approvalsCmd   `cmd:"" help:"List what the gate stopped and what you answered."`
	Revoke      gateRevokeCmd  `cmd:"" help:"Take back what changed in a MemPalace without your approval."`
	InstallLock gateLockCmd    `cmd:"" name:"install-lock" help:"Put a second lock into your own settings of Claude Code."`
}

func (gateCmd) Help() string {
	return `The gate looks at each tool call of the agent before it runs. A call that would keep something
for good is put to you, or refused where nobody can be asked.

Examples:

    keepsake gate explain
    keepsake gate test calls.jsonl`
}

type gateExplainCmd struct {
	Checkpoint string `arg:"" optional:"" help:"A checkpoint (default: list them all)."`
	JSON       bool   `help:"Print one JSON value: the checkpoint with its rules, or all of them."`
}

func (gateExplainCmd) Help() string {
	return `Prints the rules of a checkpoint: what they match, and what is answered. Without an argument
it lists the checkpoints. docs/threat-model.md says what is promised and what the gate cannot see.

Example:

    keepsake gate explain before_mempalace_write`
}

func (v gateExplainCmd) Run(c *call) error {
	all := rules.All()
	if v.Checkpoint == "" {
		for _, p := range all {
			c.line("%-*s  %s", widest(all), p.Name, p.Guards)
		}
		c.value(all)
		return nil
	}
	var names []string
	for _, p := range all {
		if p.Name == v.Checkpoint {
			c.line("%s", p.Explain())
			c.value(p)
			return nil
		}
		names = append(names, p.Name)
	}
	return &failure{exitUsage, fmt.Errorf("%s: no such checkpoint", v.Checkpoint),
		[]string{"the checkpoints are " + strings.Join(names, ", ")}}
}

func widest(all []rules.Point) (n int) {
	for _, p := range all {
		n = max(n, len(p.Name))
	}
	return n
}
