// Command event answers every event of the client but three. It is told which one by its first argument:
// `event SessionStart`. PreToolUse, UserPromptSubmit and Stop run so often that they have programs of their
// own, which link only what they need; each event's code is a package beside this one.
package main

import (
	"fmt"
	"os"

	"keepsake/hooks/posttooluse"
	"keepsake/hooks/posttoolusefailure"
	"keepsake/hooks/precompact"
	"keepsake/hooks/sessionend"
	"keepsake/hooks/sessionstart"
	"keepsake/hooks/subagentstart"
	"keepsake/hooks/subagentstop"
	"keepsake/hooks/userpromptexpansion"
)

func main() {
	if len(os.Args) < 2 {
		unknown("no event")
	}
	run := answerer(os.Args[1], os.Args[2:])
	if run == nil {
		unknown("no event " + os.Args[1])
	}
	os.Exit(run())
}

func unknown(what string) {
	fmt.Fprintf(os.Stderr, "keepsake: %s is answered here. hint: hooks.json and the programs in bin/hooks "+
		"are from different versions; reinstall the plugin\n", what)
	os.Exit(1)
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
