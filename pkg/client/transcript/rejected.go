package transcript

import (
	"bytes"
	"fmt"
	"strings"
)

// rejection is the beginning of the result that both clients write for a call that the person rejected in a
// dialog, by No, by Esc, or with words of their own.
const rejection = "The user doesn't want to proceed with this tool use"

// Rejected reports whether the person rejected the call with the client's id use in a dialog. It reads the
// transcript from an offset on, and limit bytes at most. The client writes the result within a tenth of a
// second, and no event of a main agent tells of it.
func Rejected(src Source, from, limit int64, use string) (bool, error) {
	id := []byte(`"` + use + `"`)
	lines := newLines(src, from, min(src.Size(), from+limit), nil)
	for {
		line, _, ok := lines.next()
		switch {
		case !ok && lines.err != nil:
			return false, fmt.Errorf("transcript: %w", lines.err)
		case !ok:
			return false, nil
		case use != "" && bytes.Contains(line, id) && rejects(line, use):
			return true, nil
		}
	}
}

// rejects reports whether a line has the rejection of a call.
func rejects(line []byte, use string) (found bool) {
	v, ok := parseValue(line, nil)
	if !ok || v.get("type").str() != "user" {
		return false
	}
	v.get("message").get("content").each(func(_ []byte, v value) bool {
		b := readBlock(v)
		found = b.kind == "tool_result" && b.id == use && b.failed &&
			strings.HasPrefix(textOf(b.content.result()), rejection)
		return !found
	})
	return found
}

// OfAgent returns the path of the transcript of a subagent that a session started, by the session's own.
func OfAgent(path, agent string) string {
	return strings.TrimSuffix(path, ".jsonl") + "/subagents/agent-" + agent + ".jsonl"
}
