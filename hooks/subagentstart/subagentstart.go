// Package subagentstart answers SubagentStart, the event when a subagent begins. Where the project's Markdown
// memories are in layers or have a routing table, it tells the subagent in three lines how to file
// what later sessions need. It says nothing to Keepsake's own agents, and to those of the client
// that only look.
package subagentstart

import (
	"context"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

// Run answers one SubagentStart and returns the exit code. The arguments are those that the entry of
// hooks.json has after the event: none, or which part of an excerpt it brings.
func Run(args []string) int {
	if session.Off() {
		return 0
	}
	part := func(_ context.Context, in hook.SubagentStart) (hook.ContextAnswer, error) {
		return answer(in, args)
	}
	return hook.RunSubagentStart(hook.Options{Fault: fault}, part)
}

func answer(in hook.SubagentStart, args []string) (hook.ContextAnswer, error) {
	if in.Codex { // the event names the agent's own session file
		return hook.ContextAnswer{}, nil
	}
	if in.AgentType == brief.Digester {
		text, err := excerptFor(in, args)
		return hook.ContextAnswer{Context: text}, err
	}
	if len(args) > 0 || !mayFile(in.AgentType) {
		return hook.ContextAnswer{}, nil
	}
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil || !s.Files() {
		return hook.ContextAnswer{}, err
	}
	program := layout.CommandPath()
	if program == "" {
		return hook.ContextAnswer{}, nil
	}
	return hook.ContextAnswer{Context: brief.Filing(program, signature(in.AgentType), s.HasCard())}, nil
}

// mayFile reports whether an agent of a type may have something to file. Keepsake's own agents, the
// one that compacts, which has no type, and those of the client that only look have not.
func mayFile(kind string) bool {
	switch kind {
	case "", "Explore", "Plan", "statusline-setup", "output-style-setup", "claude-code-guide":
		return false
	}
	return !strings.HasPrefix(kind, "keepsake:")
}

// signature returns the type of an agent in the form that keepsake md note takes.
func signature(kind string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_.:", r) {
			return r
		}
		return '-'
	}, kind[:min(len(kind), 60)])
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		"subagentstart", "a subagent was not told how to file what lasts", f.Err)
}
