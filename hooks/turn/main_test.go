package main

import (
	"testing"

	"keepsake/hooks"
)

// TestOwnEventsAreAnswered: what hooks.Call gives to this program it answers, and nothing else.
func TestOwnEventsAreAnswered(t *testing.T) {
	for _, event := range []string{"PreToolUse", "SessionStart", "Stop", "UserPromptSubmit", ""} {
		program, args := hooks.Call(event)
		if answers := answerer(event, nil) != nil; answers != (program == "turn") {
			t.Errorf("%q is answered by %s %q; here: %v", event, program, args, answers)
		}
	}
}
