package tidy

import (
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// A FileChange is a file before and after.
type FileChange struct {
	File   string `json:"file"`
	Before int    `json:"before"` // lines
	After  int    `json:"after"`  // 0 when it is gone
	Gone   string `json:"gone,omitempty"`
	Was    string `json:"was,omitempty"`   // the date that its frontmatter had, if it has another one now
	Dated  string `json:"dated,omitempty"` // the date that it has instead
}

// Gone returns how many files went into others, and how many were deleted.
func (r Report) Gone() (merged, deleted int) {
	for _, f := range r.Files {
		switch f.Gone {
		case "merged":
			merged++
		case "deleted":
			deleted++
		}
	}
	return merged, deleted
}

// Changes returns in words what was done, by the actions.
func (r Report) Changes() string {
	by := map[string]int{}
	for _, c := range r.Done {
		by[c.Action]++
	}
	var parts []string
	for _, a := range Actions() {
		if n := by[a.Name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, a.past))
		}
	}
	return strings.Join(parts, ", ")
}

// edits adds the edits and counts of the files that change to the outcome.
func (w *planner) edits() {
	for _, p := range w.paths {
		f := w.files[p]
		now := f.bytes
		if f.changed() && !f.gone {
			now = f.print()
		}
		same := string(now) == string(f.bytes)
		if f.gone || !same {
			e := plan.Edit{Path: p, Verb: plan.Update, Before: plan.DigestOf(f.bytes), After: now,
				Category: "memory", Title: p}
			if !f.fresh { // what was only moved is no newer for it
				e.Modified = plan.TimeOf(f.modified)
			}
			if f.gone || len(now) == 0 {
				e.Verb, e.After = plan.Delete, nil
			}
			w.out.Plan.Edits = append(w.out.Plan.Edits, e)
		}
		if change := (FileChange{File: p, Before: lines(f.bytes), After: lines(now)}); f.gone || !same ||
			p == memdir.Index {
			switch {
			case f.moved:
				change.After, change.Gone = 0, "merged"
			case f.gone:
				change.After, change.Gone = 0, "deleted"
			default:
				was, is := dateOf(f.bytes), dateOf(now)
				if was == "" && is == "" && f.fresh && !f.modified.IsZero() {
					was, is = f.modified.Format(time.DateOnly), w.now.Format(time.DateOnly)
				}
				if was != is {
					change.Was, change.Dated = was, is
				}
				if !same && change.Dated != "" {
					w.out.Ages.Newer++
				} else if !same {
					w.out.Ages.Same++
				}
			}
			w.out.Files = append(w.out.Files, change)
		}
	}
	w.out.Plan.Version = plan.Version
}

// dateOf returns the date in the frontmatter of a file.
func dateOf(b []byte) string {
	date, _ := memdir.Parse(b).Front.Get("last_updated", "metadata.last_updated", "metadata.modified")
	return date
}

// lines returns how many lines a file has, as the client counts them.
func lines(b []byte) int {
	n := strings.Count(string(b), "\n")
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
