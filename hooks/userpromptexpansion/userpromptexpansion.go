// Package userpromptexpansion answers UserPromptExpansion, the event before a slash command becomes a prompt.
// It takes /keepsake:approve and /keepsake:reject, which are skills that no model may invoke, so that their
// expansion is what a person typed. It never looks at prompts that merely say the same, since a model can
// send those. It notes the text behind /keepsake:save, and asks the agent to write it up.
package userpromptexpansion

import (
	"context"
	"errors"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
)

const hookName = "userpromptexpansion"

// Run answers one UserPromptExpansion and returns the exit code.
func Run() int { return hook.RunUserPromptExpansion(hook.Options{Fault: fault}, answer) }

func answer(_ context.Context, in hook.UserPromptExpansion) (a hook.ContextAnswer, _ error) {
	verb, ours := strings.CutPrefix(in.Command, "keepsake:")
	switch {
	case !ours || in.Source != "plugin":
		return a, nil
	case verb == "save":
		return noteRequest(in), nil
	case verb != "approve" && verb != "reject":
		return a, nil
	}
	id := strings.TrimSpace(in.Args)
	if isSeveral(id) {
		return answerSome(verb, strings.Fields(strings.ToLower(id)), in), nil
	}
	r, err := takeAnswer(verb, id, in)
	if errors.Is(err, approval.ErrUnknown) && len(id) == 6 && (id[0] == 'c' || id[0] == 'C') {
		if a, err, ours := rejectCandidate(verb, id, in); ours {
			return a, err
		}
	}
	switch {
	case err != nil:
		a.Context, a.Message = brief.NotAnswered(id, err.Error())
	case verb == "approve":
		a.Context, a.Message = brief.Approved(r.ID, r.Tool, int(approval.Valid.Minutes()))
	default:
		a.Context, a.Message = brief.Rejected(r.ID, r.Tool)
	}
	log(in, verb, r, err)
	return a, nil
}

// takeAnswer takes the person's answer, if a person can have typed it.
func takeAnswer(verb, id string, in hook.UserPromptExpansion) (r approval.Request, err error) {
	d := approval.Dir(layout.Approvals(layout.Client(in.Transcript)))
	switch {
	case d == "":
		return r,
			errors.New("the client's folder can't be told; approve it in a terminal with `keepsake inbox " +
				"approve`")
	case id == "":
		return r,
			errors.New("the id is missing; the denied call named it, and `keepsake gate approvals` in a " +
				"terminal lists them")
	}
	if err := session.Person(); err != nil {
		return r, err
	}
	if verb == "approve" {
		return d.Approve(id, approval.Slash, layout.Session(in.Session), time.Now())
	}
	return d.Reject(id, approval.Slash, layout.Session(in.Session), time.Now())
}

func log(in hook.UserPromptExpansion, verb string, r approval.Request, err error) {
	s, serr := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if serr != nil {
		return
	}
	if err != nil {
		s.Fault(hookName, "an answer of the person was not taken", err)
		return
	}
	s.Log(event.Event{Type: event.GateDecision, Hook: hookName, Took: event.Untimed,
		Data: event.Data{"decision": verb, "approval": r.ID, "checkpoint": r.Checkpoint, "rule": r.Rule,
			"tool": r.Tool}})
}

func fault(f hook.Fault) {
	session.Fault(session.Call{ID: f.Common.Session, Transcript: f.Common.Transcript, Cwd: f.Common.Cwd},
		hookName, "an answer of the person could not be taken", f.Err)
}
