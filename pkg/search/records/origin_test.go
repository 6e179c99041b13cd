package records

import (
	"testing"
	"time"

	"keepsake/pkg/memory"
)

func TestTimeOf(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) // a Monday
	for question, want := range map[string]string{
		"what did we change in May 2026?":         "2026-05-01 2026-05-31",
		"on 8 may, 2023, who called?":             "2023-05-01 2023-05-31",
		"the outage of 2026-10-02":                "2026-10-02 2026-10-02",
		"releases in 2026-02":                     "2026-02-01 2026-02-28",
		"what broke last week":                    "2026-11-16 2026-11-22",
		"What did we decide yesterday?":           "2026-11-22 2026-11-22",
		"the import we wrote 3 days ago":          "2026-11-20 2026-11-20",
		"what happened in march":                  "March",
		"may I march on":                          "",
		"why did the last test fail this morning": "",
		"": "",
	} {
		got := ""
		if p, ok := timeOf(question, now); ok && p.month != 0 {
			got = p.month.String()
		} else if ok {
			day := func(n int) string { return time.Unix(int64(n)*86400, 0).UTC().Format(time.DateOnly) }
			got = day(p.first) + " " + day(p.last)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	if _, ok := timeOf("what broke last week", time.Time{}); ok {
		t.Error("last week is read without a now")
	}
}

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
