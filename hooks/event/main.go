// Command event answers every event of the client but three. It is told which one by its first argument:
// `event SessionStart`. PreToolUse, UserPromptSubmit and Stop run so often that they have smaller programs,
// which start faster; each event's code is a package beside this one.
package main

import (
	"os"

	"keepsake/hooks/posttooluse"
	"keepsake/hooks/posttoolusefailure"
	"keepsake/hooks/precompact"
	"keepsake/hooks/sessionend"
	"keepsake/hooks/sessionstart"
	"keepsake/hooks/subagentstart"
	"keepsake/hooks/subagentstop"
	"keepsake/hooks/userpromptexpansion"
	"keepsake/pkg/client/hook"
)

func main() {
	os.Exit(hook.Answer(os.Args[1:], answerer))
}

// answerer returns the function that answers an event and returns the exit code, or nil if there is none.
func answerer(event string, args []string) func() int {
	switch event {
	case "PostToolUse":
		return posttooluse.Run
	case "PostToolUseFailure":
		return posttoolusefailure.Run
	case "PreCompact":
		return precompact.Run
	case "SessionEnd":
		return sessionend.Run
	case "SessionStart":
		return sessionstart.Run
	case "SubagentStart":
		return func() int { return subagentstart.Run(args) }
	case "SubagentStop":
		return subagentstop.Run
	case "UserPromptExpansion":
		return userpromptexpansion.Run
	}
	return nil
}
