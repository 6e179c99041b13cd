package brief

import (
	"fmt"
	"strings"
)

// Approved says to the agent that the person has approved a call, and to the
// person what they have just approved.
func Approved(id, tool string, minutes int) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has approved the call %s of %s. Make it again now with "+
			"every byte of its arguments the same. It can run once within %d minutes; anything else is "+
			"asked again.</memory-approval>", id, Text(tool, maxQuote), minutes),
		fmt.Sprintf("keepsake: approved %s, for one call of %s within %d minutes", id, Text(tool, maxQuote),
			minutes)
}

// Rejected says to the agent that the person has said no to a call.
func Rejected(id, tool string) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has said no to the call %s of %s. Don't make it again "+
			"and don't put it in other words.</memory-approval>", id, Text(tool, maxQuote)),
		fmt.Sprintf("keepsake: rejected %s", id)
}

// NotAnswered says why an answer of the person was not taken.
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

// Turned says to the agent that the person has turned a candidate down.
func Turned(id string) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has said no to the candidate %s. It is not kept for "+
			"good and not proposed again; its note stays.</memory-approval>", id),
		fmt.Sprintf("keepsake: rejected %s; it is not proposed again, and stays in the notes", id)
}
