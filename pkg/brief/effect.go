package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/text"
)

// Effect is what a command that reorganises a directory of memories does, counted.
type Effect struct {
	Before, After int // lines of MEMORY.md
	Created       int // files
	Changed       int // files, MEMORY.md not among them
	Moved         int // files
	Merged        int // files that went into others
	Deleted       int // files and statements that go
	Lines         int // that go from files which stay
}

// String returns an effect in words, for the dialog that asks about it: "MEMORY.md 366 to 148 lines, 62 new
// files, 1 merged, 3 deletions". It is "nothing" for the zero Effect.
func (e Effect) String() string {
	var parts []string
	if e.Before != e.After {
		parts = append(parts, fmt.Sprintf("MEMORY.md %d to %s", e.Before, text.Count(e.After, "line")))
	}
	for _, p := range [...]struct {
		n    int
		says string
	}{{e.Created, text.Count(e.Created, "new file")}, {e.Changed, fmt.Sprint(e.Changed, " changed")},
		{e.Moved, fmt.Sprint(e.Moved, " moved")}, {e.Merged, fmt.Sprint(e.Merged, " merged")},
		{e.Deleted, text.Count(e.Deleted, "deletion")},
		{e.Lines, text.Count(e.Lines, "line") + " taken out"}} {
		if p.n > 0 {
			parts = append(parts, p.says)
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
