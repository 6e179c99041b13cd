// Package posttoolusefailure answers PostToolUseFailure, the event when a tool call has failed. It settles an
// approval that the call had used up: nothing was stored by it.
package posttoolusefailure

import (
	"context"
	"os"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
)

// Run answers one PostToolUseFailure and returns the exit code.
func Run() int { return hook.RunPostToolUseFailure(hook.Options{Fault: fault}, answer) }

func answer(_ context.Context, in hook.PostToolUseFailure) (hook.Silence, error) {
	call := approval.Call{
		Tool: in.Tool, Args: in.Args, UseID: in.UseID, Session: in.Session,
		Transcript: in.Transcript, Cwd: in.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"),
		Agent: in.AgentType, AgentID: in.AgentID,
	}
	call.Ran()
	_, _, err := approval.Settle(call, nil, true, time.Now())
	return hook.Silence{}, err
}

func fault(f hook.Fault) {
	call := approval.Call{Session: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd,
		ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR")}
	call.Fault("what became of an approved call was not written down", f.Err)
}
