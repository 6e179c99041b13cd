package main

import (
	"testing"

	"keepsake/pkg/capture/finding"
)

// TestSpeakerOf: what came in as a prompt where nobody sat is not said by the user.
func TestSpeakerOf(t *testing.T) {
	for origin, want := range map[finding.Origin]string{
		finding.FromPerson: "said by the user", "": "said by the user",
		finding.FromAgent: "said by a program",
		finding.NoOrigin:  "said by a program", finding.Tainted: "said by a program",
	} {
		if got := whoSaid(speakerOf(finding.Finding{By: finding.Typed, Origin: origin})); got != want {
			t.Errorf("%q: %q, want %q", origin, got, want)
		}
	}
	if got := whoSaid(speakerOf(finding.Finding{By: finding.Agent,
		Origin: finding.FromAgent})); got != "said by the agent" {
		t.Error(got)
	}
}
