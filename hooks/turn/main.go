// Command turn answers the two events around a turn, UserPromptSubmit and Stop. It is told which one by its
// first argument. Nearly all that one of them links the other links as well, so one program starts as fast as
// either, and has half the size of both. Each event's code is a package beside this one.
package main

import (
	"os"

	"keepsake/hooks/stop"
	"keepsake/hooks/userpromptsubmit"
	"keepsake/pkg/client/hook"
)

func main() {
	os.Exit(hook.Answer(os.Args[1:], answerer))
}

// answerer returns the function that answers an event and returns the exit code, or nil if there is none.
func answerer(event string, _ []string) func() int {
	switch event {
	case "Stop":
		return stop.Run
	case "UserPromptSubmit":
		return userpromptsubmit.Run
	}
	return nil
}
