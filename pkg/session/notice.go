package session

import (
	"errors"
	"fmt"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/recall"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// Notice says what of a conversation is worth keeping, by this project's
// settings, as contexts ready for the desk; near, also what only comes near its
// threshold.
func (s *Session) Notice(said []triage.Passage, near bool) (triage.Notice, []stage.Context) {
	o := s.Config.TriageOptions()
	o.Near = near
	n := triage.Read(said, o)
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

// Parallel is how this project's drafters are run, as the save skill reads it.
func (s *Session) Parallel() stage.ParallelConfig {
	p := s.Config.Triage.Parallel
	return stage.ParallelConfig{
		Enabled: p.Enabled, CategoryModels: p.Models, DefaultModel: p.DefaultModel,
		VerificationEnabled: p.Verify, VerificationModel: p.VerificationModel,
	}
}

// maxRelated is how many existing memories a drafter is shown.
const maxRelated = 5

// shownTags is how many tags of each it is shown.
const shownTags = 5

// In a category of at most readAll memories each is looked at; in a larger one
// the searched that the search file finds nearest to the quotes. Reading a record
// costs about 30 µs, and Stop waits for it.
const (
	readAll  = 100
	searched = 60
)

// Relate adds to the contexts on the desk the memories they may be about, so
// that a draft can name the one it changes, and what the client's own memory has,
// so that nothing is kept twice. Without a store there are no memories.
func (s *Session) Relate() error {
	contexts, err := s.Desk.Contexts()
	if err != nil && len(contexts) == 0 {
		return err
	}
	files, merr := s.Manifest()
	return errors.Join(merr, s.Index(func(index *recall.Index) error { return s.relate(contexts, files, index) }))
}

func (s *Session) relate(contexts []stage.Context, files []string, index *recall.Index) error {
	st := s.Store()
	for _, c := range contexts {
		if c.Category == memory.SessionSummary {
			continue // each is a new one
		}
		near, err := nearby(index, c)
		if err != nil {
			return err
		}
		var existing []memory.Stored
		for _, e := range near {
			// The index may be older than the store, and a drafter is told nothing that is held.
			if m, err := st.Read(e.Path); err == nil && !s.TrustOf(m).Held {
				existing = append(existing, m)
			}
		}
		had := len(c.Existing) + len(c.Files)
		c.Existing, c.Files = nil, files
		for _, m := range resolve.Related(c.Category, c.Snippets, existing, maxRelated) {
			c.Existing = append(c.Existing, stage.Known{
				ID: m.ID, Title: memory.Shorten(m.Title, memory.MaxTitle), Tags: m.Tags[:min(shownTags, len(m.Tags))],
			})
		}
		if had+len(c.Existing)+len(c.Files) > 0 {
			if err := s.Desk.Write(c.Name(), c.Encode()); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearby are the memories of a context's category that are worth reading.
func nearby(index *recall.Index, c stage.Context) ([]recall.Entry, error) {
	all, err := index.List(c.Category, readAll+1)
	if err != nil || len(all) <= readAll {
		return all, err
	}
	hits, err := index.Similar(memory.Record{Category: c.Category, Title: strings.Join(c.Snippets, "\n")}, searched, false)
	var near []recall.Entry
	for _, h := range hits {
		near = append(near, h.Entry)
	}
	return near, err
}

// Count adds what was done to the activity that a session summary is for.
func Count(a *stage.Activity, entries []transcript.Entry) {
	for _, e := range entries {
		switch {
		case e.Tool != "":
			a.Add(e.Tool)
		case e.Who == transcript.Person:
			a.Turns++
			a.Exchanges++
		case e.Who == transcript.Assistant:
			a.Exchanges++
		}
	}
}

// Done is what was done since the last summary.
func Done(st stage.State) triage.Activity {
	a := st.Activity
	return triage.Activity{Tools: a.Tools, Distinct: len(a.Names), Exchanges: a.Exchanges, Turns: a.Turns}
}

// Summary is the context of a session summary and what the person asked for
// meanwhile, when enough was done since the last one for another, or it is asked
// for whatever was done.
func (s *Session) Summary(st *stage.State, t Transcript, asked bool) (c stage.Context, requests []string, enough bool) {
	a := Done(*st)
	o := s.Config.TriageOptions()
	sig, enough := triage.Summary(a, o)
	if !enough && asked && !o.Off[memory.SessionSummary] {
		sig, enough = triage.Signal{Category: memory.SessionSummary, Score: triage.Max}, true
	}
	if !enough {
		return c, nil, false
	}
	said := Since(t, st.Activity.From)
	for _, p := range said {
		if p.By == triage.Person {
			requests = append(requests, secret.Redact(p.Text))
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
