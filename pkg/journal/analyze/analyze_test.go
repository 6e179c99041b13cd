package analyze

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/journal/event"
	"keepsake/pkg/memory"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// some returns n events from make.
func some(n int, make func(i int) event.Event) []event.Event {
	var out []event.Event
	for i := range n {
		e := make(i)
		if e.Time.IsZero() {
			e.Time = now.Add(time.Duration(i) * time.Second)
		}
		if e.Took == 0 {
			e.Took = event.Untimed
		}
		out = append(out, e)
	}
	return out
}

func skip(reason string, length int) func(int) event.Event {
	return func(int) event.Event {
		return event.Event{Type: event.RetrievalSkip,
			Data: event.Data{"reason": reason, "prompt_length": length}}
	}
}

func search(hits int) func(int) event.Event {
	return func(int) event.Event {
		return event.Event{Type: event.RetrievalSearch, Data: event.Data{"hits": hits}}
	}
}

func scored(boosted []string, names ...string) func(int) event.Event {
	return func(int) event.Event {
		return event.Event{Type: event.TriageScore, Data: event.Data{"triggered": names, "boosted": boosted}}
	}
}

func typed(name string) func(int) event.Event {
	return func(i int) event.Event { return event.Event{Type: name, Session: fmt.Sprint("s", i)} }
}

func timed(day, ms int) func(int) event.Event {
	return func(i int) event.Event {
		return event.Event{Type: event.TriageScore,
			Time: now.AddDate(0, 0, day).Add(time.Duration(i) * time.Second),
			Took: time.Duration(ms) * time.Millisecond}
	}
}

func TestFindings(t *testing.T) {
	everything := []string{"decision", "runbook", "constraint", "tech_debt", "preference"}
	reasons := everything
	failures := func(n int) []event.Event {
		return some(n, func(int) event.Event {
			return event.Event{Type: event.Failure, Level: event.Error, Hook: "stop"}
		})
	}
	for name, tt := range map[string]struct {
		events []event.Event
		off    map[memory.Category]bool
		want   []string
	}{
		"nothing": {nil, nil, []string{"NO_DATA"}},

		"skips, too few":     {some(19, skip("failed", 5)), nil, nil},
		"skips":              {some(20, skip("failed", 5)), nil, []string{"SKIP_RATE_HIGH"}},
		"skips, nine of ten": {slices.Concat(some(18, skip("failed", 5)), some(2, search(1))), nil, nil},
		"skips, more than that": {slices.Concat(some(19, skip("failed", 5)), some(2, search(1))), nil,
			[]string{"SKIP_RATE_HIGH"}},
		"off is no fault":         {some(40, skip("off", 5)), nil, nil},
		"nothing to find is none": {some(40, skip("no_memories", 5)), nil, nil},
		"by design": {some(40, func(int) event.Event {
			return event.Event{Type: event.RetrievalSkip, Level: event.Debug,
				Data: event.Data{"reason": "notification"}}
		}), nil, nil},

		"no text, too few": {slices.Concat(some(9, skip("empty", 0)), some(9, search(1))), nil, nil},
		"no text": {slices.Concat(some(10, skip("empty", 0)), some(10, search(1))), nil,
			[]string{"ZERO_LENGTH_PROMPT"}},
		"half have no text": {slices.Concat(some(5, skip("empty", 0)), some(5, skip("failed", 9)),
			some(10, search(1))), nil, nil},

		"never, too few turns": {some(29, scored(reasons, "decision")), nil, nil},
		"never": {some(30, scored(reasons, "decision", "runbook", "preference")), nil,
			[]string{"CATEGORY_NEVER_TRIGGERS constraint", "CATEGORY_NEVER_TRIGGERS tech_debt"}},
		"never, but off": {some(30, scored(reasons, "decision", "runbook", "preference")),
			map[memory.Category]bool{memory.Constraint: true, memory.TechDebt: true}, nil},
		"quiet turns": {some(500, scored(nil)), nil, nil},

		"four sessions": {some(4, typed(event.SessionStart)), nil, nil},
		"five sessions": {some(5, typed(event.SessionStart)), nil,
			[]string{"MISSING_EVENT_TYPES triage", "MISSING_EVENT_TYPES retrieval",
				"MISSING_EVENT_TYPES session.end"}},
		"all hooks run": {slices.Concat(some(5, typed(event.SessionStart)), some(1, skip("off", 1)),
			some(1, typed(event.TriageSkip)), some(1, typed(event.SessionEnd))), nil, nil},
		"none begins": {some(5, typed(event.TriageSkip)), nil,
			[]string{"MISSING_EVENT_TYPES session.start"}},

		"errors, too few":  {failures(9), nil, nil},
		"errors":           {failures(10), nil, []string{"ERROR_SPIKE"}},
		"errors, a tenth":  {slices.Concat(failures(2), some(18, search(1))), nil, nil},
		"errors, a little": {slices.Concat(failures(3), some(18, search(1))), nil, []string{"ERROR_SPIKE"}},

		"slower": {slices.Concat(some(10, timed(-3, 20)), some(10, timed(0, 31))), nil,
			[]string{"PERF_DEGRADATION triage.score"}},
		"half as slow again": {slices.Concat(some(10, timed(-3, 20)), some(10, timed(0, 30))), nil, nil},
		"slower, too few":    {slices.Concat(some(9, timed(-3, 20)), some(10, timed(0, 90))), nil, nil},
		"slower and fast":    {slices.Concat(some(10, timed(-3, 1)), some(10, timed(0, 9))), nil, nil},
		"one day":            {slices.Concat(some(10, timed(0, 1)), some(10, timed(0, 90))), nil, nil},

		"boosters, too few": {some(49, scored(nil, everything...)), nil, nil},
		"boosters": {some(50, scored([]string{"decision", "constraint", "tech_debt"}, everything...)), nil,
			[]string{"BOOSTER_NEVER_HITS preference"}},

		"searches, too few":   {some(49, search(0)), nil, nil},
		"searches":            {some(50, search(0)), nil, []string{"SEARCH_NEVER_HITS"}},
		"searches, one found": {slices.Concat(some(50, search(0)), some(1, search(1))), nil, nil},
	} {
		var got []string
		for _, f := range Read(tt.events, Options{Off: tt.off}).Findings {
			code := f.Code
			for _, word := range []string{"constraint", "tech_debt", "preference", " triage", " retrieval",
				"session.end", "session.start", "triage.score"} {
				if (code == "CATEGORY_NEVER_TRIGGERS" || code == "MISSING_EVENT_TYPES" ||
					code == "PERF_DEGRADATION" || code == "BOOSTER_NEVER_HITS") &&
					strings.Contains(f.Says, word) {
					code += " " + strings.TrimSpace(word)
					break
				}
			}
			got = append(got, code)
			if f.Says == "" || f.Remedy == "" || f.Severity == "" || f.Samples == 0 && f.Code != "NO_DATA" {
				t.Errorf("%s: half a finding: %+v", name, f)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// If successes are not logged, their absence means nothing.
func TestErrorsOnly(t *testing.T) {
	events := some(20, func(i int) event.Event {
		return event.Event{Type: event.Failure, Level: event.Error, Session: fmt.Sprint("s", i)}
	})
	if got := Read(events, Options{Least: event.Debug}).Findings; len(got) != 2 {
		t.Errorf("from debug: %+v", got)
	}
	for _, least := range []event.Level{event.Warning, event.Error} {
		if got := Read(events, Options{Least: least}).Findings; len(got) > 0 {
			t.Errorf("from %s: %+v", least, got)
		}
	}
}

func TestSeverities(t *testing.T) {
	for s, want := range map[Severity]bool{Critical: true, High: true, Medium: false, Warning: false,
		Note: false} {
		if s.Serious() != want {
			t.Errorf("%s", s)
		}
	}
}

func TestMetrics(t *testing.T) {
	at := func(s float64) time.Time { return now.Add(time.Duration(s * float64(time.Second))) }
	save := func(session string, from, to float64) []event.Event {
		return []event.Event{
			{Type: event.SaveStart, Time: at(from), Session: session, Took: event.Untimed},
			{Type: event.SaveComplete, Time: at(to), Session: session, Took: 7 * time.Millisecond,
				Data: event.Data{"states": map[string]float64{"create": 2, "rejected": 1, "odd": -1}}},
		}
	}
	events := slices.Concat(
		// the last save began too late
		save("a", 0, 0.5), save("a", 10, 14), save("b", 0, 40), save("c", 0, 3*3600),
		[]event.Event{
			{Type: event.SaveComplete, Time: at(1), Session: "d", Took: event.Untimed}, // made by hand
			{Type: event.GateDecision, Time: at(2), Took: event.Untimed, Data: event.Data{"decision": "ask"}},
			{Type: event.Failure, Time: at(3), Took: event.Untimed, Script: "apply", Error: "conflict"},
			{Type: event.TriageSkip, Time: at(4), Took: event.Untimed, Data: event.Data{"reason": "off"}},
		},
		some(1, scored(nil, "decision")), some(3, scored(nil)), some(1, search(2)), some(1, search(0)))
	slices.Reverse(events) // in any order
	m := Read(events, Options{}).Metrics
	if want := (Spread{3, 14.833, 4, 40, 40}); m.Saves != want {
		t.Errorf("saves %+v", m.Saves)
	}
	if want := map[string]int{"<1s": 1, "1-5s": 1, "30-60s": 1}; !reflect.DeepEqual(m.Buckets, want) {
		t.Errorf("buckets %v", m.Buckets)
	}
	if want := map[string]int{"1": 2, "2": 1}; !reflect.DeepEqual(m.Asked, want) {
		t.Errorf("asked %v", m.Asked)
	}
	if want := map[string]int{"create": 8, "rejected": 4}; !reflect.DeepEqual(m.Outcomes, want) {
		t.Errorf("outcomes %v", m.Outcomes)
	}
	if m.Gate["ask"] != 1 || m.Failures["apply conflict"] != 1 || m.Skips["triage.skip off"] != 1 ||
		m.Noticed["decision"] != 1 || m.Shares["turns_that_noticed"] != .25 ||
		m.Shares["searches_that_found"] != .5 {
		t.Errorf("%+v", m)
	}
	if m.Took[event.SaveComplete].P95 != 7 {
		t.Errorf("%+v", m.Took)
	}
}

func TestNearestRank(t *testing.T) {
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = float64(100 - i)
	}
	if s := spread(xs); s != (Spread{100, 50.5, 50, 95, 100}) {
		t.Errorf("%+v", s)
	}
	if s := spread([]float64{3}); s != (Spread{1, 3, 3, 3, 3}) {
		t.Errorf("%+v", s)
	}
	if s := spread(nil); s != (Spread{}) {
		t.Errorf("%+v", s)
	}
}

// Durations and times that no clock gives may be in a file, and do no harm.
func TestStrangeEvents(t *testing.T) {
	events := some(40, func(i int) event.Event {
		return event.Event{Type: event.SaveComplete, Time: time.Unix(int64(i)*1e9, 0), Took: math.MaxInt64,
			Data: event.Data{"states": map[string]float64{"x": math.MaxFloat64}}}
	})
	if r := Read(events, Options{}); r.Events != 40 || len(r.Metrics.Outcomes) > 0 {
		t.Errorf("%+v", r)
	}
}
