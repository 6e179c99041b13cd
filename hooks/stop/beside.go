package stop

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/disk"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/verbs"
)

// keptByAgent reports whether the agent has kept what was noticed in the client's own memory, in
// this very turn. Then nobody is told to save it a second time. A finding that a file of the
// agent's says is known by that file. The others wait for what is noticed next, whose drafter sees
// what that memory has. What the person asked to have remembered counts as kept only where such a
// file says so.
func (t turn) keptByAgent(entries []transcript.Entry, added []finding.Finding) bool {
	dir := t.MemoryDir()
	if dir == "" || len(added) == 0 {
		return false
	}
	files := writtenFiles(entries, dir)
	all := len(files) > 0
	for _, f := range added {
		name := t.fileSaying(dir, files, f.Text)
		switch {
		case name != "":
			err := t.MoveFindings(finding.Move{At: t.now, Act: finding.Know, Numbers: []int{f.Number},
				To: filepath.Join(dir, name), By: "agent"})
			if err != nil {
				t.Fault(hookName, "that the client's memory has a statement could not be noted", err)
			}
		case f.Explicit:
			all = false
		}
	}
	return all
}

// fileSaying returns the first of the files with a line that says the same as a text, "" where
// there is none.
func (t turn) fileSaying(dir string, files []string, text string) string {
	for _, name := range files {
		b, err := mdwalk.Read(dir, name)
		if err != nil {
			continue // it is gone again, so it says nothing
		}
		for line := range strings.SplitSeq(string(b), "\n") {
			if alike.Notes(text, line) {
				return name
			}
		}
	}
	return ""
}

// writtenFiles returns the Markdown files below a directory that the agent wrote, by their paths
// below it. These are the files of its Write and Edit calls, and those that changed after a command
// that named the directory or one of Keepsake's verbs that write there.
func writtenFiles(entries []transcript.Entry, dir string) (files []string) {
	short := dir
	if rest, ok := strings.CutPrefix(dir, os.Getenv("HOME")+"/"); ok {
		short = "~/" + rest
	}
	ways := []string{dir, short}
	for _, v := range verbs.All() {
		if v.Agent == verbs.Adds {
			for _, spelling := range v.Spellings() {
				ways = append(ways, "keepsake "+spelling+" ")
			}
		}
	}
	add := func(name string) {
		if filepath.IsLocal(name) && strings.EqualFold(filepath.Ext(name), ".md") &&
			!slices.Contains(files, name) {
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
			all, _, _ := mdwalk.List(dir) // one that can't be looked at has nothing new
			// The journal is hidden, so it isn't listed.
			if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(lessons.Journal))); err == nil {
				all = append(all, mdwalk.Stat{Name: lessons.Journal, Changed: disk.Changed(info)})
			}
			for _, f := range all {
				if !e.Time.IsZero() && !f.Changed.Before(e.Time) {
					add(f.Name)
				}
			}
		}
	}
	return files
}
