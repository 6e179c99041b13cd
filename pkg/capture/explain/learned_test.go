package explain

import (
	"testing"
	"time"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/learn"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

// rejections returns a layer of many rejections of statements like some, each in every category.
func rejections(all []Heard) *learn.Layer {
	var answers []learn.Answer
	for _, h := range all {
		for _, c := range memory.Categories() {
			for range 20 {
				answers = append(answers, learn.Answer{Number: len(answers) + 1, At: time.Unix(0, 0),
					Score: 0.9, Traits: traitsOf(c, h.By, h.Statement.Cue, cues.Find(h.Text))})
			}
		}
	}
	return learn.New(answers)
}

// TestLearnedInListen: what was rejected before is less likely, but never what the person asked for, and
// never their rule.
func TestLearnedInListen(t *testing.T) {
	for said, falls := range map[string]bool{
		"> We went with Redis for the session cache, because it is shared.":        true,
		"We decided to use Postgres instead of SQLite: billing needs two writers.": true,
		"> Remember that we deploy on Tuesdays.":                                   false,
		"> From now on always use pnpm, never npm, in this repository.":            false,
	} {
		before := Listen(nil, talk(said), triage.Options{})
		after := Listen(nil, talk(said), triage.Options{Learned: rejections(before)})
		if len(before) != 1 || len(after) != 1 {
			t.Errorf("%q: heard %d, then %d", said, len(before), len(after))
			continue
		}
		was, is := before[0].Statement, after[0].Statement
		if falls != (is.Score < was.Score) || is.Score > was.Score || is.Explicit != was.Explicit ||
			!falls && is.Level != was.Level {
			t.Errorf("%q: %s %.2f becomes %s %.2f", said, was.Level, was.Score, is.Level, is.Score)
		}
	}
}

// TestTraitsOf: the answer about a finding counts under what the next statement like it is judged by.
func TestTraitsOf(t *testing.T) {
	f := finding.Finding{Text: "We went with Redis.", By: finding.Typed, Category: memory.Decision,
		Score: 0.6}
	for name, c := range map[string]struct {
		by        finding.Speaker
		cue       string
		who, what string
	}{
		"a phrase": {finding.Typed, "we went with", learn.Person, "words"},
		"answer":   {finding.Typed, Answered, learn.Person, Answered},
		"a choice": {finding.Chosen, Answered, learn.Person, Answered},
		"pick":     {finding.Chosen, Picked, learn.Person, Picked},
		"yes":      {finding.Chosen, Agreed, learn.Person, Agreed},
		"plan":     {finding.Chosen, Planned, "plan", Planned},
		"in it":    {finding.Chosen, "we went with", "plan", "words"},
		"refusal":  {finding.Typed, Refused, learn.Person, Refused},
		"reversal": {finding.Typed, Reverted, learn.Person, Reverted},
		"agent":    {finding.Agent, "we went with", "agent", "words"},
		"family":   {finding.Agent, Answered, "agent", "words"}, // the model names a family of cues so
		"program":  {finding.Program, "", "agent", "words"},
	} {
		f.By, f.Cue = c.by, c.cue
		got, ok := TraitsOf(f)
		want := learn.Traits{Category: memory.Decision, By: c.who, Heard: c.what, Cues: cues.Find(f.Text)}
		if !ok || got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	for name, change := range map[string]func(*finding.Finding){
		"asked for":  func(f *finding.Finding) { f.Explicit = true },
		"a moment":   func(f *finding.Finding) { f.Category, f.Moment = "", memory.Progress },
		"a change":   func(f *finding.Finding) { f.Kind = finding.Change },
		"not judged": func(f *finding.Finding) { f.Score = 0 },
		"no text":    func(f *finding.Finding) { f.Text = "" },
		"a summary":  func(f *finding.Finding) { f.Category = memory.SessionSummary },
	} {
		g := f
		change(&g)
		if got, ok := TraitsOf(g); ok {
			t.Errorf("%s teaches %+v", name, got)
		}
	}
}
