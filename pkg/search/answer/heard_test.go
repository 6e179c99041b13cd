package answer

import (
	"testing"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/project/session"
)

// TestSpeakerOf: what came in as a prompt where nobody sat is not said by the user.
func TestSpeakerOf(t *testing.T) {
	for origin, want := range map[finding.Origin]string{
		finding.FromPerson: "said by the user", "": "said by the user",
		finding.FromAgent: "said by a program",
		finding.NoOrigin:  "said by a program", finding.Tainted: "said by a program",
	} {
		if got := WhoSaid(finding.Finding{By: finding.Typed, Origin: origin}); got != want {
			t.Errorf("%q: %q, want %q", origin, got, want)
		}
	}
	if got := WhoSaid(finding.Finding{By: finding.Agent,
		Origin: finding.FromAgent}); got != "said by the agent" {
		t.Error(got)
	}
}

// TestWhoAnswered: an answer that the client's line does not mark is not said by a program,
// nor by the user; a pick in a prompt where nobody sat is no answer to the client.
func TestWhoAnswered(t *testing.T) {
	context := []finding.Line{{By: finding.Agent, Role: finding.Question, Text: "Which store?"},
		{By: finding.Chosen, Role: finding.Answer, Text: "Redis"}}
	for want, f := range map[string]finding.Finding{
		"chosen in a question of the client's, unmarked": {By: finding.Chosen, Origin: finding.FromAgent,
			Cue: explain.Answered, Context: context},
		"typed into a question of the client's, unmarked": {By: finding.Typed, Origin: finding.FromAgent,
			Cue: "we decided", Context: context},
		"chosen by the user": {By: finding.Chosen, Origin: finding.FromPerson, Cue: explain.Answered,
			Context: context},
		"said by the user": {By: finding.Typed, Origin: finding.FromPerson,
			Context: context},
		"from an earlier version, as typed": {By: finding.Typed, Origin: finding.FromAgent,
			Cue: session.Earlier},
		"from an earlier version": {By: finding.Agent, Origin: finding.FromAgent,
			Cue: session.Earlier},
		"said by a program": {By: finding.Chosen, Origin: finding.FromAgent,
			Cue: "pick", Context: context},
	} {
		if got := WhoSaid(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
