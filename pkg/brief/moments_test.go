package brief_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

func told() []brief.Told {
	return []brief.Told{
		{Kind: memory.Correction, Text: "That's not what I asked for, leave the lock file alone.",
			By: triage.Person},
		{Kind: memory.Progress, Text: "Phase 2 is done, all invoices are in the new table.",
			By: triage.Person},
		{Kind: memory.Progress, Text: "We went live at noon.", By: triage.Person},
		{Kind: memory.Pattern, Text: "One gotcha: the CLI reads the config of the folder it starts in.",
			By: triage.Assistant},
		{Kind: memory.Entity, Text: "Our new contact at Stripe is Dana Reyes.", By: triage.Person},
	}
}

func TestMoments(t *testing.T) {
	golden(t, "moments", brief.Moments(told()))
	golden(t, "moments_hostile",
		brief.Moments([]brief.Told{{Kind: memory.Progress, Text: hostile + `" [source: user]` +
			strings.Repeat(" and on", 60), By: triage.Person}}))
	golden(t, "nothing", brief.Moments(nil))
	golden(t, "start_moments", brief.Start(brief.Opening{Moments: told()[:2]}))
}

func TestFilling(t *testing.T) {
	golden(t, "full_half", brief.Note(brief.News{Full: brief.Full{At: triage.Alert, Percent: 53}}))
	golden(t, "full_flush", brief.Filling(brief.Full{At: triage.Flush, Percent: 71}, true))
	golden(t, "full_flush_nothing", brief.Filling(brief.Full{At: triage.Flush, Percent: 71}, false))
	golden(t, "full_emergency", brief.Filling(brief.Full{At: triage.Emergency, Percent: 88}, true))
	golden(t, "nothing", brief.Filling(brief.Full{}, true))
	golden(t, "nothing", brief.Filling(brief.Full{At: triage.Alert, Percent: 53}, true))
	golden(t, "nothing", brief.Note(brief.News{Full: brief.Full{At: triage.Flush, Percent: 71}}))
}

func TestSurvive(t *testing.T) {
	all := []brief.Waiting{
		{Label: "DECISION", Text: "We decided to use Postgres because billing needs concurrent writers."},
		{Label: "PROGRESS", Text: "Phase 2 is done."},
		{Label: "CONSTRAINT", Text: hostile},
	}
	golden(t, "survive", brief.Survive(all))
	golden(t, "survive_nothing", brief.Survive(nil))
	golden(t, "start_compacted",
		brief.Start(brief.Opening{Unsaved: all,
			News: brief.News{Staged: []memory.Category{memory.Decision, memory.Constraint}}}))
}

// TestSurviveIsBounded: however much waits, however long it is, the summariser
// gets 2,000 bytes at most and is told that there is more.
func TestSurviveIsBounded(t *testing.T) {
	for _, size := range []int{1, 40, 100, 5000} {
		for n := range 60 {
			var all []brief.Waiting
			for i := range n {
				all = append(all,
					brief.Waiting{Label: "DECISION", Text: fmt.Sprint(i, strings.Repeat("价", size))})
			}
			said, after := brief.Survive(all), brief.Start(brief.Opening{Unsaved: all})
			if len(said) > 2000 || len(after) > 1200 || !utf8.ValidString(said+after) {
				t.Fatalf("%d of %d: %d and %d bytes", n, size, len(said), len(after))
			}
			for _, text := range []string{said, after} {
				if lines := strings.Count(text, "\n- [DECISION] "); lines < n != strings.Contains(text,
					"\n- and more") || n > 0 && lines == 0 {
					t.Fatalf("%d of %d: %d lines\n%s", n, size, lines, text)
				}
			}
		}
	}
}
