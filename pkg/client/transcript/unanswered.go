package transcript

import (
	"bytes"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// unansweredTail is how many bytes at a transcript's end are searched for calls that still run.
const unansweredTail = 256 << 10

// Runs reports whether the end of a transcript of size bytes has a shell call that names a program and has no
// result yet.
func Runs(transcript io.ReaderAt, size int64, program string) (bool, error) {
	tail, err := io.ReadAll(io.NewSectionReader(transcript, max(0, size-unansweredTail), unansweredTail))
	if err != nil {
		return false, err
	}
	open := map[string]bool{}
	for line := range bytes.Lines(tail) {
		if isRollout(line) {
			for _, e := range parse(line, 0, nil, func(id string) *Call { return &Call{ID: id} }).entries {
				switch {
				case e.Who == Tool && e.Call != nil:
					delete(open, e.Call.ID)
				case e.Call != nil && strings.Contains(e.Command, program):
					open[e.Call.ID] = true
				}
			}
			continue
		}
		if !bytes.Contains(line, []byte(`"tool_use`)) {
			continue
		}
		gjson.GetBytes(line, "message.content").ForEach(func(_, block gjson.Result) bool {
			switch block.Get("type").Str {
			case "tool_use":
				if strings.Contains(block.Get("input.command").Str, program) {
					open[block.Get("id").Str] = true
				}
			case "tool_result":
				delete(open, block.Get("tool_use_id").Str)
			}
			return true
		})
	}
	return len(open) > 0, nil
}
