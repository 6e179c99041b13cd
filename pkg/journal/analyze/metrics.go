package analyze

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/journal/event"
	"keepsake/pkg/text"
)

// Metrics are numbers that are neither good nor bad.
type Metrics struct {
	Types   map[string]int    `json:"events_by_type"`
	Took    map[string]Spread `json:"duration_ms"` // by type of event
	Saves   Spread            `json:"save_s"`      // from the instruction to save to the end of the save
	Buckets map[string]int    `json:"save_buckets"`
	// how many sessions were told to save how often
	Asked    map[string]int `json:"saves_per_session"`
	Noticed  map[string]int `json:"noticed"`  // turns, by category
	Outcomes map[string]int `json:"outcomes"` // drafts, by what became of them
	Gate     map[string]int `json:"gate"`     // verdicts, by decision
	// turns and prompts that were not looked at, by reason
	Skips    map[string]int `json:"skips"`
	Failures map[string]int `json:"failures"` // by hook or verb, and class
	// of prompts that found something, of turns in which something was noticed
	Shares map[string]float64 `json:"shares"`
}

// A Spread is the distribution of durations. Percentiles are of the nearest rank.
type Spread struct {
	Count int     `json:"count"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	Max   float64 `json:"max"`
}

// longSave is how long after the instruction a save still belongs to it.
const longSave = 2 * time.Hour

func metricsOf(events []event.Event) Metrics {
	m := Metrics{
		Types: map[string]int{}, Took: map[string]Spread{}, Buckets: map[string]int{},
		Asked: map[string]int{}, Noticed: map[string]int{},
		Outcomes: map[string]int{}, Gate: map[string]int{}, Skips: map[string]int{},
		Failures: map[string]int{}, Shares: map[string]float64{},
	}
	took := map[string][]float64{}
	var saves []float64
	told := map[string]time.Time{} // when each session was told to save
	asked := map[string]int{}
	turns, noticed, searches, found := 0, 0, 0, 0
	for _, e := range events {
		m.Types[e.Type]++
		if e.Took >= 0 {
			took[e.Type] = append(took[e.Type], millis(e.Took))
		}
		switch e.Type {
		case event.TriageScore:
			turns++
			names := e.Data.List("triggered")
			if len(names) > 0 {
				noticed++
			}
			for _, name := range names {
				m.Noticed[name]++
			}
		case event.TriageSkip, event.RetrievalSkip:
			m.Skips[e.Type+" "+e.Data.Text("reason")]++
		case event.RetrievalSearch:
			searches++
			if e.Data.Number("hits") > 0 {
				found++
			}
		case event.SaveStart:
			asked[e.Session]++
			told[e.Session] = e.Time
		case event.SaveComplete:
			if began, ok := told[e.Session]; ok && e.Time.Sub(began) <= longSave {
				s := e.Time.Sub(began).Seconds()
				saves = append(saves, s)
				m.Buckets[saveBucket(s)]++
			}
			delete(told, e.Session)
			for name, n := range e.Data.Numbers("states") {
				if n > 0 && n < math.MaxInt32 {
					m.Outcomes[name] += int(n)
				}
			}
		case event.GateDecision:
			m.Gate[e.Data.Text("decision")]++
		case event.Failure:
			where := e.Hook
			if where == "" {
				where = e.Script
			}
			m.Failures[where+" "+e.Error]++
		}
	}
	for name, all := range took {
		m.Took[name] = spread(all)
	}
	m.Saves = spread(saves)
	for _, n := range asked {
		m.Asked[times(n)]++
	}
	m.Shares["turns_that_noticed"] = round3(ratio(noticed, turns))
	m.Shares["searches_that_found"] = round3(ratio(found, searches))
	return m
}

// saveBucket returns the class of a save's duration in seconds.
func saveBucket(s float64) string {
	switch {
	case s < 1:
		return "<1s"
	case s < 5:
		return "1-5s"
	case s < 30:
		return "5-30s"
	case s < 60:
		return "30-60s"
	}
	return ">60s"
}

func times(n int) string {
	switch {
	case n >= 4:
		return "4+"
	}
	return string(rune('0' + n))
}

// spread returns the distribution of xs, which it sorts.
func spread(xs []float64) Spread {
	if len(xs) == 0 {
		return Spread{}
	}
	slices.Sort(xs)
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return Spread{len(xs), round3(sum / float64(len(xs))), round3(rank(xs, 0.5)), round3(rank(xs, 0.95)),
		round3(xs[len(xs)-1])}
}

// rank returns the percentile p by nearest rank: the smallest value that a share p does not exceed.
func rank(sorted []float64, p float64) float64 {
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// mean returns the mean duration.
func mean(ds []time.Duration) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	sum := 0.0 // durations from a file may be too large for an integer sum
	for _, d := range ds {
		sum += float64(d)
	}
	return time.Duration(sum / float64(len(ds)))
}

func dayOf(e event.Event) time.Time { return e.Time.UTC().Truncate(24 * time.Hour) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Lines returns the numbers, for people.
func (m Metrics) Lines() (lines []string) {
	add := func(name, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-18s  ", text.CleanLine(name))+fmt.Sprintf(format, args...))
	}
	for _, name := range slices.Sorted(maps.Keys(m.Took)) {
		add(name, "%s ms", m.Took[name])
	}
	if m.Saves.Count > 0 {
		add("whole saves", "%s s (%s)", m.Saves, numbers(m.Buckets))
	}
	for _, row := range []struct {
		name string
		of   map[string]int
	}{
		{"events", m.Types}, {"noticed", m.Noticed}, {"outcomes", m.Outcomes}, {"saves per session", m.Asked},
		{"verdicts", m.Gate}, {"skipped", m.Skips}, {"failures", m.Failures},
	} {
		if len(row.of) > 0 {
			add(row.name, "%s", numbers(row.of))
		}
	}
	return lines
}

// String returns a distribution in words, without its unit.
func (s Spread) String() string {
	return fmt.Sprintf("%d timed, mean %.1f, p50 %.1f, p95 %.1f, max %.1f", s.Count, s.Mean, s.P50, s.P95,
		s.Max)
}

// numbers returns "a 1, b 2".
func numbers(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, of[name]))
	}
	return text.CleanLine(strings.Join(parts, ", "))
}
