// Package analyze finds out from the events of the log what is wrong. A finding needs a minimum of samples.
// The table findings has all codes with their limits. The package does no I/O and reads no clock.
package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/journal/event"
	"keepsake/pkg/memory"
)

// Severity is how urgent a finding is.
type Severity string

const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Warning  Severity = "warning"
	Note     Severity = "note"
)

// Serious reports whether a finding means that something does not work.
func (s Severity) Serious() bool { return s == Critical || s == High }

// A Finding is one thing that seems wrong.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Says     string   `json:"says"`    // the observation, with its numbers
	Samples  int      `json:"samples"` // how many events it is based on
	Remedy   string   `json:"remedy"`
}

// Options say which events cannot be expected. The zero Options expect all.
type Options struct {
	Off map[memory.Category]bool // categories that the settings switch off
	// Least is the lowest level of the events that are written; "" is info. If it is higher, successes leave
	// no events, so a lack of them and the share of errors prove nothing.
	Least event.Level
}

// A Report is the result of an analysis.
type Report struct {
	Events   int       `json:"events"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	Findings []Finding `json:"findings"`
	Metrics  Metrics   `json:"metrics"`
}

// Limits of the findings: the least number of samples, and the share or factor that is too much. They are
// those of claude-memory, except where noted.
const (
	skipSamples, skipShare   = 20, 0.9
	emptySamples, emptyShare = 10, 0.5
	triggerSamples           = 30
	errorSamples, errorShare = 10, 0.1
	slowFactor               = 1.5
	// on the first and on the last day; claude-memory has no limit
	slowSamples                  = 10
	slowFloor                    = 10 * time.Millisecond // ours: below that, differences are the machine's
	boosterSamples               = 50
	missingSamples               = 5  // sessions that began; ours
	searchSamples                = 50 // ours
	wordEmpty, wordOff, noMemory = "empty", "off", "no_memories"
)

// Read analyzes events in any order.
func Read(events []event.Event, o Options) Report {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b event.Event) int { return a.Time.Compare(b.Time) })
	r := Report{Events: len(events), Findings: []Finding{}, Metrics: metricsOf(events)}
	if len(events) == 0 {
		r.Findings = append(r.Findings, Finding{"NO_DATA", Note, "there are no events in this time", 0,
			"work with the plugin for a while; keepsake doctor says whether its hooks run, keepsake config " +
				"get logging.enabled whether they are logged"})
		return r
	}
	r.First, r.Last = events[0].Time, events[len(events)-1].Time
	t := tallyOf(events)
	for _, look := range [...]func(tally, Options) []Finding{
		findSkips, findZeroLength, findNeverTriggered, findMissing, findErrorSpike, findSlower,
		findUnusedBoosters, findFruitlessSearch,
	} {
		r.Findings = append(r.Findings, look(t, o)...)
	}
	return r
}

// tally has the numbers that the findings are based on.
type tally struct {
	events []event.Event
	types  map[string]int
	errors int

	looked, skipped int // prompts that could have been searched for, and those that were not
	empties         int // those of skipped that had no text

	noticed   int // turns in which something was noticed
	triggered map[string]int
	boosted   map[string]int

	searches, found int
	sessions        map[string]bool
	began           int
}

// tallyOf returns the tally of the events.
func tallyOf(events []event.Event) tally {
	t := tally{events: events, types: map[string]int{}, triggered: map[string]int{},
		boosted: map[string]int{}, sessions: map[string]bool{}}
	for _, e := range events {
		t.types[e.Type]++
		if e.Session != "" {
			t.sessions[e.Session] = true
		}
		if e.Level == event.Error {
			t.errors++
		}
		switch e.Type {
		case event.SessionStart:
			t.began++
		case event.RetrievalSearch:
			t.looked++
			t.searches++
			if e.Data.Number("hits") > 0 {
				t.found++
			}
		case event.RetrievalSkip:
			// A skip by design, by the settings or for lack of memories is fine.
			if r := e.Data.Text("reason"); !e.Level.AtLeast(event.Info) || r == wordOff || r == noMemory {
				continue
			}
			t.looked++
			t.skipped++
			if e.Data.Number("prompt_length") == 0 || e.Data.Text("reason") == wordEmpty {
				t.empties++
			}
		case event.TriageScore:
			names := e.Data.List("triggered")
			if len(names) > 0 {
				t.noticed++
			}
			for _, name := range names {
				t.triggered[name]++
			}
			for _, name := range e.Data.List("boosted") {
				t.boosted[name]++
			}
		}
	}
	return t
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func percent(n, of int) string { return fmt.Sprintf("%.0f %%", 100*ratio(n, of)) }

func findSkips(t tally, _ Options) []Finding {
	if t.looked < skipSamples || ratio(t.skipped, t.looked) <= skipShare {
		return nil
	}
	return []Finding{{"SKIP_RATE_HIGH", Critical,
		fmt.Sprintf("%s of %d prompts were not looked up", percent(t.skipped, t.looked), t.looked), t.looked,
		"see why: keepsake dev log --filter retrieval.skip; then keepsake doctor"}}
}

func findZeroLength(t tally, _ Options) []Finding {
	if t.skipped < emptySamples || ratio(t.empties, t.skipped) <= emptyShare {
		return nil
	}
	return []Finding{{"ZERO_LENGTH_PROMPT", Critical,
		fmt.Sprintf("%s of %d skipped prompts had no text", percent(t.empties, t.skipped), t.skipped),
		t.skipped,
		"the client may send the prompt in another field than this version reads; update keepsake"}}
}

// findNeverTriggered counts only turns in which something was noticed, since most turns hold nothing.
func findNeverTriggered(t tally, o Options) []Finding {
	if t.noticed < triggerSamples {
		return nil
	}
	var out []Finding
	for _, c := range memory.Categories() {
		// Session summaries depend on activity, not on what is said.
		if c == memory.SessionSummary || o.Off[c] || t.triggered[string(c)] > 0 {
			continue
		}
		out = append(out, Finding{"CATEGORY_NEVER_TRIGGERS", High,
			fmt.Sprintf("%s was never noticed in the %d turns in which something was", c, t.noticed),
			t.noticed,
			fmt.Sprintf("lower its threshold: keepsake config explain triage.thresholds.%s; or turn it "+
				"off: categories.%[1]s.auto_capture", c)})
	}
	return out
}

// expected are the events that a working part of Keepsake must leave.
var expected = [...]struct{ group, hook string }{
	{"triage.", "Stop"}, {"retrieval.", "UserPromptSubmit"}, {event.SessionEnd, "SessionEnd"},
}

func findMissing(t tally, o Options) []Finding {
	if !event.Info.AtLeast(o.Least) || t.began < missingSamples && len(t.sessions) < missingSamples {
		return nil
	}
	var out []Finding
	absent := func(group, hook string, samples int) {
		for name := range t.types {
			if strings.HasPrefix(name, group) {
				return
			}
		}
		out = append(out, Finding{"MISSING_EVENT_TYPES", High,
			fmt.Sprintf("%d sessions and no %s event: the %s hook does not run", samples,
				strings.TrimSuffix(group, "."), hook), samples,
			"keepsake doctor checks the hooks; /hooks in the client lists those it runs"})
	}
	if len(t.sessions) >= missingSamples && t.began == 0 {
		absent(event.SessionStart, "SessionStart", len(t.sessions))
	}
	if t.began >= missingSamples {
		for _, e := range expected {
			absent(e.group, e.hook, t.began)
		}
	}
	return out
}

func findErrorSpike(t tally, o Options) []Finding {
	n := len(t.events)
	if !event.Info.AtLeast(o.Least) || n < errorSamples || ratio(t.errors, n) <= errorShare {
		return nil
	}
	return []Finding{{"ERROR_SPIKE", High,
		fmt.Sprintf("%s of %d events are errors", percent(t.errors, n), n), n,
		"keepsake dev log --filter failure shows where, keepsake doctor with what text"}}
}

// findSlower compares the mean durations of the first and the last day, for each type of event.
func findSlower(t tally, _ Options) []Finding {
	byType := map[string][]event.Event{}
	for _, e := range t.events {
		if e.Took >= 0 {
			byType[e.Type] = append(byType[e.Type], e)
		}
	}
	var out []Finding
	for _, name := range sortedKeys(byType) {
		all := byType[name]
		firstDay, lastDay := dayOf(all[0]), dayOf(all[len(all)-1])
		if firstDay.Equal(lastDay) {
			continue
		}
		var first, last []time.Duration
		for _, e := range all {
			switch d := dayOf(e); {
			case d.Equal(firstDay):
				first = append(first, e.Took)
			case d.Equal(lastDay):
				last = append(last, e.Took)
			}
		}
		was, is := mean(first), mean(last)
		if len(first) < slowSamples || len(last) < slowSamples || is < slowFloor ||
			float64(is) <= slowFactor*float64(was) {
			continue
		}
		out = append(out, Finding{"PERF_DEGRADATION", Medium,
			fmt.Sprintf("%s took %.1f ms on %s and %.1f ms on %s", name, millis(was),
				firstDay.Format(time.DateOnly), millis(is), lastDay.Format(time.DateOnly)),
			len(first) + len(last),
			"keepsake records index health looks at the search index; a slow disk or a full machine does " +
				"the same to all of them"})
	}
	return out
}

// findUnusedBoosters finds out whether the phrases that raise a statement's score, such as a reason or a
// contrast, ever
// do. Runbooks have none.
func findUnusedBoosters(t tally, o Options) []Finding {
	var out []Finding
	for _, c := range memory.Categories() {
		n := t.triggered[string(c)]
		if c == memory.SessionSummary || c == memory.Runbook || o.Off[c] || n < boosterSamples ||
			t.boosted[string(c)] > 0 {
			continue
		}
		out = append(out, Finding{"BOOSTER_NEVER_HITS", Warning,
			fmt.Sprintf("%s was noticed %d times and never with a reason or a contrast", c, n), n,
			"what is noticed may be noise: keepsake list --category " + string(c)})
	}
	return out
}

// findFruitlessSearch returns ours: a search that never finds anything does not work.
func findFruitlessSearch(t tally, _ Options) []Finding {
	if t.searches < searchSamples || t.found > 0 {
		return nil
	}
	return []Finding{{"SEARCH_NEVER_HITS", Medium,
		fmt.Sprintf("none of %d searches found a memory", t.searches), t.searches,
		"keepsake recall WORDS searches by hand; keepsake records index validate checks the index"}}
}
