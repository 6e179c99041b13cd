package rules

import (
	"slices"
	"strings"
)

// Waiting returns the reason of a denied call with how a person can still approve it: its id, the command for
// a terminal and, if here says that a person sits at the session, the command to type there. A hint that only
// says to ask is replaced. client is the variable that names the client's folder, with its value, if the
// terminal command needs it, else "".
func Waiting(reason, id, binary, client string, here bool) string {
	lines := append(waitsAs(withoutAsking(reason), id, binary, client, here),
		"hint: tell the person; once it is approved, make the same call again with every byte the same")
	return strings.Join(lines, "\n")
}

// Held is Waiting for a call whose dialog would have opened under the person's typing.
func Held(reason, id, binary, client string, here bool) string {
	lines := append(withoutAsking(reason),
		"No dialog was opened: the person takes this turn for ended, and may be typing.")
	return strings.Join(append(waitsAs(lines, id, binary, client, here),
		"hint: go on without it, and don't make this call again before the person has approved it;",
		"at the end tell them in one line that it waits as "+id), "\n")
}

// waitsAs returns lines followed by the id of a call and the ways to approve it.
func waitsAs(lines []string, id, binary, client string, here bool) []string {
	command := Quote(binary) + " inbox approve " + id
	if client != "" {
		command = client + " " + command
	}
	lines = append(lines,
		"It waits as "+id+" for the person, who can approve exactly this call:",
		"  in a terminal: "+command)
	if here {
		lines = append(lines, "  or typed into this session: /keepsake:approve "+id)
	}
	return lines
}

// Rejected returns the reason for a call to which a person has said no.
func Rejected(reason, id string) string {
	first, _, _ := strings.Cut(reason, "\n")
	return first + "\nThe person has said no to exactly this call (" + id +
		"). Nothing was stored.\nhint: go on without it, and don't put it in other words"
}

const unreadable = "An approval could not be read: "

// Unreadable returns reason with the notice that the person's answer could not be read, so that an approved
// call is asked about again.
func Unreadable(reason, why string) string {
	return withTrouble(reason, unreadable+why)
}

// Unwritten returns reason with the notice that the call could not be stored. It then has no id, and only a
// dialog can be answered.
func Unwritten(reason, why string) string {
	return withTrouble(reason, "It can't wait for an answer: "+why)
}

// withTrouble replaces any earlier trouble in the reason, as a person sees only five lines.
func withTrouble(reason, what string) string {
	const hint = "hint: run `keepsake doctor` in a terminal"
	lines := slices.DeleteFunc(withoutAsking(reason), func(l string) bool {
		return l == hint || strings.HasPrefix(l, unreadable)
	})
	return strings.Join(append(lines[:min(len(lines), 3)], Line(what), hint), "\n")
}

// RanOtherwise returns the notice for a person that an approved call ran with other arguments.
func RanOtherwise(id string) string {
	return "keepsake: the call that you approved (" + id +
		") ran with other arguments. Another hook may have changed them; see keepsake doctor"
}

// withoutAsking returns the lines of a reason without the hints that only say to ask the person.
func withoutAsking(reason string) []string {
	return slices.DeleteFunc(strings.Split(reason, "\n"), func(l string) bool {
		return strings.HasPrefix(l, "hint: tell the person")
	})
}
