package shell

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"
)

// fileTool judges a call that writes one file. Every tool that is not known to
// only read counts as writing.
func (j *judge) fileTool(p string) {
	if p == "" {
		return
	}
	j.findZone(j.changed(p, j.call.Cwd), shortPath(p), true)
	d := edited
	if j.call.Tool == "Write" {
		d = replaced
	}
	j.memory(p, j.call.Cwd, d, func() string { return j.call.Tool + " " + shortPath(p) })
	settings := j.settingsFile(p, j.call.Cwd)
	if !settings && (!runsLater(p) || j.args.Get("cell_type").Str == "markdown") {
		return
	}
	before, known := j.content(p)
	after, whole := j.textAfter(before, known)
	if settings {
		j.settingsBecome(p, before, after, !whole)
	}
	if !whole {
		before = ""
	}
	j.later(p, before, after)
}

// textAfter returns the text that a file tool leaves in a file that had the text before. When that
// is not known, whole is false and the text is what the tool puts into the file.
func (j *judge) textAfter(before string, known bool) (after string, whole bool) {
	content, whole := "", false
	j.members(func(k, v gjson.Result) bool {
		if k.Str == "content" {
			content, whole = v.String(), true
		}
		return !whole
	})
	if whole {
		return content, true
	}
	edits := j.args.Get("edits").Array()
	if len(edits) == 0 {
		edits = []gjson.Result{j.args}
	}
	known = known && len(edits) <= maxEdits
	var put strings.Builder
	after = before
	for _, e := range edits {
		from, to := e.Get("old_string").String(), e.Get("new_string").String()
		put.WriteString(to + "\n")
		n := 1
		if e.Get("replace_all").Bool() {
			n = -1
		}
		known = known && from != "" && strings.Contains(after, from) && len(after)+len(to) <= maxScript
		if known {
			after = strings.Replace(after, from, to, n)
		}
	}
	if !known || len(after) > maxScript {
		return put.String() + j.args.Get("new_source").String(), false
	}
	return after, true
}

// maxEdits bounds how many edits of one call are followed.
const maxEdits = 64

// judgePut judges a text that a command puts into a file.
func (s *shell) judgePut(p, text string, d deed) {
	if strings.HasPrefix(p, "/dev/") {
		return
	}
	settings := s.settingsFile(p, s.cwd)
	if !settings && !runsLater(p) {
		return
	}
	before, _ := s.content(path.Clean(s.absolute(p, s.cwd)))
	if settings {
		s.settingsBecome(p, before, text, d == appended)
	}
	if d == appended {
		before = ""
	}
	s.later(p, before, text)
}

// shortPath returns a path without its beginning when it is long, since the end of a path says more.
func shortPath(p string) string {
	const most = 60 // bytes
	if len(p) <= most {
		return p
	}
	i := len(p) - most
	for i < len(p) && p[i]&0xC0 == 0x80 {
		i++
	}
	return "…" + p[i:]
}
