package journal

import (
	"testing"
	"time"

	"keepsake/pkg/journal/event"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"": {}, "2026-11-18": now.Add(-57 * time.Hour), "2026-11-20T08:00:00Z": now.Add(-time.Hour),
		"90m": now.Add(-90 * time.Minute), "0d": now, "7d": now.AddDate(0, 0, -7),
	} {
		if got, err := ParseSince(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "-1h", "-1d", "d", "100000d", "2026-13-01"} {
		if got, err := ParseSince(text, now); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOfType(t *testing.T) {
	for filter, want := range map[string][2]bool{
		"": {true, true}, "triage": {true, false}, "triage.": {true, false}, "triage.score": {true, false},
		"tri": {false, false}, "gate": {false, true},
	} {
		match := OfType(filter)
		got := [2]bool{match(event.Event{Type: "triage.score"}), match(event.Event{Type: "gate.decision"})}
		if got != want {
			t.Errorf("%q: %v, want %v", filter, got, want)
		}
	}
}
