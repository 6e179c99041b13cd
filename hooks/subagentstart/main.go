// Command subagentstart is the hook that runs when a subagent begins. Where the project's Markdown
// memories are in layers or have a routing table, it tells the subagent in three lines how to file
// what later sessions need. It says nothing to Keepsake's own agents, and to those of the client
// that only look.
package main

import (
	"context"
	"os"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

func main() {
	if session.Off() {
		return
	}
	os.Exit(hook.RunSubagentStart(hook.Options{Fault: fault}, answer))
}

func answer(_ context.Context, in hook.SubagentStart) (hook.ContextAnswer, error) {
	if in.Codex { // the event names the agent's own session file
		return hook.ContextAnswer{}, nil
	}
	if in.AgentType == brief.Digester {
		text, err := excerptFor(in)
		return hook.ContextAnswer{Context: text}, err
	}
	if len(os.Args) > 1 || !mayFile(in.AgentType) {
		return hook.ContextAnswer{}, nil
	}
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil || !s.Files() {
		return hook.ContextAnswer{}, err
	}
	program := layout.Program()
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
