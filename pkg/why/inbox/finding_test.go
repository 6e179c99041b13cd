package inbox

import (
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
)

// TestFindingLine: what is not seen is spelled out once, and quotes and backslashes
// stand as they were said.
func TestFindingLine(t *testing.T) {
	n := noticed{Status: finding.Status{Finding: finding.Finding{Number: 7, Category: "decision",
		By: finding.Typed, Origin: finding.FromPerson,
		Time: time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local)}}}
	for said, want := range map[string]string{
		"pay\u200bload\x1b[2J": `"pay\u200bload\x1b[2J"`,
		`say "hi" in C:\tmp`:   `"say "hi" in C:\tmp"`,
		"naïve\nlines":         `"naïve lines"`,
	} {
		n.Text = said
		if got := n.line(); got != "[7]    decision    "+want+" (said by the user, 2026-11-20)" {
			t.Errorf("%q: %s", said, got)
		}
	}
}
