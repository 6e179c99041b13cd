// Package posttooluse answers PostToolUse, the event when a tool call has run. It settles what a person's
// approval led to: what was stored, or that nothing was. It marks the notes that say what was stored, and
// answers the candidates. It notes that a command has run for which a guard waits. When a subagent has ended,
// it tells the agent what that subagent filed. When the person has chosen or approved something, it tells the
// agent how findings are written up. For every other call it looks whether one file exists, and says nothing.
package posttooluse

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/promote"
)

// Run answers one PostToolUse and returns the exit code.
func Run() int { return hook.RunPostToolUse(hook.Options{Fault: fault}, answer) }

func answer(ctx context.Context, in hook.PostToolUse) (a hook.ToolAnswer, err error) {
	call := approval.Call{
		Tool: in.Tool, Args: in.Args, UseID: in.UseID, Session: in.Session,
		Transcript: in.Transcript, Cwd: in.Cwd, ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR"),
		Agent: in.AgentType, AgentID: in.AgentID,
	}
	call.Ran()
	o, settled, err := approval.Settle(call, in.Response, false, time.Now())
	if settled && o.Result == approval.Changed {
		a.Message = rules.RanOtherwise(o.ID)
	}
	if settled && o.Result == approval.Stored {
		err = errors.Join(err, noteDrawer(ctx, in, o))
	}
	if !session.Off() && in.Tool == "Bash" && succeeded(in.Response) {
		place := layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), in.Cwd)
		state := layout.DirsFor(place, in.Transcript).Of(place.Home)
		err = errors.Join(err, armed.Folder(state).Finish(in.UseID, time.Now()))
	}
	if in.AgentID != "" || session.Off() {
		return a, err
	}
	switch in.Tool {
	case "Agent", "Task":
		s, serr := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
		if serr == nil {
			a.Context = s.Filed("posttooluse")
			a.End = s.StartedDigest(in.Args)
		}
		err = errors.Join(err, serr)
	case "AskUserQuestion", "ExitPlanMode": // what a person chose is asked for at Stop
		s, serr := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
		if serr == nil {
			a.Context, serr = formOf(s)
		}
		err = errors.Join(err, serr)
	}
	return a, err
}

// succeeded reports whether a shell command, of which the client says that it has run, has come to its end
// without a failure. Claude Code has an event of its own for one that failed. Codex CLI does not say.
func succeeded(response []byte) bool {
	var r struct {
		Interrupted bool   `json:"interrupted"`
		Background  string `json:"backgroundTaskId"`
	}
	return json.Unmarshal(response, &r) != nil || !r.Interrupted && r.Background == ""
}

// formOf returns the form in which the agent writes findings up, once, and notes that it was given.
func formOf(s *session.Session) (string, error) {
	form := s.Form()
	if form == "" {
		return "", nil
	}
	err := s.Update(func(st *stage.State) error {
		st.Form = true
		return nil
	})
	return form, err
}

// noteDrawer notes that a tool of MemPalace wrote a drawer, or took one away.
func noteDrawer(ctx context.Context, in hook.PostToolUse, o approval.Outcome) error {
	text, gone := rules.DrawerText(in.Tool, in.Args), rules.DrawerGone(in.Tool, in.Args)
	if text == "" && gone == "" {
		return nil
	}
	s, err := session.At(layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), in.Cwd).Dir)
	if err != nil {
		return err
	}
	register := promote.Register{Path: s.Drawers()}
	if gone != "" {
		return register.Drop(ctx, gone)
	}
	err = promote.Noted(ctx, tiers.Scratch{Root: s.Root}, s.Inbox(), text, o.Stored, o.Time)
	loaded, lerr := s.Store().Load()
	return errors.Join(err, lerr, register.Stored(ctx, in.Args, o.Stored, loaded.Records, o.Time))
}

func fault(f hook.Fault) {
	call := approval.Call{Session: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd,
		ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR")}
	call.Fault("what became of an approved call was not written down", f.Err)
}
