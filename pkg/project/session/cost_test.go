package session

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal/event"
)

// TestWorked: a message counts once, whatever its blocks; an answer that is not in the file yet counts as
// one that read the window from the cache; and what others said counts nothing.
func TestWorked(t *testing.T) {
	answer := func(id string, u transcript.Usage) transcript.Entry {
		return transcript.Entry{Who: transcript.Assistant, UUID: "u", MessageID: id, Usage: u}
	}
	one := transcript.Usage{Input: 100, CacheCreation: 2000, CacheRead: 40_000, Output: 300} // 6400
	late := transcript.Entry{Who: transcript.Assistant, Text: strings.Repeat("seven..", 10)} // 20
	for name, tt := range map[string]struct {
		entries          []transcript.Entry
		requests, tokens int
	}{
		"nothing":         {nil, 0, 0},
		"two blocks":      {[]transcript.Entry{answer("m1", one), answer("m1", one)}, 1, 6400},
		"two answers":     {[]transcript.Entry{answer("m1", one), answer("m2", one)}, 2, 12_800},
		"one comes later": {[]transcript.Entry{answer("m1", one), late}, 2, 6400 + 5000 + 20},
		"others speak":    {[]transcript.Entry{{Who: transcript.Person, Usage: one}}, 0, 0},
		"no usage":        {[]transcript.Entry{answer("m1", transcript.Usage{})}, 0, 0},
	} {
		e := Worked("stop", tt.entries, 50_000)
		if e.Data.Number("requests") != float64(tt.requests) ||
			e.Data.Number("tokens") != float64(tt.tokens) {
			t.Errorf("%s: %v; want %d requests, %d tokens", name, e.Data, tt.requests, tt.tokens)
		}
	}
}

// TestHoldToBudget: the limit is of one day, and yesterday's cost is none of today's.
func TestHoldToBudget(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	saves := s.Config.Capture.MaxSaves
	now := time.Now()
	cost := Added("stop", strings.Repeat("seven..", 50)) // 100 tokens
	cost.Time = now.AddDate(0, 0, -1).UTC()
	if err := s.Events().Append(now.AddDate(0, 0, -1), cost); err != nil {
		t.Fatal(err)
	}
	holds := func(limit int, over, told bool) {
		t.Helper()
		s.Config.Budget.TokensPerDay, s.Config.Capture.MaxSaves = limit, saves
		sp := s.HoldToBudget(now)
		if sp.Over() != over || sp.Told != told || (s.Config.Capture.MaxSaves == 0) != over {
			t.Errorf("limit %d: %+v, %d saves; want over %v, told %v", limit, sp, s.Config.Capture.MaxSaves,
				over, told)
		}
	}
	holds(1, false, false)
	cost.Time = time.Time{}
	s.Log(cost)
	holds(101, false, false)
	holds(100, true, false)
	s.Log(event.Event{Type: event.BudgetReached, Took: event.Untimed})
	holds(100, true, true)
	holds(0, false, false)
}
