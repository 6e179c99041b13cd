package alike

import "testing"

func TestNotes(t *testing.T) {
	const postgres = "Decided to use Postgres over SQLite for the memory store, scaling concern."
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{postgres, postgres, true},
		{postgres, "We went with Postgres instead of SQLite for the memory store, because of scaling.", true},
		{postgres, "The memory store uses Postgres rather than SQLite, since it scales.", true},
		{postgres, "For the memory store we picked Postgres over SQLite.", true},
		{postgres, "Decided to use SQLite over Postgres for the memory store, scaling concern.", false},
		{postgres, "Decided not to use Postgres over SQLite for the memory store, scaling concern.", false},
		{postgres, "Decided to use Postgres for the job queue.", false},
		{postgres, "Decided to use MySQL over SQLite for the memory store, scaling concern.", false},
		{"Rotate the key of Stripe every month", "Rotate the key of Twilio every month", false},
		{"Rotate the key of Stripe every month", "The Stripe key must be rotated each month", true},
		{"Keep at most 5 summaries", "Keep at most 7 summaries", false},
		{"Pin the client to v2.1.197 until the hooks are fixed",
			"The client stays pinned to v2.1.329 until the hooks are fixed", false},
		// a word in lower case is no name
		{"The importer fails on an empty row", "The exporter fails on an empty row", true},
		{"The latency board is at grafana.internal/d/api", "The alarm board is at grafana.internal/d/alarm",
			false},
		{"Write to ops@example.org before a deploy", "Write to sales@example.org before a deploy", false},
		{"The board of the API is at grafana.internal/d/api",
			"See grafana.internal/d/api for the board of the API", true},
		{"決めた:Postgresを使う", "決めた:Postgresを使う", true},
		{"", "", true},
		{"", postgres, false},
		{"the", "an", false},
	} {
		if got := Notes(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
		if Notes(tt.a, tt.b) != Notes(tt.b, tt.a) {
			t.Errorf("%q and %q: not the same both ways", tt.a, tt.b)
		}
	}
}

func FuzzNotes(f *testing.F) {
	f.Add("Use Postgres over SQLite, don't ask", "not 5’")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Notes(a, b) != Notes(b, a) {
			t.Error("not the same both ways")
		}
		if !Notes(a, a) {
			t.Error("not like itself")
		}
	})
}
