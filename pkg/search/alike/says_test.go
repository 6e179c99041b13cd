package alike

import (
	"testing"

	"keepsake/pkg/memory"
)

func TestSays(t *testing.T) {
	for _, tt := range []struct {
		text, statement string
		says, same      bool
	}{
		{"We use Postgres for billing.", "OK, so we use Postgres for billing", true, true},
		{"We use Postgres for billing.", "Remember: we use Postgres for billing!", true, true},
		{"I prefer small commits", "You prefer small commits.", true, true},
		{"The staging server is called heron", "Understood: the staging server is called “heron”.",
			true, true},
		{"Wir nutzen Postgres für die Abrechnung", "Alles klar, wir nutzen Postgres für die Abrechnung.",
			true, true},
		{"We keep the queue in Postgres, because jobs must survive a restart",
			"We keep the queue in Postgres", true,
			false},
		{"We keep the queue in Postgres",
			"We keep the queue in Postgres, because jobs must survive a restart", false,
			false},
		{"We use Postgres for billing", "We use Postgres with PgBouncer for billing", false, false},
		{"We use Postgres for billing", "We use MySQL for billing", false, false},
		{"We use Postgres for billing", "We don't use Postgres for billing", false, false},
		{"Deploy before the freeze", "Deploy after the freeze", false, false},
		{"We might use Postgres for billing", "We use Postgres for billing", false, false},
		{"Backups are kept 30 days", "Backups are kept 90 days", false, false},
		{"Uploads have at most 10 MB", "Uploads have at least 10 MB", false, false},
		{"The Importer calls the Mailer", "The Mailer calls the Importer", false, false},
		{"We deploy on Fridays, and tests run with pytest, and docs are built with Hugo, and mails go out " +
			"by Postmark",
			"We deploy mails", false, false},
		{"Use Redis over Postgres", "Use Postgres over Redis", false, false},
		{"yes", "ok", false, false},
		{"", "Use Postgres", false, false},
	} {
		a, b := SayingOf(tt.text), SayingOf(tt.statement)
		if got := a.Says(b); got != tt.says {
			t.Errorf("%q says %q: %v", tt.text, tt.statement, got)
		}
		if got := Same(a, b); got != tt.same || got != Same(b, a) {
			t.Errorf("%q and %q the same: %v", tt.text, tt.statement, got)
		}
	}
}

func TestRecordSays(t *testing.T) {
	r := memory.Record{Category: memory.Decision, Title: "Job queue in Postgres", Content: memory.Content{
		"decision": "The job queue lives in Postgres.", "context": "Redis lost jobs.",
		"rationale":    []string{"Jobs survive a restart"},
		"alternatives": []map[string]string{{"option": "Redis", "rejected_reason": "loses jobs"}},
	}}
	for statement, want := range map[string]bool{
		"We keep the job queue in Postgres.":                                true,
		"We keep the job queue in Postgres because jobs survive a restart.": true,
		"We keep the job queue in Postgres because it is cheap.":            false,
		"We keep the job queue in Redis.":                                   false,
		"We keep the job queue in Postgres, in a schema of its own.":        false,
		"Postgres":                       false,
		"The mail queue is in Postgres.": false,
	} {
		if got := RecordSaying(r).Says(SayingOf(statement)); got != want {
			t.Errorf("%q: %v", statement, got)
		}
	}
}
