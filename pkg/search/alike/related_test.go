package alike

import (
	"fmt"
	"testing"

	"keepsake/pkg/memory"
)

func TestRelated(t *testing.T) {
	record := func(id, title, decision string) memory.Stored {
		return memory.Stored{Path: "decisions/" + id + ".json", Record: memory.Record{
			Category: memory.Decision, ID: id, Title: title, Status: memory.Active,
			Content: memory.Content{"decision": decision},
		}}
	}
	store := []memory.Stored{
		record("billing-db", "Use Postgres for billing",
			"Billing is kept in Postgres because it needs transactions"),
		record("logs", "Ship logs with Vector", "Vector sends the logs to Loki"),
		record("cache", "Cache sessions in Redis", "Sessions live in Redis for an hour"),
	}
	store[2].Tags = []string{"session-store", "rate-limit"}
	gone := record("old-billing", "Use SQLite for billing", "Billing in SQLite")
	gone.Status = memory.Retired
	store = append(store, gone)
	for name, c := range map[string]struct {
		quote string
		want  string
	}{
		"a change of mind": {"We decided to use MySQL instead of PostgreSQL for billing.", "[billing-db]"},
		"something else":   {"We decided to write the docs with mdBook.", "[]"},
		"the same again":   {"Logs are shipped with Vector, as decided.", "[logs]"},
		"only in the tags": {"The rate limit is 100 a minute.", "[cache]"},
		"nothing said":     {"", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			ids := []string{}
			for _, r := range Related(memory.Decision, []string{c.quote}, store, 5) {
				ids = append(ids, r.ID)
			}
			if got := fmt.Sprint(ids); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	if got := Related(memory.Runbook, []string{"Postgres for billing"}, store, 5); len(got) != 0 {
		t.Errorf("of another category: %v", got)
	}
}
