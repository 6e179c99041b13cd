package transcript

import (
	"bytes"
	"cmp"
	"strings"
)

// dull reports from the head of a line that nobody said anything in it: the
// client's records of its requests, of files and of its own state, which are
// long and many. It knows only the compact form the client writes; another
// form is read whole and found to say nothing then.
func dull(line []byte) bool {
	head := line[:min(len(line), headSize)]
	if kind, ok := bytes.CutPrefix(head, []byte(`{"type":"`)); ok {
		return !speaks(kind)
	}
	// A quote within a string is escaped, so what follows is keys of the line
	// itself, as long as the message, which may hold anything, has not begun.
	if i := bytes.Index(head, []byte(`"message":`)); i >= 0 {
		head = head[:i]
	}
	if _, kind, ok := bytes.Cut(head, []byte(`"attachment":{"type":"`)); ok {
		return bytes.IndexByte(kind, '"') >= 0 && !bytes.HasPrefix(kind, []byte("queued_command")) &&
			!bytes.HasPrefix(kind, []byte("hook_"))
	}
	return bytes.Contains(head, []byte(`"type":"progress"`))
}

// speaks reports whether lines of the kind that rest begins with may say
// something.
func speaks(rest []byte) bool {
	kind, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return true
	}
	switch string(kind) {
	case "user", "human", "assistant", "attachment", "system":
		return true
	}
	return false
}

// The client writes into the person's prompts. Text in one of asideTags stands
// beside their words, which go on after it; a text that opens with one of
// wholeTags or openings is the client's as a whole.
var (
	asideTags = []string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics",
		"user-prompt-submit-hook", "new-diagnostics"}
	wholeTags = []string{
		"command-name", "command-message", "command-args", "command-contents",
		"local-command-stdout", "local-command-stderr", "local-command-caveat",
		"bash-input", "bash-stdout", "bash-stderr", "task-notification",
		"user-memory-input", "background-task", "tool_use_error", "teammate-message", "channel-message",
	}
	openings = []string{"[Request interrupted", "Caveat: The messages below", "Stop hook feedback:",
		"This session is being continued from a previous conversation"}
)

// words returns what the person wrote themselves in a text of a prompt:
// without the client's tags, and of a typed command of a plugin or skill
// (/plugin:command args) only the arguments. tagged tells that something was
// left out, command is the name of a typed command, "" when the text is none.
func words(text string) (kept string, tagged bool, command string) {
	rest := strings.TrimSpace(text)
	for strings.HasPrefix(rest, "<") {
		tag := opening(rest, asideTags)
		if tag == "" {
			break
		}
		_, after, ok := strings.Cut(rest, "</"+tag+">")
		if !ok {
			return "", true, ""
		}
		rest, tagged = strings.TrimSpace(after), true
	}
	if tag := opening(rest, wholeTags); tag != "" {
		if tag != "command-name" && tag != "command-message" {
			return "", true, ""
		}
		name := cmp.Or(between(rest, "command-name"), "/")
		if !strings.Contains(name, ":") {
			return "", true, name
		}
		return between(rest, "command-args"), true, name
	}
	for _, o := range openings {
		if strings.HasPrefix(rest, o) {
			return "", true, ""
		}
	}
	kept, cut := withoutReminders(rest)
	return kept, tagged || cut, ""
}

// withoutReminders leaves out the reminders that follow or interrupt the
// person's words.
func withoutReminders(text string) (kept string, cut bool) {
	const open, shut = "<system-reminder>", "</system-reminder>"
	if !strings.Contains(text, open) {
		return text, false
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, open)
		_, after, closed := strings.Cut(after, shut)
		if !ok || !closed { // the client closes what it opens: this is somebody writing about it
			b.WriteString(text)
			return b.String(), cut
		}
		b.WriteString(before)
		text, cut = after, true
	}
}

// opening returns the tag of tags that text opens with, or "".
func opening(text string, tags []string) string {
	for _, tag := range tags {
		if after, ok := strings.CutPrefix(text, "<"+tag); ok && after != "" &&
			(after[0] == '>' || after[0] == ' ') {
			return tag
		}
	}
	return ""
}

// between returns what stands between the first opening and the last closing tag.
func between(text, tag string) string {
	_, after, _ := strings.Cut(text, "<"+tag+">")
	if i := strings.LastIndex(after, "</"+tag+">"); i >= 0 {
		return strings.TrimSpace(after[:i])
	}
	return ""
}
