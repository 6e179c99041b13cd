package alike

import (
	"fmt"
	"testing"
)

// TestClusters: sentences of one form about two things become two memories, and paraphrases become one.
func TestClusters(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		apart bool
	}{
		{"We decided to cache users for 5 minutes because they change rarely.",
			"We decided to cache orders for 5 minutes because they change rarely.", true},
		{"We decided to use tool1 for job1 because it is fast.",
			"We decided to use tool11 for job11 because it is fast.",
			true},
		{"We decided to log requests as JSON because Loki parses it.",
			"We decided to log errors as JSON because Loki parses it.", true},
		{"We decided to keep invoices for ten years.", "We decided to keep tickets for ten years.", true},
		{"We decided to cache users for 5 minutes because they change rarely.",
			"Decided: we cache the users for 5 minutes.", false},
		{"We decided to cache users for 5 minutes because they change rarely.",
			"We agreed to cache users for 5 minutes, since nobody edits them.", false},
		{"We decided to use PostgreSQL for billing because we need jsonb.",
			"We use Postgres for billing because its jsonb columns are good.", false},
		{"We decided to keep invoices for ten years.", "We decided to store invoices for ten years.", false},
	} {
		for _, quotes := range [][]string{{c.a, c.b}, {c.b, c.a}} {
			if got := len(Cluster(quotes)); (got == 2) != c.apart {
				t.Errorf("%d of %q", got, quotes)
			}
		}
	}
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("We decided to use tool%d for module%d because it is well tested.",
			i+1, i+1))
	}
	if got := len(Cluster(many)); got != 60 {
		t.Errorf("%d of 60", got)
	}
}

// TestClustersHeldOut has pairs that were written after the code.
func TestClustersHeldOut(t *testing.T) {
	right, wrong := 0, 0
	for _, c := range []struct {
		a, b  string
		apart bool
	}{
		{"We decided to encrypt backups with age because it is simple.",
			"We decided to encrypt exports with age because it is simple.", true},
		{"We chose to rate limit login at 5 per minute.", "We chose to rate limit signup at 5 per minute.",
			true},
		{"The staging cluster is rebuilt every Monday because drift creeps in.",
			"The demo cluster is rebuilt every Monday because drift creeps in.", true},
		{"Let's store avatars in S3 because disks fill up.",
			"Let's store invoices in S3 because disks fill up.", true},
		{"We decided to deploy service7 with Helm.", "We decided to deploy service17 with Helm.", true},
		{"Use pnpm in the frontend because installs are fast.",
			"Use pnpm in the docs because installs are fast.", true},
		{"Wir haben beschlossen, Rechnungen im Archiv zu speichern.",
			"Wir haben beschlossen, Verträge im Archiv zu speichern.", true},
		{"We decided to send receipts by email at once.", "We decided to send reminders by email at once.",
			true},
		{"We decided to retry webhooks three times because receivers flap.",
			"We decided to retry emails three times because receivers flap.", true},
		{"We decided to encrypt backups with age because it is simple.",
			"Backups are encrypted with age, as agreed, because that is simple.", false},
		{"We chose to rate limit login at 5 per minute.", "So login is rate limited at 5 per minute.", false},
		{"Let's store avatars in S3 because disks fill up.", "OK, I store the avatars in S3 from now on.",
			false},
		{"Use pnpm in the frontend because installs are fast.",
			"We use pnpm for the frontend; its installs are fast.", false},
		{"We decided to deploy service7 with Helm.", "Decided: service7 is deployed with Helm.", false},
		{"We decided to send receipts by email at once.", "Receipts are sent by email at once.", false},
		{"We decided to retry webhooks three times because receivers flap.",
			"Webhooks are retried three times because receivers are flaky.", false},
		// These were written after results for the first ones had been seen.
		{"We agreed to pin Terraform modules in infra22.", "We agreed to pin Terraform modules in infra2.",
			true},
		{"Nightly exports go to the warehouse because analysts read them.",
			"Nightly dumps go to the warehouse because analysts read them.", true},
		{"We decided to show prices in euros on the receipt.",
			"We decided to show taxes in euros on the receipt.", true},
		{"The importer skips empty rows because they break totals.",
			"The exporter skips empty rows because they break totals.", true},
		{"We decided to review migrations in pairs.", "We decided to review releases in pairs.", true},
		{"We decided to show prices in euros on the receipt.", "Prices are shown in euros on the receipt.",
			false},
		{"The importer skips empty rows because they break totals.",
			"Noted: the importer skips rows that are empty.", false},
		{"We decided to review migrations in pairs.", "I will have migrations reviewed in pairs.", false},
		{"We agreed to pin Terraform modules in infra22.", "Right, Terraform modules in infra22 get pinned.",
			false},
		{"We went with Vite because Webpack is slow.", "Vite it is, since Webpack is so slow.", false},
		{"The staging cluster is rebuilt every Monday because drift creeps in.",
			"We rebuild the staging cluster every Monday because of drift.", false},
	} {
		if got := len(Cluster([]string{c.a, c.b})); (got == 2) != c.apart {
			t.Logf("%d of %q, %q", got, c.a, c.b)
			wrong++
		} else {
			right++
		}
	}
	if wrong > 2 { // nouns taken for verbs: "exports", "importer"
		t.Errorf("%d right, %d wrong", right, wrong)
	}
}
