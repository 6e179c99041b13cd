package status

import (
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

func TestStageLine(t *testing.T) {
	cats := []memory.Category{memory.Decision, memory.Runbook}
	for want, s := range map[string]Stage{
		"empty":                              {Drafters: 2},
		"noticed decision, runbook":          {Noticed: cats},
		"nothing noticed; drafted decision":  {Drafted: cats[:1]},
		"noticed runbook; plan 123456789012": {Noticed: cats[1:], Plan: "1234567890123456"},
		"nothing noticed; 1 statement for the Markdown memories": {Moments: 1},
	} {
		if got := s.line(); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

func TestStoredLine(t *testing.T) {
	for want, st := range map[string]Status{
		"nothing active": {},
		"2 decisions, 1 runbook": {Stored: map[memory.Category]int{memory.Runbook: 1,
			memory.Decision: 2}},
		"2 session summaries, 3 tech debts": {Stored: map[memory.Category]int{memory.SessionSummary: 2,
			memory.TechDebt: 3}},
		"nothing active, 3 retired or archived":          {Other: 3},
		"nothing active, 1 unreadable (keepsake doctor)": {Bad: 1},
	} {
		if got := st.storedLine(); got != want {
			t.Errorf("%+v: %q, want %q", st, got, want)
		}
	}
}

func TestToReview(t *testing.T) {
	for want, r := range map[string]ToReview{
		"":                           {},
		"1 finding":                  {Findings: 1},
		"1 proposed change of notes": {Notes: 1},
		"2 stopped calls, 3 findings, 1 proposed drawer, 2 drafts, 1 held memory": {Calls: 2, Findings: 3,
			Drawers: 1, Drafts: 2, Memories: 1},
		"2 held memories, 2 proposed changes of notes": {Memories: 2, Notes: 2},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
	st := Status{ToReview: ToReview{Findings: 2, Notes: 1}}
	const want = "review   3 to review: 2 findings, 1 proposed change of notes (keepsake review)"
	if lines := st.Lines(time.Now()); !slices.Contains(lines, want) {
		t.Errorf("%q", lines)
	}
}

func TestFindingsLine(t *testing.T) {
	st := Status{Findings: map[finding.State]int{finding.SetAside: 2, finding.Rejected: 0}}
	if got := st.findingsLine(); got != "2 set aside" {
		t.Error(got)
	}
}
