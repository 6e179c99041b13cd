package session

import (
	"errors"
	"fmt"

	"keepsake/pkg/memory"
	"keepsake/pkg/resolve"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// Notice says what of a conversation is worth keeping, by this project's
// settings, as contexts ready for the desk.
func (s *Session) Notice(said []triage.Passage) (triage.Notice, []stage.Context) {
	n := triage.Read(said, s.Config.TriageOptions())
	var contexts []stage.Context
	for _, sig := range n.Signals {
		c := s.context(sig, triage.Excerpt(said, sig))
		for _, q := range sig.Quotes {
			c.Snippets = append(c.Snippets, q.Text)
		}
		contexts = append(contexts, c)
	}
	return n, contexts
}

func (s *Session) context(sig triage.Signal, excerpt string) stage.Context {
	return stage.Context{Category: sig.Category, Score: sig.Score, Description: s.Config.Categories[sig.Category].Description, Excerpt: excerpt}
}

// maxRelated is how many existing memories a drafter is shown.
const maxRelated = 5

// Relate adds to the contexts on the desk the memories they may be about, so
// that a draft can name the one it changes. Without a store there are none.
func (s *Session) Relate() error {
	contexts, err := s.Desk.Contexts()
	if err != nil && len(contexts) == 0 {
		return err
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	for _, c := range contexts {
		c.Existing = nil
		for _, m := range resolve.Related(c.Category, c.Snippets, loaded.Records, maxRelated) {
			c.Existing = append(c.Existing, m.ID+": "+m.Title)
		}
		if len(c.Existing) > 0 && c.Category != memory.SessionSummary {
			if err := s.Desk.Write(c.Name(), c.Encode()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Count adds what was done to the activity that a session summary is for.
func Count(a *stage.Activity, entries []transcript.Entry) {
	for _, e := range entries {
		switch {
		case e.Tool != "":
			a.Add(e.Tool)
		case e.Who == transcript.Person, e.Who == transcript.Assistant:
			a.Exchanges++
		}
	}
}

// Summary is the context of a session summary and what the person asked for
// meanwhile, when enough was done since the last one for another.
func (s *Session) Summary(st *stage.State, t Transcript) (c stage.Context, requests []string, enough bool) {
	a := triage.Activity{Tools: st.Activity.Tools, Distinct: len(st.Activity.Names), Exchanges: st.Activity.Exchanges}
	sig, enough := triage.Summary(a, s.Config.TriageOptions())
	if !enough {
		return c, nil, false
	}
	said := Since(t, st.Activity.From)
	for _, p := range said {
		if p.By == triage.Person {
			requests = append(requests, stage.Redact(p.Text))
		}
	}
	excerpt := fmt.Sprintf("  tool uses: %d\n  distinct tools: %d\n  exchanges: %d\n\n%s", a.Tools, a.Distinct, a.Exchanges, triage.Excerpt(said, sig))
	return s.context(sig, excerpt), requests, true
}

// Put lays a context on the desk. Where that can't be written it goes to
// pending, which is on another disk; told says whether the desk has it.
func (s *Session) Put(c stage.Context) (told bool, err error) {
	derr := s.Desk.Put(c)
	if derr == nil {
		return true, nil
	}
	if err := s.Pending().Add(s.ID, c); err != nil {
		return false, errors.Join(derr, err)
	}
	s.Fault("stage", "what was noticed is kept for a later session, since the stage can't be written", derr)
	return false, nil
}
