package userpromptexpansion

import (
	"errors"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/candidate"
)

// rejectCandidate rejects a memory-keeper's candidate of the session's project, as the person typed. ours
// reports whether the id is that of a candidate. A yes is not taken here but where the whole text is
// shown: by the gate or in a terminal.
func rejectCandidate(verb, id string, in hook.UserPromptExpansion) (a hook.ContextAnswer, _ error,
	ours bool) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return a, err, true
	}
	c, err := s.Inbox().Find(id)
	if errors.Is(err, candidate.ErrUnknown) {
		return a, nil, false
	}
	if err == nil {
		err = session.Person()
	}
	if err == nil && verb == "approve" {
		err = errors.New("a candidate is promoted where its whole text is shown: ask for keepsake notes " +
			"promote " + c.ID + ", or type keepsake inbox approve " + c.ID + " in a terminal")
	}
	if err == nil {
		_, err = s.Inbox().Mark(c.ID, candidate.Rejected, time.Now())
	}
	if err != nil {
		a.Context, a.Message = brief.NotAnswered(c.ID, err.Error())
		s.Fault(hookName, "an answer of the person was not taken", err)
		return a, nil, true
	}
	a.Context, a.Message = brief.Turned(c.ID)
	s.Log(event.Event{Type: event.GateDecision, Hook: hookName, Took: event.Untimed,
		Data: event.Data{"decision": verb, "approval": c.ID}})
	return a, nil, true
}
