package backfill

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// said is a sure decision of the person's, said n hours after the first.
func said(session, text string, n int) finding.Finding {
	return finding.Finding{Text: text, By: finding.Typed, Session: session, Category: memory.Decision,
		Record: fmt.Sprint(session, n), Score: 0.5, Level: finding.Sure, Digest: finding.Digest(text),
		Time: time.Date(2026, 9, 1, n, 0, 0, 0, time.UTC)}
}

func turned(session, text string, n int) finding.Finding {
	f := said(session, text, n)
	f.Kind, f.Category, f.Score, f.Level = finding.Change, "", 0, finding.Candidate
	return f
}

func open(all ...finding.Finding) (log []finding.Status) {
	for i, f := range all {
		f.Number = i + 1
		log = append(log, finding.Status{Finding: f, State: finding.Open})
	}
	return log
}

func textsOf(all []Candidate) (texts []string) {
	for _, c := range all {
		texts = append(texts, c.Text)
	}
	return texts
}

func TestBest(t *testing.T) {
	likely := func(f finding.Finding, score float64) finding.Finding {
		f.Score, f.Level = score, finding.Candidate
		return f
	}
	agent := func(f finding.Finding) finding.Finding {
		f.By = finding.Agent
		return f
	}
	asked := func(f finding.Finding) finding.Finding {
		f.Explicit = true
		return f
	}
	fork := func(f finding.Finding, session string) finding.Finding {
		f.Session = session // with the uuid of its parent's line
		return f
	}
	const (
		redis  = "We decided to use Redis for the session cache"
		tabs   = "Always indent the Go code with tabs"
		heron  = "We decided to call the staging host heron"
		deploy = "Never deploy the billing service on Fridays"
	)
	for name, tt := range map[string]struct {
		log            []finding.Finding
		best, settled  []string
		sessions       int // of the first
		bestHasNumbers int // of the first
	}{
		"the surer first": {[]finding.Finding{likely(said("a", tabs, 1), 0.9), said("a", heron, 2)},
			[]string{heron, tabs}, nil, 1, 1},
		"the newer of equals": {[]finding.Finding{said("a", tabs, 1), said("b", heron, 2)},
			[]string{heron, tabs}, nil, 1, 1},
		"what was asked for": {[]finding.Finding{said("a", heron, 2), asked(likely(said("b", tabs, 1), 0.3))},
			[]string{tabs, heron}, nil, 1, 1},
		"three sessions first": {[]finding.Finding{likely(said("a", tabs, 1), 0.2),
			likely(said("b", tabs+".", 2), 0.2), likely(said("c", "Remember: "+tabs, 3), 0.2),
			said("d", heron, 4)}, []string{"Remember: " + tabs, heron}, nil, 3, 3},
		"two are not three": {[]finding.Finding{likely(said("a", tabs, 1), 0.2),
			likely(said("b", tabs, 2), 0.2), said("d", heron, 4)}, []string{heron, tabs}, nil, 1, 1},
		"a fork says nothing again": {[]finding.Finding{likely(said("a", tabs, 1), 0.2),
			fork(likely(said("a", tabs, 1), 0.2), "b"), fork(likely(said("a", tabs, 1), 0.2), "c"),
			said("d", heron, 4)}, []string{heron, tabs}, nil, 1, 1},
		"the agent's three are none": {[]finding.Finding{agent(likely(said("a", tabs, 1), 0.2)),
			agent(likely(said("b", tabs, 2), 0.2)), agent(likely(said("c", tabs, 3), 0.2)),
			said("d", heron, 4)}, []string{heron, tabs}, nil, 1, 1},
		"the person's words": {[]finding.Finding{said("a", heron, 1), agent(said("b", heron+".", 2))},
			[]string{heron}, nil, 2, 2},
		"taken back": {[]finding.Finding{said("a", redis, 1), turned("b", "We no longer use Redis.", 9)},
			nil, []string{redis}, 0, 0},
		"taken back in the same breath": {[]finding.Finding{said("a", heron, 1), said("a", redis, 2),
			func() finding.Finding {
				f := turned("a", "Scrap that.", 2)
				f.Time = f.Time.Add(time.Minute)
				return f
			}()}, []string{heron}, []string{redis}, 1, 1},
		"that of another day": {[]finding.Finding{said("a", redis, 2), turned("a", "Scrap that.", 9)},
			[]string{redis}, nil, 1, 1},
		"taken back before it was said": {[]finding.Finding{turned("b", "We no longer use Redis.", 1),
			said("a", redis, 9)}, []string{redis}, nil, 1, 1},
		"said once more after that": {[]finding.Finding{said("a", redis, 1),
			turned("b", "We no longer use Redis.", 3), said("c", redis, 9)}, []string{redis}, nil, 2, 2},
		"the opposite later": {[]finding.Finding{said("a", deploy, 1),
			said("b", "Deploy the billing service on Fridays", 9)},
			[]string{"Deploy the billing service on Fridays"}, []string{deploy}, 1, 1},
		"another thing denied": {[]finding.Finding{said("a", "Deploy the frontend on Fridays", 1),
			said("b", "Never rebase the main branch on your own", 9)},
			[]string{"Never rebase the main branch on your own", "Deploy the frontend on Fridays"}, nil, 1,
			1},
	} {
		t.Run(name, func(t *testing.T) {
			best, settled := Best(open(tt.log...))
			if got := textsOf(best); !slices.Equal(got, tt.best) {
				t.Fatalf("offers %q, want %q", got, tt.best)
			}
			if got := textsOf(settled); !slices.Equal(got, tt.settled) {
				t.Fatalf("settled %q, want %q", got, tt.settled)
			}
			for _, c := range settled {
				if c.Over == "" {
					t.Errorf("%q is settled by nothing", c.Text)
				}
			}
			if len(best) > 0 && (best[0].Sessions != tt.sessions ||
				len(best[0].numbers) != tt.bestHasNumbers) {
				t.Errorf("%q was said in %d sessions by %d, want %d and %d", best[0].Text, best[0].Sessions,
					len(best[0].numbers), tt.sessions, tt.bestHasNumbers)
			}
		})
	}
}

// TestBestLosesNothing: each statement of a log is in exactly one candidate, in whatever order the log has
// them, and the order of the log changes nothing.
func TestBestLosesNothing(t *testing.T) {
	things := []string{"Use tabs in Go files", "Use Postgres for the jobs table",
		"Name the staging host heron",
		"Run make lint before each push", "Keep secrets in the vault",
		"Deploys happen on Tuesdays"}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all []finding.Finding
		for i := range 40 {
			f := said(fmt.Sprint("s", r.IntN(8)), things[r.IntN(len(things))], i)
			f.Score = float64(r.IntN(10)) / 10
			if r.IntN(2) == 0 {
				f.By, f.Level = finding.Agent, finding.Candidate
			}
			all = append(all, f)
		}
		log := open(all...)
		best, settled := Best(log)
		var numbers []int
		for _, c := range append(slices.Clone(best), settled...) {
			numbers = append(numbers, c.numbers...)
		}
		if slices.Sort(numbers); len(numbers) != len(slices.Compact(slices.Clone(numbers))) ||
			len(numbers) != len(all) {
			t.Fatalf("seed %d: %d statements became %v", seed, len(all), numbers)
		}
		r.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
		if again, _ := Best(log); !slices.Equal(textsOf(again), textsOf(best)) {
			t.Fatalf("seed %d: in another order %q, want %q", seed, textsOf(again), textsOf(best))
		}
	}
}

func TestSpread(t *testing.T) {
	var all []Candidate
	for i := range 6 {
		all = append(all, Candidate{Finding: said("a", fmt.Sprint("A", i), i)})
	}
	weak := said("c", "C", 1)
	weak.Score, weak.Level = leastRank/2, finding.Candidate
	all = append(all, Candidate{Finding: said("b", "B", 1)}, Candidate{Finding: weak})
	want := []string{"A0", "A1", "A2", "B", "A3", "A4", "A5"}
	if got := textsOf(spread(all)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
