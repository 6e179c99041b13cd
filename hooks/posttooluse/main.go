// Command posttooluse is the hook that runs when a tool call has run. It settles
// what a person's approval became: what was stored, or that nothing was. Notes that
// say what was stored are marked, and candidates answered. When a subagent has ended,
// it tells what that filed. For every other call it looks whether one file is there
// and says nothing.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"keepsake/pkg/approval"
	"keepsake/pkg/checkpoint"
	"keepsake/pkg/consent"
	"keepsake/pkg/hook"
	"keepsake/pkg/paths"
	"keepsake/pkg/promote"
	"keepsake/pkg/session"
	"keepsake/pkg/tiers"
)

func main() { os.Exit(hook.RunPostToolUse(hook.Options{Fault: fault}, answer)) }

func answer(ctx context.Context, in hook.PostToolUse) (a hook.ToolAnswer, err error) {
	o, settled, err := consent.Settle(consent.Call{
		Tool: in.Tool, Args: in.Args, UseID: in.UseID, Session: in.Session,
		Transcript: in.Transcript, Cwd: in.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"), Agent: in.AgentType,
	}, in.Response, false, time.Now())
	if settled && o.Result == approval.Changed {
		a.Message = checkpoint.RanOtherwise(o.ID)
	}
	if text := checkpoint.DrawerText(in.Tool, in.Args); settled && o.Result == approval.Stored && text != "" {
		s, serr := session.At(paths.Project(os.Getenv("CLAUDE_PROJECT_DIR"), in.Cwd).Dir)
		if serr == nil {
			serr = promote.Noted(ctx, tiers.Scratch{Root: s.Root}, s.Inbox(), text, o.Stored, o.Time)
		}
		err = errors.Join(err, serr)
	}
	if (in.Tool == "Agent" || in.Tool == "Task") && in.AgentID == "" && !session.Off() {
		s, serr := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
		if serr == nil {
			a.Context = s.Filed("posttooluse")
			a.End = s.StartedDigest(in.Args)
		}
		err = errors.Join(err, serr)
	}
	if command := remembers(in); command && !session.Off() {
		end, rerr := remembered(in)
		a.End, err = end, errors.Join(err, rerr)
	}
	return a, err
}

func fault(f hook.Fault) {
	consent.Call{Session: f.Common.Session, Cwd: f.Common.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR")}.Fault("what became of an approved call was not written down", f.Err)
}
