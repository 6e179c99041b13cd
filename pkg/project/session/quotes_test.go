package session

import (
	"fmt"
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
		"in German": {func(f *finding.Finding) {
			f.Session, f.Text, f.Category = "b", "ab jetzt immer pnpm", memory.Decision
		}, finding.Sure},
		"no rule": {func(f *finding.Finding) {
			f.Session, f.Text, f.Category = "b", "I want pnpm here", memory.Decision
		}, finding.Candidate},
	} {
		again := rule
		tt.change(&again)
		got, _ := repeatedAs(finding.Status{Finding: rule, State: finding.Open}, again, again.Session)
		if got.Level != tt.want {
			t.Errorf("%s: %s; want %s", name, got.Level, tt.want)
		}
	}
}

// TestQuotedFinding: what only quotes a finding is the same one, and makes it no surer.
func TestQuotedFinding(t *testing.T) {
	k := finding.Finding{By: finding.Typed, Text: "keep the grouping by session, checkpoints on request only",
		Category: memory.Decision, Level: finding.Candidate, Session: "a"}
	f := k
	f.Text, f.Level = "v main [4 checkpoints] v * "+k.Text+" - drop the line", finding.Sure
	if _, into := mergeRepeated([]finding.Finding{k, f}); into[1] != 0 {
		t.Error("a quotation is a finding of its own")
	}
	if _, goes := repeatedAs(finding.Status{Finding: k, State: finding.Open}, f, "a"); goes {
		t.Error("a quotation makes a finding surer")
	}
	short := k
	short.Text = "grouping by session"
	if _, into := mergeRepeated([]finding.Finding{short, k}); into[1] == 0 {
		t.Error("a phrase of a statement is the statement")
	}
}

// TestMergeRepeated: in a long stretch a thing said again in other words is only looked for nearby, in the
// same words everywhere.
func TestMergeRepeated(t *testing.T) {
	say := func(text string) finding.Finding { return finding.Finding{By: finding.Typed, Text: text} }
	for _, far := range []int{1, maxBeside + 1} {
		found := []finding.Finding{say("We keep the billing jobs in Postgres")}
		for i := range far {
			found = append(found, say(fmt.Sprintf("Port %d belongs to host %d", 9000+i, i)))
		}
		found = append(found, say("we keep the billing jobs in Postgres."),
			say("Our billing jobs are kept in Postgres"))
		_, into := mergeRepeated(found)
		if same, near := into[far+1] == 0, into[far+2] == 0; !same || near != (far < maxBeside) {
			t.Errorf("%d apart: the same words are one: %v; other words: %v", far, same, near)
		}
	}
}
