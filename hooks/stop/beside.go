package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/lessons"
	"keepsake/pkg/notes"
	"keepsake/pkg/resolve"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// beside says that the agent has kept what was noticed in the client's own memory, in
// this very turn. Then nobody is told to save it a second time: it stays staged, and
// comes up with what is noticed next, when its drafter sees what that memory has.
// What the person asked to have remembered counts as kept only where a file that the
// agent wrote says so; a write of something else is no answer to that.
func (t turn) beside(entries []transcript.Entry, n triage.Notice) bool {
	dir := t.MemoryDir()
	if dir == "" || len(n.Signals)+len(n.Moments) == 0 {
		return false
	}
	files := written(entries, dir)
	if len(files) == 0 || !n.Explicit {
		return len(files) > 0
	}
	var said []string
	for _, name := range files {
		text, err := notes.Read(dir, name)
		if err != nil {
			continue // it is gone again, so it says nothing
		}
		said = append(said, strings.Split(string(text), "\n")...)
	}
	for _, s := range n.Signals {
		for _, q := range s.Quotes {
			if q.Explicit && !slices.ContainsFunc(said, func(line string) bool { return resolve.Alike(q.Text, line) }) {
				return false
			}
		}
	}
	return true
}

// written are the Markdown files below a directory that the agent wrote, by their
// paths below it: those of its Write and Edit calls, and those that changed after a
// command that named the directory or keepsake's own verbs that write there.
func written(entries []transcript.Entry, dir string) (files []string) {
	short := dir
	if rest, ok := strings.CutPrefix(dir, os.Getenv("HOME")+"/"); ok {
		short = "~/" + rest
	}
	ways := []string{dir, short, "keepsake note ", "keepsake project ", "keepsake lesson "}
	add := func(name string) {
		if filepath.IsLocal(name) && strings.EqualFold(filepath.Ext(name), ".md") && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	for _, e := range entries {
		switch {
		case e.Who != transcript.Assistant:
		case filepath.IsAbs(e.File):
			if rel, err := filepath.Rel(dir, e.File); err == nil {
				add(rel)
			}
		case slices.ContainsFunc(ways, func(s string) bool { return strings.Contains(e.Command, s) }):
			all, _, _ := notes.List(dir) // one that can't be looked at has nothing new
			// The journal is hidden, so it isn't listed.
			if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(lessons.Journal))); err == nil {
				all = append(all, notes.Stat{Name: lessons.Journal, Modified: info.ModTime()})
			}
			for _, f := range all {
				if !e.Time.IsZero() && !f.Modified.Before(e.Time) {
					add(f.Name)
				}
			}
		}
	}
	return files
}
