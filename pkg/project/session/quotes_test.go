package session

import (
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestQuotes: what says one thing is one finding, with the other words as quotes, each once.
func TestQuotes(t *testing.T) {
	f := finding.Finding{By: finding.Typed, Text: "we keep the queue in Postgres"}
	for _, said := range []string{"OK, the queue stays in Postgres", "queue in Postgres",
		"OK, the queue stays in Postgres", "The queue is in Postgres now", "keep queue: Postgres",
		"queue: still Postgres"} {
		f = joinFindings(f, finding.Finding{By: finding.Agent, Text: said})
	}
	want := []string{"OK, the queue stays in Postgres", "The queue is in Postgres now",
		"keep queue: Postgres"}
	if len(f.Context) != len(want) {
		t.Fatalf("%+v", f.Context)
	}
	for i, l := range f.Context {
		if l.Text != want[i] || l.Role != finding.Quoted || l.By != finding.Agent {
			t.Errorf("quote %d: %+v; want %q", i, l, want[i])
		}
	}
	if f.Text != "we keep the queue in Postgres" || f.By != finding.Typed {
		t.Errorf("%+v; want the person's words", f)
	}
}

// TestRepeatedRule: an instruction that a person gives in two sessions is sure, and nothing else is by that.
func TestRepeatedRule(t *testing.T) {
	rule := finding.Finding{By: finding.Typed, Text: "always use pnpm here", Category: memory.Preference,
		Level: finding.Candidate, Session: "a"}
	for name, tt := range map[string]struct {
		change func(*finding.Finding)
		want   finding.Level
	}{
		"in another session": {func(f *finding.Finding) { f.Session = "b" }, finding.Sure},
		"in the same":        {func(*finding.Finding) {}, finding.Candidate},
		"by the agent": {func(f *finding.Finding) { f.Session, f.By = "b", finding.Agent },
			finding.Candidate},
		"no instruction": {func(f *finding.Finding) {
			f.Session, f.Text = "b", "pnpm takes one store at a time"
		}, finding.Candidate},
		"no rule": {func(f *finding.Finding) { f.Session, f.Category = "b", memory.Decision },
			finding.Candidate},
	} {
		again := rule
		tt.change(&again)
		got, _ := repeatedAs(finding.Status{Finding: rule, State: finding.Open}, again, again.Session)
		if got.Level != tt.want {
			t.Errorf("%s: %s; want %s", name, got.Level, tt.want)
		}
	}
}
