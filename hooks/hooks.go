// Package hooks holds hooks.json as it ships, so that doctor can tell whether what the client reads is still
// that, and says which program answers an event.
package hooks

import (
	_ "embed"
	"slices"
	"strings"
)

// JSON is hooks.json at build time.
//
//go:embed hooks.json
var JSON []byte

// alone are the events that have a program of their own, because they come with every call or turn.
var alone = []string{"PreToolUse", "Stop", "UserPromptSubmit"}

// Call returns the program in bin/hooks that answers an event, and its arguments.
func Call(event string) (program string, args []string) {
	if slices.Contains(alone, event) {
		return strings.ToLower(event), nil
	}
	return "event", []string{event}
}
