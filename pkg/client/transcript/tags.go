package transcript

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// isDull reports whether the head of a line shows that nobody said anything in it. Such lines are the
// client's records of its requests, of files and of its own state; they are long and many. isDull knows only
// the client's compact form. A line in another form is read whole, and found to say nothing then.
func isDull(line []byte) bool {
	head := line[:min(len(line), headSize)]
	if isRollout(head) {
		return isDullRollout(head)
	}
	if kind, ok := bytes.CutPrefix(head, []byte(`{"type":"`)); ok {
		return !speaks(kind)
	}
	// Quotes within a string are escaped. So this finds keys of the line itself, as long as it is before the
	// message, which may hold anything.
	if i := bytes.Index(head, []byte(`"message":`)); i >= 0 {
		head = head[:i]
	}
	if _, kind, ok := bytes.Cut(head, []byte(`"attachment":{"type":"`)); ok {
		return bytes.IndexByte(kind, '"') >= 0 && !bytes.HasPrefix(kind, []byte("queued_command")) &&
			!bytes.HasPrefix(kind, []byte("hook_"))
	}
	return bytes.Contains(head, []byte(`"type":"progress"`))
}

// speaks reports whether lines of the type with which rest begins may say something.
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

// What the client writes into a person's prompts. Text in one of asideTags stands beside the person's words,
// which go on after it. A text that begins with one of wholeTags or openings is all the client's.
var (
	teamTags  = []string{"teammate-message", "agent-message", "cross-session-message"}
	asideTags = []string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics",
		"user-prompt-submit-hook", "new-diagnostics"}
	wholeTags = []string{
		"command-name", "command-message", "command-args", "command-contents",
		"local-command-stdout", "local-command-stderr", "local-command-caveat",
		"bash-input", "bash-stdout", "bash-stderr", "task-notification",
		"user-memory-input", "background-task", "tool_use_error", "teammate-message", "agent-message",
		"cross-session-message", "channel-message",
	}
	openings = []string{interruption, "Caveat: The messages below", "Stop hook feedback:",
		"This session is being continued from a previous conversation"}
)

// interruption is the beginning of what the client notes when the person stops the model.
const interruption = "[Request interrupted"

// isOfTeam reports whether a message was written by another agent of a team. A client without origins
// writes it like a prompt, in a tag.
func isOfTeam(content gjson.Result) bool {
	return openingTag(strings.TrimSpace(textOf(content)), teamTags) != ""
}

// ownWords returns what the person wrote in a text of a prompt: the text without the client's tags, or only
// the arguments of a typed command of a plugin or skill (/plugin:command args). tagged reports whether
// something was left out; command is the name of the typed command, or "".
func ownWords(text string) (kept string, tagged bool, command string) {
	rest := strings.TrimSpace(text)
	for strings.HasPrefix(rest, "<") {
		tag := openingTag(rest, asideTags)
		if tag == "" {
			break
		}
		_, after, ok := strings.Cut(rest, "</"+tag+">")
		if !ok {
			return "", true, ""
		}
		rest, tagged = strings.TrimSpace(after), true
	}
	if tag := openingTag(rest, wholeTags); tag != "" {
		if tag != "command-name" && tag != "command-message" {
			return "", true, ""
		}
		name := cmp.Or(betweenTags(rest, "command-name"), "/")
		if !strings.Contains(name, ":") {
			return "", true, name
		}
		return betweenTags(rest, "command-args"), true, name
	}
	for _, o := range openings {
		if strings.HasPrefix(rest, o) {
			return "", true, ""
		}
	}
	kept, cut := withoutReminders(rest)
	return kept, tagged || cut, ""
}

// withoutReminders returns text without the client's reminders after or between the person's words.
func withoutReminders(text string) (kept string, cut bool) {
	const open, shut = "<system-reminder>", "</system-reminder>"
	if !strings.Contains(text, open) {
		return text, false
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, open)
		_, after, closed := strings.Cut(after, shut)
		if !ok || !closed { // the client always closes a tag, so the person is writing about one
			b.WriteString(text)
			return b.String(), cut
		}
		b.WriteString(before)
		text, cut = after, true
	}
}

// openingTag returns the tag of tags with which text begins, or "".
func openingTag(text string, tags []string) string {
	for _, tag := range tags {
		if after, ok := strings.CutPrefix(text, "<"+tag); ok && after != "" &&
			(after[0] == '>' || after[0] == ' ') {
			return tag
		}
	}
	return ""
}

// betweenTags returns the text between the first opening and the last closing tag.
func betweenTags(text, tag string) string {
	_, after, _ := strings.Cut(text, "<"+tag+">")
	if i := strings.LastIndex(after, "</"+tag+">"); i >= 0 {
		return strings.TrimSpace(after[:i])
	}
	return ""
}
