package backfill

import (
	"testing"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
)

func TestRuleOf(t *testing.T) {
	off := triage.Options{Off: map[memory.Category]bool{memory.Decision: true}}
	for name, tt := range map[string]struct {
		value, reason string
		options       triage.Options
		text          string
		want          memory.Category
	}{
		"a decision": {"We decided to use chi as the router", "it is small.", triage.Options{},
			"We decided to use chi as the router because it is small.", memory.Decision},
		"a decision that nobody wants": {"We decided to use chi as the router.", "Stated in AGENTS.md.", off,
			"We decided to use chi as the router.", memory.Preference},
		"a constraint": {"Uploads must not be larger than 5 MB.", "Stated in AGENTS.md.", triage.Options{},
			"Uploads must not be larger than 5 MB.", memory.Constraint},
		"hardly a decision": {"Use tabs", "gofmt does.", triage.Options{}, "Use tabs because gofmt does.",
			memory.Preference},
		"a rule": {"Errors are lower case", "Stated in AGENTS.md.", triage.Options{}, "Errors are lower case",
			memory.Preference},
	} {
		t.Run(name, func(t *testing.T) {
			f := ruleOf(exchange.Offer{Record: memory.Record{Category: memory.Preference,
				Content: memory.Content{"value": tt.value, "reason": tt.reason}}}, tt.options)
			if f.Text != tt.text || f.Category != tt.want {
				t.Errorf("%q is a %s, want a %s", f.Text, f.Category, tt.want)
			}
		})
	}
}

func TestParseDecision(t *testing.T) {
	for name, tt := range map[string]struct {
		text, title, said string
		holds             bool
	}{
		"Nygard": {"# 7. Use Postgres\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nWe " +
			"need jsonb.\n\n## Decision\n\nWe will use Postgres\nfor the jobs.\n\nMore.\n\n## " +
			"Consequences\n\nNone.\n",
			"Use Postgres", "We will use Postgres for the jobs.", true},
		"MADR": {"---\nstatus: accepted\n---\n# Use Postgres\n\n## Decision Drivers\n\n* jsonb\n\n## " +
			"Decision Outcome\n\nChosen option: \"Postgres\", because of jsonb.\n", "Use Postgres",
			"Chosen option: \"Postgres\", because of jsonb.", true},
		"paragraphs": {"# ADR-0007: Use Postgres\n\n**Context.** X.\n\n**Decision.** We use\nPostgres.\n\n" +
			"**Consequences.** Y.\n", "Use Postgres", "We use Postgres.", true},
		"a comment before it": {"# Use Postgres\n\n## Decision\n\n<!-- what we do -->\nWe use Postgres.\n",
			"Use Postgres", "We use Postgres.", true},
		"superseded": {"# 1. Use Redis\n\n## Status\n\nSuperseded by [2](2.md)\n\n## Decision\n\nRedis.\n",
			"Use Redis", "Redis.", false},
		"proposed": {"# Use Redis\n\n* Status: proposed\n\n## Decision\n\nRedis.\n",
			"Use Redis", "Redis.", false},
		"bold status": {"# Use Redis\n\n**Status:** Deprecated\n\n## Decision\n\nRedis.\n",
			"Use Redis", "Redis.", false},
		"front matter": {"---\nstatus: rejected\n---\n# Use Redis\n\n## Decision\n\nRedis.\n",
			"Use Redis", "Redis.", false},
		"a readme":       {"# Decisions\n\nThey are listed here.\n", "Decisions", "", true},
		"an empty one":   {"# Use Redis\n\n## Decision\n\n## Consequences\n\nX.\n", "Use Redis", "", true},
		"nothing":        {"", "", "", true},
		"a heading only": {"**Decision.**", "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			title, said, holds := parseDecision([]byte(tt.text))
			if title != tt.title || said != tt.said || holds != tt.holds {
				t.Errorf("%q, %q, holds %v", title, said, holds)
			}
		})
	}
}

func FuzzParseDecision(f *testing.F) {
	f.Add([]byte("# 7. Use Postgres\n\n## Decision\n\nWe use Postgres.\n"))
	f.Add([]byte("**Decision.** x\nStatus: accepted\n"))
	f.Add([]byte(" **Decision**"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, said, _ := parseDecision(b); len(said) > maxDecision {
			t.Errorf("%d bytes", len(said))
		}
	})
}
