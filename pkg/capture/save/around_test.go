package save

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/upkeep"
)

// TestAroundIsEnough: with what a plan reads of a large store every draft ends as
// it would with the whole, to the byte.
func TestAroundIsEnough(t *testing.T) {
	s := newSession(t)
	put := func(c memory.Category, id, title string, content memory.Content, status memory.Status) {
		t.Helper()
		r := memory.Record{
			Category: c, ID: id, Title: title, Status: status, CreatedAt: "2026-10-01T09:00:00Z",
			UpdatedAt: "2026-10-01T09:00:00Z",
			Tags:      []string{"x"}, Content: content,
		}
		if status == memory.Retired {
			at := "2026-11-20T08:00:00Z"
			r.RetiredAt, r.RetiredReason = &at, &at
		}
		path := filepath.Join(s.MemoryRoot(), memory.Path(c, id))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, r.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	choice := func(context, decision string) memory.Content {
		return memory.Content{"status": "accepted", "context": context, "decision": decision,
			"rationale": []string{"it is known"}}
	}
	for i := range 2 * smallStore {
		put(memory.Decision, fmt.Sprintf("service-%d", i), fmt.Sprintf("Service %d deploys on its own", i),
			choice(fmt.Sprintf("Team %d asked", i), fmt.Sprintf("It has pipeline %d", i)), memory.Active)
	}
	for i := range 8 {
		put(memory.SessionSummary, fmt.Sprintf("session-%d", i), fmt.Sprintf("Session %d", i),
			memory.Content{"goal": fmt.Sprintf("goal %d", i), "outcome": "success",
				"completed": []string{"all"}, "next_actions": []string{}}, memory.Active)
	}
	billing := choice("Billing needs transactions across invoices.", "Billing data lives in Postgres.")
	put(memory.Decision, "use-postgres-for-billing", "Use Postgres for billing", billing, memory.Active)
	put(memory.Decision, "use-redis-for-sessions", "Use Redis for sessions",
		choice("Sessions are short.", "Redis holds them."), memory.Retired)
	if err := os.WriteFile(filepath.Join(s.MemoryRoot(), "decisions", "keep-logs-in-loki.json"),
		[]byte("no JSON"), 0o644); err != nil {
		t.Fatal(err)
	}

	asDraft := func(intended, target, title string, content memory.Content) draft.Draft {
		return draft.Draft{Category: memory.Decision, Intended: intended, Target: target, Title: title,
			Summary: title + ".", Tags: []string{"x"}, Content: content}
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for name, drafts := range map[string][]draft.Draft{
		"word for word": {asDraft("create", "", "Postgres for bills", billing)},
		"by its id": {asDraft("update", "service-77", "Service 77 deploys at night",
			memory.Content{"context": "Nights are quiet"})},
		"by its likeness": {asDraft("", "", "Use Postgres for billing",
			choice("Billing needs transactions across invoices.", "Billing data lives in Postgres 17."))},
		"a name that is held": {asDraft("create", "", "Use Postgres for billing",
			choice("Something else", "Quite another thing"))},
		"retired today": {asDraft("create", "", "Use Redis for sessions",
			choice("Again", "Redis it is"))},
		"a broken file there": {asDraft("create", "", "Keep logs in Loki", choice("Logs", "Loki"))},
		"no such id": {asDraft("update", "../../x", "Nothing like it",
			choice("Whatever", "Nothing"))},
		"two of one name": {asDraft("create", "", "Service 5 deploys on its own", choice("a", "b")),
			asDraft("create", "", "Service 5 deploys on its own", choice("c", "d"))},
		"the window moves": {{Category: memory.SessionSummary, Title: "Session 9", Summary: "s",
			Tags:    []string{"x"},
			Content: memory.Content{"goal": "goal 9", "outcome": "success"}}},
	} {
		for _, limit := range []int{0, 100} {
			r := upkeep.Rules{MaxRetained: 5, MaxPerCategory: limit}
			whole, err := s.Store().Load()
			if err != nil {
				t.Fatal(err)
			}
			near, err := (&Saver{Session: s}).around(drafts, r)
			if err != nil {
				t.Fatal(err)
			}
			if limit == 0 && len(near.Records) > len(whole.Records)/4 {
				t.Errorf("%s: read %d of %d records", name, len(near.Records), len(whole.Records))
			}
			var digests []string
			var ends []draft.Outcome
			for _, read := range []surroundings{{Loaded: whole}, near} {
				p, out := draft.Resolve(draft.Input{Drafts: drafts, Existing: read.Records, Now: now})
				p, _ = upkeep.Save(p, read.all(), r, now)
				digests, ends = append(digests, p.Digest()), append(ends, out[0])
			}
			if digests[0] != digests[1] {
				t.Errorf("%s, limit %d: of the whole %+v, of what was read %+v", name, limit, ends[0],
					ends[1])
			}
			if name == "a broken file there" && len(near.Bad) != 1 {
				t.Errorf("%s: bad %+v", name, near.Bad)
			}
		}
	}
}
