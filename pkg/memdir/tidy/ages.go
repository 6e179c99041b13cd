package tidy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// Ages says what a plan does to the ages of what it touches.
type Ages struct {
	Same  int      `json:"same"`  // files that change and are as old as before
	Newer int      `json:"newer"` // files that are newer: something new is said in them, or they were checked
	Kept  []string `json:"kept"`  // the days that moved statements keep saying in a file that is newer
	Lost  int      `json:"lost"`  // moved statements that have no room to say how old they are
}

// String returns the ages in words, "" if there are none.
func (a Ages) String() string {
	var parts []string
	for _, p := range []struct {
		says string
		n    int
	}{
		{"%d as old as before", a.Same},
		{"%d of today", a.Newer},
		{"moved with their own dates: %d", len(a.Kept)},
		{"moved without a date, being rows or code: %d", a.Lost},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf(p.says, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// freshened returns the files that the answers say something new in, or confirm.
func freshened(answers []Answer) map[string]bool {
	files := map[string]bool{}
	for _, a := range answers {
		if text.OneOf(a.Action, "replace add confirm") || a.Action == "merge" && a.New != "" {
			files[a.File] = true
		}
	}
	return files
}

// known returns when a file was last known to be true.
func (f *draft) known() time.Time { return memdir.Known(f.doc, f.modified) }

// isNewer reports whether what was true on a day would look newer in a file.
func (w *planner) isNewer(to *draft, at time.Time) bool {
	return !at.IsZero() && (w.fresh[to.path] || to.known().Format(time.DateOnly) > at.Format(time.DateOnly))
}

// aged returns the lines of a statement that goes to another file, with a stamp where it would look newer
// there: of its own date, or else of its file's. own is the last line of its text.
func (w *planner) aged(from, to *draft, s Statement, lines []string, own int) []string {
	at := memdir.SaidOn(from.doc, s.Line-1)
	stamp := memdir.Stamp(at)
	headed, _ := memdir.Updated(to.doc.Front)
	if at.IsZero() || headed.IsZero() { // a stamp of its own would become the date of such a file
		if at.IsZero() {
			at = from.known()
		}
		stamp = memdir.StampBefore(at)
	}
	if !w.isNewer(to, at) {
		return lines
	}
	moved := memdir.Parse([]byte(strings.Join(lines, "\n")))
	switch {
	case memdir.SaidOn(moved, 0).Equal(at): // it takes its date along
	case s.kind == markdown.Row, s.kind == markdown.Code:
		w.out.Ages.Lost++
		return lines
	case s.kind == markdown.Item || s.kind == memdir.Pointer:
		lines = slices.Insert(slices.Clone(lines), own+1, "  "+stamp)
	default:
		lines = slices.Insert(slices.Clone(lines), own+1, "", stamp)
	}
	w.keepsAge(at)
	return lines
}

func (w *planner) keepsAge(at time.Time) {
	w.out.Ages.Kept = append(w.out.Ages.Kept, at.Format(time.DateOnly))
}
