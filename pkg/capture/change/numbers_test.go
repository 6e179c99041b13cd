package change

import (
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestNumberTurnsOnlyWhatItIsOf says that a number that is turned down is of something, and says
// nothing against what has that number of something else.
func TestNumberTurnsOnlyWhatItIsOf(t *testing.T) {
	const (
		approvals = "Reviews need two approvals."
		weeks     = "We release every two weeks."
		passwords = "Passwords need at least twelve characters."
		port      = "The API listens on port 80."
		node      = "We build with Node 18."
		timeout   = "The timeout is 30 seconds."
		spaces    = "Indent with 2 spaces."
	)
	for _, tt := range []struct {
		record, statement string
		want              bool
	}{
		{approvals, "Indent with four spaces, not two.", false},
		{approvals, "Indent with 4 spaces, not 2.", false},
		{approvals, "Indent with four, not two.", false},
		{approvals, "There are three callers, not two.", false},
		{approvals, "Change the loop from two to three rounds.", false},
		{approvals, "Change the loop from 2 to 3 rounds.", false},
		{approvals, "Change the loop from two to three.", false},
		{approvals, "Use three workers instead of two.", false},
		{approvals, "Use three files rather than two.", false},
		{approvals, "Use three files instead of two files.", false},
		{approvals, "Start 3 pods instead of 2.", false},
		{approvals, "Nimm drei Spalten statt zwei.", false},
		{approvals, "Make that three columns instead.", false},
		{approvals, "Make it three.", false},
		{weeks, "Use three columns, not two.", false},
		{weeks, "Use 3 columns, not 2.", false},
		{weeks, "Switch from two to four threads.", false},
		{passwords, "Wait 13 seconds instead of twelve.", false},
		{passwords, "Wait 13 seconds instead of 12.", false},
		{passwords, "Change the margin from 12 to 14 pixels.", false},
		{passwords, "Change the margin from 12 to 14px.", false},
		{passwords, "Change the margin from twelve to fourteen.", false},
		{port, "Use 90 columns instead of 80.", false},
		{node, "Use 20 workers instead of 18.", false},

		{approvals, "Use three review columns instead of two.", false},
		{approvals, "Run three rounds of reviews instead of two.", false},
		{approvals, "We don't need two any more.", false},
		{approvals, "We no longer need two callers.", false},
		{approvals, "Drop two of them.", false},
		{passwords, "The banner no longer needs 12 pixels.", false},
		{passwords, "Use 14 password columns instead of 12.", false},

		{approvals, "Change the review font from two to three.", false},
		{timeout, "Change the margin from 30 to 60.", false},

		{timeout, "Change the timeout from 30 to 60.", true},
		{approvals, "Change the approvals from two to three.", true},
		{approvals, "Use three approvals instead of two.", true},
		{approvals, "Use three approvals per review instead of two.", true},
		{spaces, "Use four leading spaces, not two.", true},
		{approvals, "Change from two to three approvals.", true},
		{passwords, "Use 14 characters instead of 12.", true},
		{passwords, "Use fourteen characters instead of twelve.", true},
		{spaces, "Indent with four spaces, not two.", true},
		{spaces, "Use 4 spaces instead of 2.", true},
		{port, "Use port 8080 instead of 80.", true},
		{node, "Use Node 20 instead of 18.", true},
	} {
		all := []Subject{{Ref: "r", Category: memory.Decision, Title: tt.record[:len(tt.record)-1],
			Text: tt.record,
			Time: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Injected: true}}
		if got, ok := Detect(tt.statement, finding.Typed, all); ok != tt.want {
			t.Errorf("%q against %q: %v by %q", tt.statement, tt.record, ok, got.Cue)
		}
	}
}
