// Package subagentstop answers SubagentStop, the event when a subagent has ended. It
// notes which drafters are done, so that `keepsake records plan` knows whether a
// missing draft is late or lost, and puts what a memory-keeper proposes on the
// inbox.
package subagentstop

import (
	"context"
	"os"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/project/session"
)

// The agents of a save, as the client names them.
const (
	drafter  = "keepsake:drafter"
	verifier = "keepsake:verifier"
)

// Run answers one SubagentStop and returns the exit code.
func Run() int { return hook.RunSubagentStop(hook.Options{Fault: fault}, answer) }

func answer(ctx context.Context, in hook.SubagentStop) (hook.EndAnswer, error) {
	call := approval.Call{Session: in.Session, Transcript: in.Transcript, Cwd: in.Cwd,
		ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"), AgentID: in.AgentID}
	if err := call.AgentOver(time.Now()); err != nil {
		call.Fault("what became of a call that a person was asked about was not written down", err)
	}
	if session.Off() {
		return hook.EndAnswer{}, nil
	}
	if in.AgentType != drafter && in.AgentType != verifier && in.AgentType != brief.Keeper &&
		in.AgentType != brief.Digester {
		return hook.EndAnswer{}, nil
	}
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return hook.EndAnswer{}, err
	}
	s.LogAgent("subagentstop", in.AgentTranscript)
	if in.AgentType == verifier {
		return hook.EndAnswer{}, nil
	}
	if in.AgentType == brief.Digester {
		return saveDigest(ctx, s, in)
	}
	if in.AgentType == brief.Keeper {
		return hook.EndAnswer{}, propose(s, in)
	}
	ended := stage.Drafter{Agent: in.AgentID, Category: draftedCategory(in.AgentTranscript)}
	return hook.EndAnswer{}, s.Update(func(st *stage.State) error {
		for _, d := range st.Drafters {
			if d.Agent == ended.Agent {
				return nil
			}
		}
		st.Drafters = append(st.Drafters, ended)
		return nil
	})
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		"subagentstop", "a subagent ended and could not be noted", f.Err)
}
