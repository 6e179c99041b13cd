package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/why/candidate"
)

func TestCandidate(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	plain := candidate.Candidate{
		ID: "c4k2zq", Text: "Decided to use Postgres over SQLite\nfor the memory store, scaling concern.",
		Quote:  "Decided to use Postgres over SQLite\nfor the memory store, scaling concern.",
		Source: ".agents/memory/scratch/general.md:2", Reason: "a choice with its reason", Wing: "shop",
		Room: "decisions", Drawer: "postgres-over-sqlite", Filed: now.Add(-3 * time.Minute),
	}
	odd := plain
	odd.Text, odd.Reason, odd.Source, odd.Drawer = "Deploy \x1b[2Jonly on \u202eFridays.", "because\n\x07",
		"a\u200b.md:1", ""
	odd.State, odd.Until = candidate.Later, now.AddDate(0, 0, 1)
	long := plain
	for range 9 {
		long.Text += " And more of it."
	}
	golden(t, "candidate", wholeCandidate(plain, now))
	golden(t, "candidate_odd", wholeCandidate(odd, now))
	golden(t, "candidates", strings.Join(slices.Concat(candidateLines(plain, now),
		candidateLines(odd, now), candidateLines(long, now)), "\n")+"\n")
}

func TestDraft(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d := stage.Kept{Refused: stage.Refused{Category: "decision", Title: "Drop Redis",
		Reason: "blocked: nobody said\nthat", Notes: []string{"a note"}, Draft: "{\n  \"x\": \"\x1b\"\n}\n",
		At: now.Add(-time.Hour)}}
	got := wholeDraft(d, now) + "\n" + draftLine(d, now) + "\n"
	golden(t, "draft", strings.ReplaceAll(got, d.ID(), "d4k2zq"))
}

// golden compares got with testdata/<name>.golden, or rewrites that file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("KEEPSAKE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (make golden rewrites it)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
