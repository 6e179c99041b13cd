package draft

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"

	"pgregory.net/rapid"
)

var extractNow = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

func TestExtract(t *testing.T) {
	const (
		queue = "We decided to keep the job queue in PostgreSQL instead of Redis, because jobs must " +
			"survive a restart."
		migrate = "From now on always run migrations with make migrate, so that staging and production " +
			"stay the same."
	)
	for name, tt := range map[string]struct {
		category memory.Category
		quotes   []string
		title    string
		tags     []string
		content  memory.Content
	}{
		"a decision takes its reason from its own words": {
			memory.Decision, []string{queue},
			"We decided to keep the job queue in PostgreSQL instead of Redis",
			[]string{"postgresql", "redis"},
			memory.Content{"status": "accepted", "context": Unsaid, "decision": queue,
				"rationale": []string{"jobs must survive a restart."}},
		},
		"without a reason it says so": {
			memory.Decision, []string{"Let's go with Postgres."},
			"Let's go with Postgres", []string{"postgres"},
			memory.Content{"status": "accepted", "context": Unsaid, "decision": "Let's go with Postgres.",
				"rationale": []string{Unsaid}},
		},
		"two quotes are both kept, a repeated one once": {
			memory.Preference, []string{migrate, "Run migrations  only\nwith make migrate.", migrate},
			"From now on always run migrations with make migrate", []string{"migrations", "migrate"},
			memory.Content{"topic": "From now on always run migrations with make migrate", "value": migrate +
				" Run migrations only with make migrate.", "reason": "staging and production stay the same.",
				"strength": "default"},
		},
		"a runbook's steps are the quotes": {
			memory.Runbook, []string{"The build failed with exit code 137.",
				"The fix was to raise the memory limit."},
			"The build failed with exit code 137", []string{"137"},
			memory.Content{"trigger": "The build failed with exit code 137.",
				"steps": []string{"The build failed with exit code 137.",
					"The fix was to raise the memory limit."}, "verification": Unsaid},
		},
		"a constraint": {
			memory.Constraint, []string{"The API allows 5 requests a second."},
			"The API allows 5 requests a second", []string{"api"},
			memory.Content{"kind": "technical", "rule": "The API allows 5 requests a second.",
				"impact": []string{Unsaid}, "severity": "medium", "active": true},
		},
		"tech debt": {
			memory.TechDebt, []string{"We skip retries for now because the deadline is Friday."},
			"We skip retries for now", []string{"retries"},
			memory.Content{"status": "open", "priority": "medium",
				"description":     "We skip retries for now because the deadline is Friday.",
				"reason_deferred": "the deadline is Friday."},
		},
		"a session keeps its first and its last requests": {
			memory.SessionSummary, []string{"Fix the login.", "2", "3", "4", "5", "Now deploy it."},
			"Session of 2026-11-20: Fix the login", []string{"session-summary"},
			memory.Content{"goal": "Fix the login.", "outcome": "partial",
				"in_progress": []string{"3", "4", "5", "Now deploy it."}},
		},
		"other scripts": {
			memory.Decision, []string{"작업 큐는 레디스 대신 포스트그레스에 두기로 결정했다"},
			"작업 큐는 레디스 대신 포스트그레스에 두기로 결정했다", []string{"포스트그레스에"},
			memory.Content{"status": "accepted", "context": Unsaid,
				"decision": "작업 큐는 레디스 대신 포스트그레스에 두기로 결정했다", "rationale": []string{Unsaid}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, ok := Extract(tt.category, tt.quotes, Quoted, extractNow)
			if !ok {
				t.Fatal("no draft")
			}
			d, notes, err := Parse(b, tt.category)
			if err != nil || len(notes) > 0 {
				t.Fatalf("the draft had to be put right: %v %q\n%s", err, notes, b)
			}
			if d.Title != tt.title {
				t.Errorf("title %q, want %q", d.Title, tt.title)
			}
			if !slices.Equal(slices.Sorted(slices.Values(d.Tags)), slices.Sorted(slices.Values(tt.tags))) {
				t.Errorf("tags %q, want %q", d.Tags, tt.tags)
			}
			if got, want := asJSON(t, d.Content), asJSON(t, tt.content); got != want {
				t.Errorf("content\n%s\nwant\n%s", got, want)
			}
			if d.Origin != "extractive" || d.Confidence == nil || *d.Confidence != 0.5 {
				t.Errorf("origin %q, confidence %v", d.Origin, d.Confidence)
			}
		})
	}
}

func TestExtractWithoutWords(t *testing.T) {
	for _, quotes := range [][]string{nil, {""}, {" \n\t"}, {"…", "—"}} {
		if b, ok := Extract(memory.Decision, quotes, Quoted, extractNow); ok {
			t.Errorf("%q gave %s", quotes, b)
		}
	}
	if b, ok := Extract("gossip", []string{"words"}, Quoted, extractNow); ok {
		t.Errorf("a category that does not exist gave %s", b)
	}
}

// TestExtractInventsNothing: any quotes become a valid record in which every text is a quote, a part of one,
// or Unsaid.
func TestExtractInventsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(memory.Categories()).Draw(t, "category")
		words := rapid.SliceOfN(rapid.SampledFrom([]string{
			"we", "decided", "because", "Because", "so that", "PostgreSQL", "v1.2.3", "—", "é", "数据库",
			"\"quoted\"", "```", "<b>", ".", "\\", strings.Repeat("long", 60),
		}), 1, 30)
		quotes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(words.Draw(t, "words"), " ")
		}), 1, 8).Draw(t, "quotes")
		b, ok := Extract(c, quotes, Quoted, extractNow)
		if words := strings.ContainsFunc(strings.Join(quotes, ""), isWordRune); ok != words {
			t.Fatalf("a draft of %q: %t", quotes, ok)
		}
		if !ok {
			return
		}
		for _, part := range Split(b, c) {
			d, _, err := Parse(part, c)
			if err != nil {
				t.Fatalf("%v\n%s", err, part)
			}
			if _, out := Resolve(Input{Drafts: []Draft{d}, Now: extractNow}); out[0].State != Create {
				t.Fatalf("%s: %s\n%s", out[0].State, out[0].Reason, part)
			}
			said := strings.Join(cleanQuotes(c, quotes), " ")
			for _, f := range memory.Fields(c) {
				var texts []string
				switch v := d.Content[f.Name].(type) {
				case string:
					if f.Kind == memory.Enum {
						continue
					}
					texts = []string{v}
				case []string:
					texts = v
				}
				for _, text := range texts {
					words := strings.TrimSuffix(text, "…")
					if text != Unsaid && !wasSaid(words, cleanQuotes(c, quotes)) &&
						!strings.Contains(said, words) && !wasSaid(words, reasonsIn(cleanQuotes(c, quotes))) {
						t.Fatalf("%s says %q, nobody said that in %q", f.Name, text, said)
					}
				}
			}
		}
	})
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wasSaid reports whether a text is quotes one after the other; the last may be cut.
func wasSaid(text string, quotes []string) bool {
	if text == "" {
		return true
	}
	for _, q := range quotes {
		if strings.HasPrefix(q, text) {
			return true
		}
		if rest, ok := strings.CutPrefix(text, q); ok && (rest == "" || rest[0] == ' ') &&
			wasSaid(strings.TrimPrefix(rest, " "), quotes) {
			return true
		}
	}
	return false
}
