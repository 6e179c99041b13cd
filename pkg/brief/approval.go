package brief

import (
	"fmt"
	"strings"
)

// Approved returns what the agent is told when the person has approved a call, and what the person
// is told.
func Approved(id, tool string, minutes int) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has approved the call %s of %s. Make it again now with "+
			"every byte of its arguments the same. It can run once within %d minutes; anything else is "+
			"asked again.</memory-approval>", id, Text(tool, maxQuote), minutes),
		fmt.Sprintf("keepsake: approved %s, for one call of %s within %d minutes", id, Text(tool, maxQuote),
			minutes)
}

// Rejected returns what the agent is told when the person has said no to a call.
func Rejected(id, tool string) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has said no to the call %s of %s. Don't make it again "+
			"and don't put it in other words.</memory-approval>", id, Text(tool, maxQuote)),
		fmt.Sprintf("keepsake: rejected %s", id)
}

// NotAnswered returns why an answer of the person was not taken.
func NotAnswered(id, why string) (context, message string) {
	about := ""
	if id != "" && !strings.Contains(why, id) {
		about = " (" + Text(id, maxQuote) + ")"
	}
	why = Text(why, 2*maxQuote)
	return fmt.Sprintf("<memory-approval>Nothing was approved or rejected%s: %s. Tell the person; don't "+
			"make the call again.</memory-approval>", about, why),
		fmt.Sprintf("keepsake: nothing was answered%s: %s", about, why)
}
