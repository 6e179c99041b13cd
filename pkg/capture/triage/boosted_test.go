package triage

import (
	"testing"

	"keepsake/pkg/memory"
)

func TestBoosted(t *testing.T) {
	for text, want := range map[string]bool{
		"Let's go with Postgres for the job queue.":                                           false,
		"Let's go with Postgres for the job queue because jobs must survive a restart.":       true,
		"We decided to use Postgres for the job queue. The reason is that jobs must survive.": true,
	} {
		n := read([]Passage{{By: Person, Text: text}}, Options{})
		boosted := false
		for _, s := range n.Signals {
			for _, q := range s.Quotes {
				boosted = boosted || s.Category == memory.Decision && q.Boosted
			}
		}
		if len(n.Signals) == 0 || boosted != want {
			t.Errorf("%s: boosted %t, want %t (%+v)", text, boosted, want, n.Signals)
		}
	}
}
