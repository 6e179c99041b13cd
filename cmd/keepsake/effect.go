package main

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// effectJSON is what a plan for a directory of Markdown memories does, for the gate's question.
type effectJSON struct {
	Effect  string `json:"effect"`  // in words; "" for nothing
	Deletes int    `json:"deletes"` // files and statements that go, are merged or overwritten
}

// effectOf counts what a plan does. moved and merged are how many of the files that it deletes go on as
// another file or in one, and statements how many it takes out of files.
func (at place) effectOf(p plan.Plan, moved, merged, statements int) effectJSON {
	return effectIn(p, at.count(p, moved, merged, statements))
}

// count is effectOf in numbers.
func (at place) count(p plan.Plan, moved, merged, statements int) (e brief.Effect) {
	if len(p.Edits) == 0 {
		return e
	}
	var after []byte // all that the plan writes
	for _, edit := range p.Edits {
		after = append(append(after, edit.After...), '\n')
	}
	e = brief.Effect{Moved: moved, Merged: merged, Created: -moved, Deleted: statements - moved - merged}
	for _, edit := range p.Edits {
		if edit.Before != "" && !edit.Deletes() {
			e.Lines += len(memdir.Lost(at.before(edit.Path), after))
		}
		switch {
		case edit.Path == memdir.Index:
			e.Before, e.After = lineCount(at.before(edit.Path)), lineCount(edit.After)
			if e.Before == e.After {
				e.Changed++
			}
		case edit.Deletes():
			e.Deleted++
			e.Gone = append(e.Gone, edit.Path)
		case edit.Before == "":
			e.Created++
		default:
			e.Changed++
		}
	}
	if moved > 0 { // then it isn't known which of them go on
		e.Gone = nil
	}
	e.Created, e.Deleted = max(e.Created, 0), max(e.Deleted, 0)
	e.Lines = max(e.Lines-statements, 0) // which are deletions
	return e
}

// effectIn returns an effect as JSON has it, "" for none.
func effectIn(p plan.Plan, e brief.Effect) effectJSON {
	if len(p.Edits) == 0 {
		return effectJSON{}
	}
	return effectJSON{e.String(), e.Deleted + e.Merged + e.Lines + len(e.Overwritten)}
}

// lineCount returns how many lines a file has, as the client counts them.
func lineCount(b []byte) int {
	n := 0
	for _, c := range b {
		if c == '\n' {
			n++
		}
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
