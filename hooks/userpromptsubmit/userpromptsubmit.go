// Package userpromptsubmit answers UserPromptSubmit, the event before a prompt is sent. It
// adds the few memories of the project that the prompt is about, each once until
// the conversation is compacted, and tells what happened out of sight. When
// nothing is good enough, or anything goes wrong, it says nothing.
package userpromptsubmit

import (
	"context"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/secret"
)

// Run answers one UserPromptSubmit and returns the exit code.
func Run() int {
	if session.Off() {
		return 0
	}
	return hook.RunUserPromptSubmit(hook.Options{Fault: fault}, respond)
}

func respond(_ context.Context, in hook.UserPromptSubmit) (hook.PromptAnswer, error) {
	if in.Codex && in.AgentID != "" {
		return hook.PromptAnswer{}, nil // an agent's words to an agent that it started
	}
	public, _ := secret.WithoutPrivate(in.Prompt)
	query, skip := answer.QuestionIn(public)
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.PromptAnswer{}, err
	}
	s.SettleRejected() // a No in a dialog ends the turn without a Stop
	if err := s.Prompted(in.Prompt); err != nil {
		s.Fault(hookName, "that the person prompted was not noted, so calls wait without a dialog", err)
	}
	if line, ended := s.EndedDigest(in.Prompt); ended {
		return hook.PromptAnswer{Block: brief.DigestDone(line)}, nil
	}
	filed := s.Filed(hookName) // the end of a subagent arrives as a prompt
	if query == "" {
		s.Log(answer.Skipped(hookName, skip, len(in.Prompt)))
		return answered(filed), nil
	}
	now := time.Now().UTC()
	s.HoldToBudget(now)
	p := prompt{answer.Prompt{Session: s, Text: query, Now: now, Hook: hookName}, in.Mode}
	said := strings.TrimSpace(p.context() + "\n" + filed)
	if said != "" {
		s.Log(session.Added(hookName, said))
	}
	return answered(said), nil
}

func answered(text string) hook.PromptAnswer {
	return hook.PromptAnswer{ContextAnswer: hook.ContextAnswer{Context: text}}
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		hookName, "nothing was recalled for a prompt", f.Err)
}
