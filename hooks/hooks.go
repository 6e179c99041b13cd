// Package hooks holds hooks.json as it ships, so that doctor can tell whether what the client reads is still
// that, and says which program answers an event.
package hooks

import _ "embed"

// JSON is hooks.json at build time.
//
//go:embed hooks.json
var JSON []byte

// Call returns the program in bin/hooks that answers an event, and its arguments. What comes with every call
// or turn has a smaller program than the rest.
func Call(event string) (program string, args []string) {
	switch event {
	case "PreToolUse":
		return "pretooluse", nil
	case "Stop", "UserPromptSubmit":
		return "turn", []string{event}
	}
	return "event", []string{event}
}
