package hook

import (
	"fmt"
	"os"
)

// Answer answers the event that a program's first argument names, and returns the exit code. answerer returns
// the function that answers an event, given the other arguments, or nil if the program has none.
func Answer(args []string, answerer func(event string, args []string) func() int) int {
	what := "no event"
	if len(args) > 0 {
		if run := answerer(args[0], args[1:]); run != nil {
			return run()
		}
		what += " " + args[0]
	}
	fmt.Fprintf(os.Stderr, "keepsake: %s is answered here. hint: hooks.json and the programs in bin/hooks "+
		"are from different versions; reinstall the plugin\n", what)
	return 1
}
