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

// ApprovedSome is Approved for several calls, each "ID of TOOL". left names those that were not approved and
// why.
func ApprovedSome(calls, left []string, minutes int) (context, message string) {
	which := Text(strings.Join(calls, ", "), maxSome)
	return fmt.Sprintf("<memory-approval>The person has approved the calls %s. Make each of them again now, "+
			"one after the other, with every byte of its arguments the same. Each can run once within %d "+
			"minutes; anything else is asked again.%s</memory-approval>", which, minutes, notAnswered(left)),
		fmt.Sprintf("keepsake: approved %s, for one call each within %d minutes%s", which, minutes,
			leftOut(left))
}

// RejectedSome is Rejected for several calls.
func RejectedSome(calls, left []string) (context, message string) {
	which := Text(strings.Join(calls, ", "), maxSome)
	return fmt.Sprintf("<memory-approval>The person has said no to the calls %s. Don't make them again and "+
			"don't put them in other words.%s</memory-approval>", which, notAnswered(left)),
		fmt.Sprintf("keepsake: rejected %s%s", which, leftOut(left))
}

// ShowWaiting returns what waits for a person who wanted to approve all of it without having seen it here.
// Each line has an id first.
func ShowWaiting(lines []string, command string) (context, message string) {
	message = "keepsake: nothing was approved yet. These wait; to approve them, type " + command
	for _, l := range lines {
		message += "\n  " + l
	}
	return "<memory-approval>Nothing was approved: the person is shown what waits, and names it. Make " +
		"no call.</memory-approval>", message
}

// maxSome bounds the names of several calls, in characters.
const maxSome = 2000

func notAnswered(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return " Not answered, so don't make them again: " + Text(strings.Join(left, "; "), maxSome) + "."
}

func leftOut(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return "\nleft out: " + Text(strings.Join(left, "; "), maxSome)
}

// Turned returns what the agent is told when the person has turned a candidate down.
func Turned(id string) (context, message string) {
	return fmt.Sprintf("<memory-approval>The person has said no to the candidate %s. It is not kept for "+
			"good and not proposed again; its note stays.</memory-approval>", id),
		fmt.Sprintf("keepsake: rejected %s; it is not proposed again, and stays in the notes", id)
}
