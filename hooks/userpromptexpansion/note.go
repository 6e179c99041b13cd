package userpromptexpansion

import (
	"path"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

// noteRequest puts the text that was typed behind /keepsake:save into the journal, and asks the agent to
// write it up, with the same line as at the end of a turn. In plan mode, where nothing can be saved, that
// line comes when plan mode is over. If nothing can be noted, the skill says what to do.
func noteRequest(in hook.UserPromptExpansion) (a hook.ContextAnswer) {
	if session.Off() {
		return a
	}
	public, _ := secret.WithoutPrivate(in.Args)
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return a
	}
	defer func() {
		if a.Context != "" {
			s.Log(session.Added(hookName, a.Context))
		}
	}()
	now := time.Now().UTC()
	f, ok, err := s.NoteRequest(public, now)
	if err != nil {
		s.Fault(hookName, "what was typed to be saved could not be noted", err)
	}
	if !ok {
		return a
	}
	s.Log(event.Event{Type: event.SaveStart, Hook: hookName, Took: event.Untimed, Data: event.Data{
		"categories": []string{string(f.Category)}, "explicit": true, "saves": s.State.Saves, "findings": 1,
	}})
	asked := brief.Offered{Number: f.Number, Category: f.Category, Text: f.Text}
	if in.Mode == "plan" {
		if err := s.Update(func(st *stage.State) error { st.Due = true; return nil }); err != nil {
			s.Fault(hookName, "that something waits to be saved could not be noted", err)
		}
		a.Context = brief.Later(asked)
		return a
	}
	if strings.Contains(f.Target, "/") {
		asked.Against = strings.TrimSuffix(path.Base(f.Target), ".json")
	}
	if err := s.Near([]finding.Status{f}, func(_ int, ids []string) { asked.Near = ids }); err != nil {
		s.Fault(hookName, "the memories that there are could not be named beside what was typed", err)
	}
	a.Context = brief.Keep([]brief.Offered{asked})
	err = s.MoveFindings(finding.Move{At: now, Act: finding.Offer, Numbers: []int{f.Number}, By: "keepsake"})
	if err == nil && !s.State.Form {
		a.Context += "\n" + brief.Form(layout.CommandPath())
		err = s.Update(func(st *stage.State) error { st.Form = true; return nil })
	}
	if err != nil {
		s.Fault(hookName, "that the agent was asked to save could not be noted", err)
	}
	return a
}
