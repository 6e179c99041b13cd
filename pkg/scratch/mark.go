package scratch

import (
	"slices"
	"strings"
	"time"
)

// promoted is the beginning of the line that records the promotion of an entry. The line is below the
// entry's text and no part of it.
const promoted = "PROMOTED to MemPalace at "

// Mark returns the line, without its end, that records when an entry was promoted and as which drawers.
func Mark(at time.Time, drawers []string) string {
	return promoted + at.UTC().Format(time.RFC3339) + " (" + strings.Join(drawers, ", ") + ")"
}

// isMark reports whether a line is such a mark.
func isMark(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), promoted)
	if !ok {
		return false
	}
	stamp, ids, ok := strings.Cut(rest, " ")
	_, err := time.Parse(time.RFC3339, stamp)
	return ok && err == nil && strings.HasPrefix(ids, "(") && strings.HasSuffix(ids, ")")
}

// Marked returns a file with a mark below one of its entries, as Parse returns
// it; ok is false when no entry begins there any more, or one with another text.
// Nothing else of the file changes.
func Marked(file []byte, e Entry, mark string) (out []byte, ok bool) {
	here := func(is Entry) bool { return is.Line == e.Line && is.Text == e.Text && is.At.Equal(e.At) }
	if !slices.ContainsFunc(Parse(file), here) {
		return nil, false
	}
	lines := strings.SplitAfter(string(file), "\n")
	last := e.Line - 1
	for i := e.Line; i < len(lines); i++ {
		bare := strings.TrimRight(lines[i], "\r\n")
		if _, ok := heading(bare); ok {
			break
		}
		if strings.TrimSpace(bare) != "" {
			last = i
		}
	}
	bare := strings.TrimRight(lines[last], "\r\n")
	end := lines[last][len(bare):]
	if end == "" {
		end = "\n"
	}
	lines[last] = bare + end + mark + end
	return []byte(strings.Join(lines, "")), true
}
