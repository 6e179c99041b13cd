package checkpoint

import (
	"slices"
	"strings"
)

// Waiting adds to the reason of a denied call how a person can still approve
// it: its id, the command for a terminal, and the one to type into the session
// where a person sits at it. A hint that only said to ask gives way. Client is the
// client's folder where the terminal has to be told of it, else "".
func Waiting(reason, id, binary, client string, here bool) string {
	command := shown(binary) + " inbox approve " + id
	if client != "" {
		command = "CLAUDE_CONFIG_DIR=" + shown(client) + " " + command
	}
	lines := withoutAsking(reason)
	lines = append(lines,
		"It waits as "+id+" for the person, who can approve exactly this call:",
		"  in a terminal: "+command)
	if here {
		lines = append(lines, "  or typed into this session: /keepsake:approve "+id)
	}
	lines = append(lines, "hint: tell the person; once it is approved, make the same call again with every byte the same")
	return strings.Join(lines, "\n")
}

// Rejected is the reason of a call that a person has said no to.
func Rejected(reason, id string) string {
	first, _, _ := strings.Cut(reason, "\n")
	return first + "\nThe person has said no to exactly this call (" + id + "). Nothing was stored.\nhint: go on without it, and don't put it in other words"
}

const unreadable = "An approval could not be read: "

// Unreadable adds to a reason that an answer of the person could not be looked
// up, so that an approved call is asked for again.
func Unreadable(reason, why string) string {
	return troubled(reason, unreadable+why)
}

// Unwritten adds to a reason that the call could not be kept for an answer, so
// that no id stands for it: only a dialog can still be answered.
func Unwritten(reason, why string) string {
	return troubled(reason, "It can't wait for an answer: "+why)
}

// troubled keeps the newest trouble alone: a person sees five lines of a reason.
func troubled(reason, what string) string {
	const hint = "hint: run `keepsake doctor` in a terminal"
	lines := slices.DeleteFunc(withoutAsking(reason), func(l string) bool {
		return l == hint || strings.HasPrefix(l, unreadable)
	})
	return strings.Join(append(lines[:min(len(lines), 3)], Line(what), hint), "\n")
}

// RanOtherwise tells the person that an approved call ran with other arguments.
func RanOtherwise(id string) string {
	return "keepsake: the call that you approved (" + id + ") ran with other arguments. Another hook may have changed them; see keepsake doctor"
}

// withoutAsking is the lines of a reason, less the hints that say no more than
// to ask the person.
func withoutAsking(reason string) []string {
	return slices.DeleteFunc(strings.Split(reason, "\n"), func(l string) bool { return strings.HasPrefix(l, "hint: tell the person") })
}
