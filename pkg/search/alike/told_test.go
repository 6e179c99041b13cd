package alike

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestTold: what was told is not news, and what adds something is.
func TestTold(t *testing.T) {
	var told Told
	for _, text := range []string{
		"Use pnpm, not npm.",
		"**Never** mock the database in integration tests; a real Postgres runs in CI.",
		"We keep the billing jobs in Postgres because Redis lost them on restart.",
		"Run `make lint` before every commit.",
		"The staging cluster is called heron.",
		"Deploys to production need two approvals",
		"Wir nutzen Postgres für die Abrechnung.",
	} {
		told.Add("CLAUDE.md", text)
	}
	for statement, want := range map[string]bool{
		"Use pnpm, not npm":                             true,
		"We use pnpm and not npm.":                      true,
		"Never mock the database in integration tests.": true,
		"We keep the billing jobs in Postgres.":         true,
		"The staging cluster is called heron":           true,
		"We decided to keep the billing jobs in Postgres because Redis lost them on restart.": true,
		"We keep the billing jobs in Postgres because Redis lost them.":                       true,
		"We keep the billing jobs in Postgres because Redis is slow.":                         false,
		"We keep the billing jobs in Redis because Redis lost them on restart.":               false,
		"Production deploys need two approvals.":                                              true,
		"Use npm, not pnpm":                                                                   false,
		"Mock the database in integration tests.":                                             false,
		"We keep the billing jobs in Redis.":                                                  false,
		"The staging cluster is called pelican.":                                              false,
		"Production deploys need three approvals.":                                            false,
		"We keep the invoices in Postgres.":                                                   false,
		"Never mock the clock in integration tests.":                                          false,
		"Use pnpm, not npm, since workspaces need it.":                                        false,
		"Run `make lint` before a commit and `make e2e`":                                      false,
		"":  false,
		"?": false,
	} {
		from, ok := told.Says(statement)
		if ok != want || ok != (from == "CLAUDE.md") {
			t.Errorf("%q: %q, %t; want %t", statement, from, ok, want)
		}
	}
}

func record(c memory.Category, title string, content memory.Content) memory.Record {
	return memory.Record{Category: c, Title: title, Status: memory.Active, Content: content}
}

// TestToldRecord: a record was told when all of its points were.
func TestToldRecord(t *testing.T) {
	pnpm := record(memory.Preference, "Use pnpm, not npm", memory.Content{"topic": "package manager",
		"value": "pnpm", "reason": "workspaces"})
	billing := record(memory.Decision, "Billing uses Postgres", memory.Content{
		"context": "Billing needs transactions.", "decision": "Use Postgres 16 for billing.",
		"rationale": []string{"SQLite takes one writer at a time"}})
	shorter := record(memory.Decision, "Use Postgres 16 for billing", memory.Content{
		"decision": "Billing uses Postgres 16.", "rationale": []string{"transactions"}})
	other := record(memory.Decision, "Use Postgres 16 for invoices", memory.Content{
		"decision": "Invoices use Postgres 16.", "rationale": []string{"transactions"}})
	newer := record(memory.Decision, "Use Postgres 17 for billing", memory.Content{
		"decision": "Billing uses Postgres 17.", "rationale": []string{"transactions"}})
	runbook := record(memory.Runbook, "Restart the importer", memory.Content{
		"trigger": "The importer hangs.", "steps": []string{"Run make importer-stop.", "Delete the lock."}})
	for name, tt := range map[string]struct {
		told  []string
		first memory.Record
		then  memory.Record
		want  bool
	}{
		"a line of a file":        {told: []string{"- Use pnpm, not npm"}, then: pnpm, want: true},
		"another line":            {told: []string{"- Use npm, not pnpm"}, then: pnpm},
		"only what names it":      {told: []string{"Billing uses Postgres."}, then: billing},
		"itself":                  {first: billing, then: billing, want: true},
		"the same, in other form": {first: billing, then: shorter, want: true},
		"of another thing":        {first: billing, then: other},
		"another version":         {first: billing, then: newer},
		"a runbook's trigger":     {told: []string{"Restart the importer when it hangs."}, then: runbook},
		"a runbook":               {first: runbook, then: runbook, want: true},
		"nothing":                 {then: pnpm},
	} {
		t.Run(name, func(t *testing.T) {
			var told Told
			for _, text := range tt.told {
				told.Add("CLAUDE.md", text)
			}
			if tt.first.Title != "" {
				told.AddRecord("first.json", tt.first)
			}
			if from, ok := told.SaysRecord(tt.then); ok != tt.want || ok != (from != "") {
				t.Errorf("%q, %t; want %t", from, ok, tt.want)
			}
		})
	}
}

// TestToldTurnedAround: what a text takes back or ends isn't told by it.
func TestToldTurnedAround(t *testing.T) {
	const said = "We keep the job queue in PostgreSQL instead of Redis, because jobs must survive a restart."
	for lead, want := range map[string]bool{"": true, "Decision: ": true, "It is wrong: ": false,
		"It is wrong that ": false, "Rejected: ": false, "Until May: ": false} {
		var told Told
		told.Add("a.md", lead+said)
		if _, ok := told.Says(said); ok != want {
			t.Errorf("%q: %v", lead, ok)
		}
	}
}

// TestToldHolds: a statement is held by a text in its own words, in their order, and by no other one.
func TestToldHolds(t *testing.T) {
	for said, texts := range map[string]map[string]bool{
		"Kafka for events except for payments in the EU": {
			"Kafka for events, except for payments in the EU.":     true,
			"Kafka for events and for payments in the EU too.":     false,
			"We don't use Kafka for events except for payments.":   false,
			"Kafka for events except for payments in the EU (Ada)": true,
		},
		"Deploy from main and never from release": {
			"Deploy from main and never from release.": true,
			"Deploy from release and never from main.": false,
		},
		"Kafka carries the events of billing because they must survive a restart": {
			"Kafka carries the events of billing.\n\n**Why:** They must survive a restart.": true,
			"Kafka carries the events of billing.\n\n**Why:** They must never be lost.":     false,
			"Kafka carries the events of orders.\n\n**Why:** They must survive a restart.":  false,
		},
		"We raised the limit from 50 to 100": {"We raised the limit from 100 to 50": false},
	} {
		for text, want := range texts {
			told := Told{Split: func(s string) []string { return strings.Split(s, "\n\n") }}
			told.Add("a.md", text)
			if _, ok := told.Holds(said); ok != want {
				t.Errorf("%q holds %q: %v", text, said, ok)
			}
		}
	}
}
