package brief_test

import (
	"testing"
	"time"

	"keepsake/pkg/brief"
)

// TestNoticedLine: what is not seen is spelled out once, and quotes and backslashes
// stand as they were said.
func TestNoticedLine(t *testing.T) {
	n := brief.Noticed{Number: 7, Label: "decision", By: "said by the user",
		At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local)}
	for said, want := range map[string]string{
		"pay\u200bload\x1b[2J": `"pay\u200bload\x1b[2J"`,
		`say "hi" in C:\tmp`:   `"say "hi" in C:\tmp"`,
		"naïve\nlines":         `"naïve lines"`,
	} {
		n.Text = said
		if got := n.Line(); got != "[7]    decision    "+want+" (said by the user, 2026-11-20)" {
			t.Errorf("%q: %s", said, got)
		}
	}
}
