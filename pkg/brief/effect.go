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

	Gone        []string // the files that go
	Overwritten []string // the files that stay and say something else
}

// namedGone is how many files that go or are overwritten a dialog names.
const namedGone = 3

// String returns an effect in words, for the dialog that asks about it: "MEMORY.md 366 to 148 lines, 62 new
// files, 1 merged, 3 deletions". A few files that go are named. It is "nothing" for the zero Effect.
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
	said := strings.Join(parts, ", ")
	for _, p := range [...]struct {
		names []string
		says  string
	}{{e.Gone, " goes"}, {e.Overwritten, " is overwritten"}} {
		if n := len(p.names); n > 0 && n <= namedGone {
			if n > 1 {
				p.says = strings.NewReplacer("goes", "go", "is", "are").Replace(p.says)
			}
			said += ": " + Line(strings.Join(p.names, ", ")) + p.says
		}
	}
	return said
}
