package main

import (
	"encoding/json"
	"testing"

	"keepsake/hooks"
	"keepsake/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, map[string]func(){"event": main}) }

func TestScripts(t *testing.T) { script.Run(t) }

// TestEveryEventIsAnswered: whatever hooks.json has this program called with, it answers.
func TestEveryEventIsAnswered(t *testing.T) {
	var file struct{ Hooks map[string]json.RawMessage }
	if err := json.Unmarshal(hooks.JSON, &file); err != nil || len(file.Hooks) < 10 {
		t.Fatalf("hooks.json: %v, %d events", err, len(file.Hooks))
	}
	for event := range file.Hooks {
		program, args := hooks.Call(event)
		if answers := len(args) > 0 && answerer(args[0], nil) != nil; answers != (program == "event") {
			t.Errorf("%s is answered by %s; here: %v", event, program, answers)
		}
	}
}
