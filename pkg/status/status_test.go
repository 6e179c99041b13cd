package status

import (
	"testing"

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
		"2 decision, 1 runbook": {Stored: map[memory.Category]int{memory.Runbook: 1,
			memory.Decision: 2}},
		"nothing active, 3 retired or archived":          {Other: 3},
		"nothing active, 1 unreadable (keepsake doctor)": {Bad: 1},
	} {
		if got := st.storedLine(); got != want {
			t.Errorf("%+v: %q, want %q", st, got, want)
		}
	}
}

func TestFindingsLine(t *testing.T) {
	st := Status{Findings: map[finding.State]int{finding.SetAside: 2, finding.Rejected: 0}}
	if got := st.findingsLine(); got != "2 set aside" {
		t.Error(got)
	}
}
