package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/config"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// Capture notices what a conversation holds that may be worth keeping.
type Capture struct{ *Findings }

// Noticed is everything in a stretch of the conversation that may be worth keeping.
type Noticed struct {
	Findings []finding.Finding // in the order they were said, not numbered yet
	Turned   []finding.Move    // of findings that the person took back
	Explicit bool              // the person asked to have something remembered

	said    []triage.Passage
	quotes  map[string]triage.Quote // by the digest of the finding, where its words were said
	boosted map[string]bool         // by the digest: a reason or a contrast made it surer
}

// What was said after a mark is explained by the exchanges before it. For these backBytes of the
// transcript are read, and for the last words alone lastBytes. Where that holds fewer exchanges, four
// times as much is read, up to maxBack.
const (
	lastBytes = 32 << 10
	backBytes = 128 << 10
	maxBack   = 2 << 20
)

// Before returns what reads what was said before a mark, for Notice. counted is what the last reading
// had from its event and the file has only now.
func Before(t transcript.Source, mark finding.Mark, counted []transcript.Entry) explain.Earlier {
	past := transcript.NewPast(t, mark.Offset)
	var entries []transcript.Entry
	read, prompts := int64(0), 0
	return func(exchanges int) []transcript.Entry {
		size := int64(backBytes)
		if exchanges == 0 {
			size = lastBytes
		}
		for size = max(size, read); size <= maxBack; size *= 4 {
			if size > read {
				said, _ := past.Read(size) // without, less is explained
				entries, read, prompts = slices.Clip(append(said, counted...)), size, 0
				for _, e := range said {
					if e.Who == transcript.Person && e.Text != "" {
						prompts++
					}
				}
			}
			if len(entries) > 0 && prompts >= exchanges || read >= mark.Offset {
				break
			}
		}
		return entries
	}
}

// Notice returns what of a conversation may be worth keeping, by this project's settings, and what
// explains it. before, which may be nil, returns what was said before it, for context only.
func (ca *Capture) Notice(before explain.Earlier, entries []transcript.Entry) Noticed {
	n := Noticed{said: Passages(entries)}
	heard := explain.Listen(before, entries, ca.Options())
	base := finding.Finding{Session: ca.ID, Origin: finding.FromPerson}
	turns := slices.ContainsFunc(entries, func(e transcript.Entry) bool {
		return e.Who == transcript.Person && change.MayTurn(e.Text)
	})
	if len(heard) == 0 && !turns {
		return n
	}
	base.Branch, base.Commit = ca.Head(ca.Root)
	switch {
	case ca.nested():
		base.Origin = finding.NoOrigin // an agent wrote the prompt to support its own words
	case ca.attends() != nil:
		base.Origin = finding.FromAgent // nobody sits there: whoever wrote the prompt is a program
	}
	n.quotes, n.boosted = map[string]triage.Quote{}, map[string]bool{}
	for _, h := range heard {
		st, f := h.Statement, FindingOf(h, entries[h.Entry], base)
		n.Findings = append(n.Findings, f)
		n.quotes[f.Digest], n.boosted[f.Digest] = st.Quote(), st.Boosted
		n.Explicit = n.Explicit || st.Explicit
	}
	// What is offered has the first numbers.
	slices.SortStableFunc(n.Findings, func(a, b finding.Finding) int {
		switch {
		case a.Level == b.Level:
			return 0
		case a.Level == finding.Sure:
			return -1
		}
		return 1
	})
	if turns && ca.Config.Capture.OnStop != config.Off {
		if err := n.addChanges(ca, before, entries, base); err != nil {
			ca.Fault("notice", "what a person takes back could not be held against the memories", err)
		}
	}
	return n
}

// FindingOf returns the finding that a statement in an entry makes, with what base says of its session.
func FindingOf(h explain.Heard, e transcript.Entry, base finding.Finding) finding.Finding {
	f, st := base, h.Statement
	f.Text, f.By = text.OneLine(secret.Redact(h.Text)), h.By
	f.Record, f.Offset, f.Time = e.UUID, e.Offset, e.Time.UTC()
	f.Category, f.Moment, f.Score, f.Cue, f.Level, f.Explicit = st.Category, st.Moment, st.Score, st.Cue,
		st.Level, st.Explicit
	f.Origin = originOf(base.Origin, h.By, e.Marked)
	f.Context = redacted(h.Context)
	if f.Time.IsZero() {
		f.Time = time.Now().UTC()
	}
	f.Digest = finding.Digest(f.Text)
	return f
}

// redacted returns lines without the secrets in them.
func redacted(lines []finding.Line) (out []finding.Line) {
	for _, l := range lines {
		l.Text = secret.Redact(l.Text)
		out = append(out, l)
	}
	return out
}

// originOf returns whose words a statement is, given whose the session's prompts are, who said it,
// and how its line is marked. In a session in which a person sits, the prompt of a program came
// from outside: an agent can start a client that goes on with the session.
func originOf(prompts finding.Origin, by finding.Speaker, m transcript.Marked) finding.Origin {
	switch {
	case !by.Person():
		return finding.FromAgent
	case m == transcript.ByHand:
		return prompts
	case m == transcript.BySDK && prompts == finding.FromPerson:
		return finding.Tainted
	}
	return prompts.Worse(finding.FromAgent)
}

// excerptWith adds to an excerpt what explains findings and is not in it: what was said before, a
// question with its options, a plan.
func excerptWith(excerpt string, findings []finding.Finding) string {
	for _, f := range findings {
		missing := slices.ContainsFunc(f.Context,
			func(l finding.Line) bool { return !strings.Contains(excerpt, l.Text) })
		if missing {
			excerpt += "\n---\n" + excerptOf(f)
		}
	}
	return strings.TrimPrefix(excerpt, "\n---\n")
}

// Contexts returns what drafters read of the findings that were added to the journal: one context
// for each category with a sure finding. With near, findings that come near their threshold count
// too.
func (ca *Capture) Contexts(n Noticed, added []finding.Finding, near bool) (all []stage.Context) {
	o := ca.Config.TriageOptions()
	for _, cat := range memory.Categories() {
		sig := triage.Signal{Category: cat}
		var snippets []stage.Snippet
		var chosen []finding.Finding
		for _, f := range added {
			if f.Category != cat || f.Level != finding.Sure &&
				!(near && o.Nearly(triage.Statement{Category: cat, Score: f.Score})) {
				continue
			}
			sig.Score = max(sig.Score, f.Score)
			if q, ok := n.quotes[f.Digest]; ok {
				sig.Quotes = append(sig.Quotes, q)
			}
			chosen = append(chosen, f)
			snippets = append(snippets, stage.Snippet{Number: f.Number, Text: f.Text})
		}
		if len(snippets) == 0 {
			continue
		}
		c := ca.newContext(sig, excerptWith(triage.Excerpt(n.said, sig), chosen))
		c.Snippets = snippets
		all = append(all, c)
	}
	return all
}

// newContext returns a context of a category without findings.
func (ca *Capture) newContext(sig triage.Signal, excerpt string) stage.Context {
	return stage.Context{Category: sig.Category, Score: sig.Score,
		Description: ca.Config.Categories[sig.Category].Description, Excerpt: excerpt}
}

// maxRelated is how many existing memories a drafter is shown.
const maxRelated = 5

// shownTags is how many tags of each it is shown.
const shownTags = 5

// In a category of at most readAll memories each is looked at. In a larger one the search index
// picks as many as searched, nearest to the quotes. Reading a record costs about 30 µs, and Stop
// waits for it.
const (
	readAll  = 100
	searched = 60
)

// Relate adds to the contexts on the desk the memories that they may be about, so that a draft can
// name the one it changes, and what the client's own memory has, so that nothing is kept twice.
func (s *Session) Relate() error {
	contexts, err := s.Desk.Contexts()
	if err != nil && len(contexts) == 0 {
		return err
	}
	files, merr := s.Manifest()
	return errors.Join(merr, s.Index(func(index *records.Index) error {
		return s.relate(contexts, files, index)
	}))
}

func (ms *Memories) relate(contexts []stage.Context, files []string, index *records.Index) error {
	st := ms.Store()
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
			// The index may be older than the store. A drafter is not told of held memories.
			if m, err := st.Read(e.Path); err == nil && !ms.TrustOf(m).Held {
				existing = append(existing, m)
			}
		}
		had := len(c.Existing) + len(c.Files)
		c.Existing, c.Files = nil, files
		for _, m := range alike.Related(c.Category, c.Texts(), existing, maxRelated) {
			c.Existing = append(c.Existing, stage.Known{
				ID: m.ID, Title: text.Shorten(m.Title, memory.MaxTitle),
				Tags: m.Tags[:min(shownTags, len(m.Tags))],
			})
		}
		if had+len(c.Existing)+len(c.Files) > 0 {
			if err := ms.Desk.Write(c.Name(), c.Encode()); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearby returns the memories of a context's category that are worth reading.
func nearby(index *records.Index, c stage.Context) ([]records.Entry, error) {
	all, err := index.List(c.Category, readAll+1)
	if err != nil || len(all) <= readAll {
		return all, err
	}
	hits, err := index.Similar(memory.Record{Category: c.Category, Title: strings.Join(c.Texts(), "\n")},
		searched, false)
	var near []records.Entry
	for _, h := range hits {
		near = append(near, h.Entry)
	}
	return near, err
}

// Count adds to the activity that a session summary is made for what was done in some entries.
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

// ActivityOf returns what was done since the last summary.
func ActivityOf(st stage.State) triage.Activity {
	a := st.Activity
	return triage.Activity{Tools: a.Tools, Distinct: len(a.Names), Exchanges: a.Exchanges, Turns: a.Turns}
}

// Summary returns the context of a session summary, and what the person asked for since the last
// one. enough reports whether enough was done for another summary. asked wants one whatever was
// done.
func (ca *Capture) Summary(st *stage.State, t Transcript, asked bool) (c stage.Context, requests []string,
	enough bool) {
	a := ActivityOf(*st)
	o := ca.Config.TriageOptions()
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
	excerpt := fmt.Sprintf("  tool uses: %d\n  distinct tools: %d\n  exchanges: %d\n\n%s", a.Tools,
		a.Distinct, a.Exchanges, triage.Excerpt(said, sig))
	return ca.newContext(sig, excerpt), requests, true
}
