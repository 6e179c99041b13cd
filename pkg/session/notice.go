package session

import (
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

// Summarise stages a session summary when enough was done since the last one,
// and begins to count anew. With draft it also leaves a draft made of the
// person's own requests, for when no agent is there to write a better one.
func (s *Session) Summarise(st *stage.State, t Transcript, draft bool) error {
	a := triage.Activity{Tools: st.Activity.Tools, Distinct: len(st.Activity.Names), Exchanges: st.Activity.Exchanges}
	sig, enough := triage.Summary(a, s.Config.TriageOptions())
	if !enough {
		return nil
	}
	said := Since(t, st.Activity.From)
	excerpt := fmt.Sprintf("  tool uses: %d\n  distinct tools: %d\n  exchanges: %d\n\n%s", a.Tools, a.Distinct, a.Exchanges, triage.Excerpt(said, sig))
	if err := s.Desk.Put(s.context(sig, excerpt)); err != nil {
		return err
	}
	if draft {
		var requests []string
		for _, p := range said {
			if p.By == triage.Person {
				requests = append(requests, stage.Redact(p.Text))
			}
		}
		if b, ok := resolve.Extract(memory.SessionSummary, requests, st.Seen); ok {
			if err := s.Desk.Write(stage.IntentName(memory.SessionSummary), b); err != nil {
				return err
			}
		}
	}
	st.Activity = stage.Activity{From: st.Mark.Offset}
	return nil
}
