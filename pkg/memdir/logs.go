package memdir

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/plan"
)

// OwnLogs returns the logs of days that have nothing but Keepsake's own lines, in order.
func OwnLogs(d Dir) (names []string) {
	for _, f := range d.Files {
		name := path.Base(f.Path)
		if len(name) == len("2006-01-02.md") && isDate(name[:10]) && isOwnLog(f.Bytes, name[:10]) {
			names = append(names, f.Path)
		}
	}
	return names
}

// isOwnLog reports whether a file has the heading of a day and lines of the form "- 15:04 text".
func isOwnLog(b []byte, day string) bool {
	head, rest, _ := strings.Cut(string(b), "\n")
	if strings.TrimSpace(head) != "# "+day {
		return false
	}
	n := 0
	for l := range strings.Lines(rest) {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		if at := markdown.ItemText(l); len(at) < len("15:04 x") || at[2] != ':' || at[5] != ' ' ||
			strings.Trim(at[:2]+at[3:5], "0123456789") != "" {
			return false
		}
		n++
	}
	return n > 0
}

// ClearLogs returns a plan that removes logs, and the lines of MEMORY.md that lead to nothing else.
func ClearLogs(d Dir, names []string) (p plan.Plan) {
	p.Version = plan.Version
	for _, f := range d.Files {
		switch {
		case slices.Contains(names, f.Path):
			p.Edits = append(p.Edits, plan.Edit{Path: f.Path, Verb: plan.Delete, Category: "memory",
				Title: f.Path, Before: plan.DigestOf(f.Bytes)})
		case f.Path == Index:
			if b := unlinked(f.Bytes, names); string(b) != string(f.Bytes) {
				p.Edits = append(p.Edits, plan.Edit{Path: Index, Verb: plan.Update, Category: "memory",
					Title: Index, Before: plan.DigestOf(f.Bytes), After: b})
			}
		}
	}
	return p
}

// unlinked returns an index without the lines that lead to files of these names and to nothing else.
func unlinked(index []byte, names []string) []byte {
	d := Parse(index)
	drop := map[int]bool{}
	for _, r := range Refs(d) {
		if slices.Contains(names, strings.TrimPrefix(r.Target, "./")) {
			drop[r.Line-1] = strings.Count(d.Lines[r.Line-1].Text, "](") < 2
		}
	}
	d.Lines = without(d.Lines, drop)
	return d.Print()
}
