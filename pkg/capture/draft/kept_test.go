package draft

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// TestStates: a text states words that it has as a sentence, or that it goes on from.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		text, said string
		want       bool
	}{
		{"Use Postgres for billing.", "use  Postgres for billing", true},
		{"Use Postgres for billing. It has jsonb.", "Use Postgres for billing.", true},
		{"It has jsonb. Use Postgres for billing", "Use Postgres for billing.", true},
		{"Use Postgres for billing, and for mail", "Use Postgres for billing", true},
		{"Use Postgres for billing and for mail", "Use Postgres for billing", true},
		{"Said: use Postgres for billing", "Use Postgres for billing", true},
		{"Use Postgres for billings", "Use Postgres for billing", false},
		{"Nobody wants to use Postgres for billing", "Use Postgres for billing", false},
		{"Use Postgres for billing no longer", "Use Postgres for billing", false},
		{"Use Postgres for billing is wrong", "Use Postgres for billing", false},
		{"Use Postgres for billing?", "Use Postgres for billing", false},
		{"Use MySQL for billing", "Use Postgres for billing", false},
		{"C++ everywhere", "C#", false},
		{"", "Use Postgres", false},
		{"Anything", "", true},
	} {
		if got := statesWords(c.text, c.said); got != c.want {
			t.Errorf("%q in %q: %v", c.said, c.text, got)
		}
	}
}

// TestSaidStays: an update adds to what a person said, in each kind of field, and to the grounds of a choice.
// It replaces the rest.
func TestSaidStays(t *testing.T) {
	content := func(change func(memory.Content)) memory.Content {
		c := memory.Content{
			"status": "accepted", "context": "Jobs got lost.", "decision": "The job queue is in Postgres.",
			"rationale":    []string{"jobs survive", "one store less"},
			"consequences": []string{"a table"},
			"alternatives": []map[string]string{{"option": "Redis", "rejected_reason": "it loses jobs"},
				{"option": "Kafka", "rejected_reason": "too large"}},
		}
		if change != nil {
			change(c)
		}
		return c
	}
	said := map[string][]string{
		"title": {"Queue in Postgres"}, "content.decision": {"The job queue is in Postgres."},
		"content.rationale": {"jobs survive"}, "content.alternatives": {"Redis", "it loses jobs"},
	}
	old := record(memory.Decision, "queue", []string{"queue"}, content(nil))
	old.Title = "Queue in Postgres"
	for name, tt := range map[string]struct {
		draft, want memory.Content
		title       string
		theirs      string
		stays       string // in the notes
	}{
		"a text": {
			draft: memory.Content{"decision": "The job queue is in Postgres with SKIP LOCKED"},
			want: content(func(c memory.Content) {
				c["decision"] = "The job queue is in Postgres with SKIP LOCKED"
			}),
		},
		"a text in other words": {
			draft: memory.Content{"decision": "Workers read the queue in Postgres with SKIP LOCKED"},
			want: content(func(c memory.Content) {
				c["decision"] = "The job queue is in Postgres. Workers read the queue in Postgres with " +
					"SKIP LOCKED"
			}), stays: "content.decision",
		},
		"a text of nothing new": {
			draft: memory.Content{"decision": "Postgres has the job queue"}, want: content(nil),
			stays: "content.decision",
		},
		"the agent's text": {
			draft: memory.Content{"consequences": []string{"a job table"}},
			want:  content(func(c memory.Content) { c["consequences"] = []string{"a job table"} }),
		},
		"what the choice was made for": {
			draft: memory.Content{"context": "Redis lost them."},
			want:  content(func(c memory.Content) { c["context"] = "Jobs got lost. Redis lost them." }),
		},
		"the same, said at more length": {
			draft: memory.Content{"context": "Jobs got lost. That was in May."},
			want:  content(func(c memory.Content) { c["context"] = "Jobs got lost. That was in May." }),
		},
		"the person's newer text": {
			draft:  memory.Content{"decision": "The job queue is in Postgres 17"},
			theirs: "The job queue is in Postgres 17",
			want:   content(func(c memory.Content) { c["decision"] = "The job queue is in Postgres 17" }),
		},
		"a list": {
			draft: memory.Content{"rationale": []string{"it is fast"}},
			want: content(func(c memory.Content) {
				c["rationale"] = []string{"jobs survive", "one store less", "it is fast"}
			}),
		},
		"alternatives": {
			draft: memory.Content{"alternatives": []map[string]string{{"option": "NATS",
				"rejected_reason": "new"}}},
			want: content(func(c memory.Content) {
				c["alternatives"] = []map[string]string{{"option": "Redis",
					"rejected_reason": "it loses jobs"},
					{"option": "NATS", "rejected_reason": "new"}}
			}), stays: "content.alternatives",
		},
		"a title": {
			draft: memory.Content{"context": "c"}, title: "How jobs wait",
			want:  content(func(c memory.Content) { c["context"] = "Jobs got lost. c" }),
			stays: "title",
		},
	} {
		was := stored(old)
		d := Draft{Category: memory.Decision, Target: "queue", Title: tt.title, Summary: "s",
			ChangeSummary: "s",
			Content:       tt.draft}
		in := Input{Drafts: []Draft{d}, Existing: []memory.Stored{was}, Now: now,
			Said:   func(memory.Stored) (map[string][]string, bool) { return said, true },
			Theirs: func(_ Draft, text string) bool { return text == tt.theirs },
		}
		p, out := Resolve(in)
		got := was.Record
		if out[0].State == Update {
			check(t, p, []memory.Stored{was})
			got, _ = memory.Decode(p.Edits[0].After)
		}
		if out[0].State == Nothing != (name == "a text of nothing new") {
			t.Errorf("%s: %+v", name, out)
		}
		if tt.stays == "title" && got.Title != old.Title {
			t.Errorf("%s: %s", name, got.Title)
		}
		want := memory.Record{Category: got.Category, Content: tt.want}
		if a, b := (memory.Record{Category: got.Category, Content: got.Content}).Body(), want.Body(); a != b {
			t.Errorf("%s:\n got %s\nwant %s", name, a, b)
		}
		notes := strings.Join(out[0].Notes, "\n")
		if tt.stays != "" != strings.Contains(notes, "what the user said stays") ||
			!strings.Contains(notes, tt.stays) {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

// TestAgentEndsNothing: no status, retirement or unfit addition of an agent's ends what a person said, unless
// the person's words back it.
func TestAgentEndsNothing(t *testing.T) {
	for _, c := range []memory.Category{memory.TechDebt, memory.Constraint, memory.Runbook, memory.Decision} {
		old := recordOf(c, "queue")
		for name, tt := range map[string]struct {
			draft  Draft
			ends   State // if an agent ends it alone
			backed State
		}{
			"hint": {Draft{Hints: []string{"resolved"}}, Update, Update},
			"gone": {Draft{Intended: "delete"}, Retire, Retire},
		} {
			if name == "hint" && c == memory.Runbook {
				continue
			}
			if c == memory.Decision { // its origin is unknown
				tt.ends, tt.backed = Rejected, Rejected
				if name == "hint" {
					tt.ends = Update
				}
			}
			d := tt.draft
			d.Category, d.Target, d.Summary, d.Tags = c, old.ID, "It is over.", []string{"untagged"}
			for _, persons := range []bool{false, true} {
				for _, backed := range []bool{false, true} {
					d.Backed = backed
					in := Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now}
					in.Said = func(memory.Stored) (map[string][]string, bool) { return nil, persons }
					p, out := Resolve(in)
					want := tt.ends
					switch {
					case persons && !backed:
						want = Rejected
					case persons && c == memory.Decision:
						want = Rejected // words that only mention it end nothing
					}
					if out[0].State != want || want == Rejected && (len(p.Edits) > 0 ||
						out[0].Code != memory.CodeUnbacked) {
						t.Errorf("%s, %s, persons %v, backed %v: %+v, want %s", c, name, persons, backed,
							out[0], want)
					}
				}
			}
		}
	}
}

// TestUnfit: an update that would make a memory unfit to be shown is refused, unless a person saw it.
func TestUnfit(t *testing.T) {
	old := recordOf(memory.Runbook, "queue")
	d := Draft{Category: memory.Runbook, Target: old.ID, Summary: "s", ChangeSummary: "s",
		Content: memory.Content{"root_cause": "curl x"}}
	asked := 0
	in := Input{Existing: []memory.Stored{old}, Now: now,
		Unfit: func(before memory.Stored, after memory.Record, d Draft) string {
			asked++
			if before.Path != old.Path || after.Content["root_cause"] != d.Content["root_cause"] {
				t.Errorf("%+v, %+v", before, after)
			}
			if after.Content["root_cause"] == "curl x" {
				return "nobody said curl"
			}
			return ""
		}}
	in.Drafts = []Draft{d, with(d, func(d *Draft) { d.Content = memory.Content{"root_cause": "a lock"} })}
	p, out := Resolve(in)
	if out[0].State != Rejected || out[0].Code != memory.CodeUnbacked || out[1].State != Update ||
		!strings.Contains(out[0].Reason, "nobody said curl") || len(p.Edits) != 1 || asked != 2 {
		t.Errorf("%+v", out)
	}
	d.Approved = true
	in.Drafts = []Draft{d}
	if _, out := Resolve(in); out[0].State != Update || asked != 2 {
		t.Errorf("%+v", out)
	}
}

// TestSaidInABatch: of two drafts for one record neither removes what a person said.
func TestSaidInABatch(t *testing.T) {
	old := record(memory.Decision, "queue", []string{"queue"}, goodDraft().Content)
	was := stored(old)
	d := Draft{Category: memory.Decision, Target: "queue", Summary: "s", ChangeSummary: "s"}
	in := Input{Existing: []memory.Stored{was}, Now: now,
		Said: func(m memory.Stored) (map[string][]string, bool) {
			if m.Digest != was.Digest {
				t.Errorf("asked about %s", m.Digest)
			}
			return map[string][]string{"content.rationale": {"transactions"}}, true
		}}
	for _, r := range []string{"it is fast", "it is known"} {
		d.Content = memory.Content{"rationale": []string{r}}
		in.Drafts = append(in.Drafts, d)
	}
	p, out := Resolve(in)
	if len(p.Edits) != 1 || p.Edits[0].Verb != plan.Update {
		t.Fatalf("%+v", out)
	}
	r, _ := memory.Decode(p.Edits[0].After)
	want := []string{"transactions", "known", "it is fast", "it is known"}
	if got := r.Content["rationale"].([]string); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestAdded: texts without an end and texts of unknown origin are not kept for ever.
func TestAdded(t *testing.T) {
	long := strings.Repeat("A sentence of the record. ", 39)
	for name, c := range map[string]struct{ old, now, want any }{
		"nothing recorded":  {Unsaid, "jobs", "jobs"},
		"none":              {nil, "jobs", "jobs"},
		"too long":          {long, "jobs and mails", "jobs and mails"},
		"no end":            {"we are two", "jobs", "we are two. jobs"},
		"a list of nothing": {[]string{Unsaid}, []string{"a"}, []string{"a"}},
		"too many": {strings.Fields("alpha beta gamma delta epsilon zeta eta theta"), []string{"a new one"},
			[]string{"a new one"}},
	} {
		if got := withAdded(c.old, c.now); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
