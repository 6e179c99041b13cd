package records

import (
	"testing"

	"keepsake/pkg/memory"
)

// TestOrigin: of records that answer a question equally, those come first whose session has more to say
// about it, and those of the time that it names. Neither finds what has nothing of the question.
func TestOrigin(t *testing.T) {
	from := func(id, title, session, made string) memory.Stored {
		r := record("decisions/"+id, title, "", "")
		r.CreatedAt, r.Provenance = made, &memory.Provenance{Session: session}
		return r
	}
	ix := open(t,
		from("a", "Cache the invoice totals", "s1", "2026-03-02T09:00:00Z"),
		from("b", "Cache the invoice totals", "s2", "2026-05-02T09:00:00Z"),
		from("c", "Cache of invoices expires at night", "s2", "2026-05-02T10:00:00Z"),
		from("d", "Ship on Fridays", "s2", "2026-05-02T11:00:00Z"))
	first := func(question string) string {
		t.Helper()
		hits := search(t, ix, question, 4, 0)
		for _, h := range hits {
			if h.ID == "d" {
				t.Errorf("%q finds what has none of its words", question)
			}
		}
		return hits[0].ID
	}
	if got := first("cache of the invoice totals"); got != "b" {
		t.Error("the session's others count for nothing: first is", got)
	}
	if got := first("the cache of invoice totals from March 2026"); got != "a" {
		t.Error("the time counts for nothing: first is", got)
	}
}
