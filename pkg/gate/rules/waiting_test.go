package rules

import (
	"strings"
	"testing"
)

// TestTroubled: only the newest trouble with an approval is shown, within the five lines of a dialog.
func TestTroubled(t *testing.T) {
	reason := "permanent memory write: x\nwing w, room r\nlooks like a secret: AWS key\nclose to what is " +
		"kept: a\n" + palaceBecause
	got := strings.Split(Unwritten(Unreadable(reason, "first"), "second"), "\n")
	if len(got) > 5 || got[0] != "permanent memory write: x" ||
		got[len(got)-2] != "It can't wait for an answer: second" {
		t.Errorf("%q", got)
	}
}
