package brief_test

import (
	"testing"
	"time"

	"keepsake/pkg/brief"
)

func TestCandidate(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	plain := brief.Candidate{
		ID: "c4k2zq", Text: "Decided to use Postgres over SQLite\nfor the memory store, scaling concern.",
		Quote:  "Decided to use Postgres over SQLite\nfor the memory store, scaling concern.",
		Source: ".agents/memory/scratch/general.md:2", Reason: "a choice with its reason", Wing: "shop",
		Room: "decisions", Drawer: "postgres-over-sqlite", Filed: now.Add(-3 * time.Minute),
	}
	odd := plain
	odd.Text, odd.Reason, odd.Source, odd.Drawer = "Deploy \x1b[2Jonly on \u202eFridays.", "because\n\x07",
		"a\u200b.md:1", ""
	odd.Until = now.AddDate(0, 0, 1)
	long := plain
	for range 9 {
		long.Text += " And more of it."
	}
	golden(t, "candidate", plain.Whole(now))
	golden(t, "candidate_odd", odd.Whole(now))
	golden(t, "candidates", plain.Line(now)+"\n"+odd.Line(now)+"\n"+long.Line(now)+"\n")
}

func TestTurned(t *testing.T) {
	context, message := brief.Turned("c4k2zq")
	golden(t, "turned", context+"\n"+message+"\n")
}

func TestDraft(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d := brief.Draft{ID: "d4k2zq", Category: "decision", Title: "Drop Redis",
		Reason: "blocked: nobody said\nthat", Notes: []string{"a note"}, Text: "{\n  \"x\": \"\x1b\"\n}\n",
		At: now.Add(-time.Hour)}
	golden(t, "draft", d.Whole(now)+"\n"+d.Line(now)+"\n")
}
