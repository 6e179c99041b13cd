package explain

import (
	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/learn"
	"keepsake/pkg/memory"
)

// Who a statement is counted as said by, besides learn.Person.
const (
	byAgent = "agent"
	byPlan  = "plan" // the agent wrote it and the person approved it
)

// byWords is what heard a statement that is no answer, pick, approval, refusal or reversal.
const byWords = "words"

// traitsOf returns under what an answer about a statement counts.
func traitsOf(c memory.Category, by finding.Speaker, cue string, found cues.Set) learn.Traits {
	t := learn.Traits{Category: c, By: learn.Person, Heard: byWords, Cues: found}
	chose := cue == Answered || cue == Picked || cue == Agreed
	switch {
	case !by.Person():
		t.By = byAgent
	case by == finding.Chosen && !chose:
		t.By = byPlan
	}
	if chose && by.Person() || cue == Planned && by == finding.Chosen ||
		(cue == Refused || cue == Reverted) && by == finding.Typed {
		t.Heard = cue
	}
	return t
}

// TraitsOf returns under what the person's answer about a finding counts. ok is false for a finding that
// teaches nothing: the person had asked for it, or the model did not judge it.
func TraitsOf(f finding.Finding) (t learn.Traits, ok bool) {
	judged := f.Score > 0 && f.Category != "" && f.Category != memory.SessionSummary &&
		f.Kind == finding.Statement && f.Text != ""
	if !judged || f.Explicit {
		return t, false
	}
	return traitsOf(f.Category, f.By, f.Cue, cues.Find(f.Text)), true
}
