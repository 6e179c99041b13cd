package memdir

import (
	"slices"
	"strings"
)

// Relink gives an index those lines of an older one back that lead to some files,
// unless it leads to them already. Each goes below the last line of its own form, or
// at the end. Nothing is taken from the index; without anything to give back it is
// returned as it is.
func Relink(index, old []byte, files []string) []byte {
	d, was := Parse(index), Parse(old)
	refs := d.Refs()
	leads := func(r Ref, file string) bool {
		return local(r.Target) && strings.TrimPrefix(r.Target, "./") == file
	}
	var added []int // lines of the old index
	for _, r := range was.Refs() {
		for _, f := range files {
			if leads(r, f) && !slices.ContainsFunc(refs, func(r Ref) bool { return leads(r, f) }) && !slices.Contains(added, r.Line) {
				added = append(added, r.Line)
				at := len(d.Lines)
				for _, known := range refs {
					if known.Form == r.Form {
						at = known.Line
					}
				}
				d.insert(at, was.Lines[r.Line-1])
				refs = d.Refs()
			}
		}
	}
	if added == nil {
		return index
	}
	return d.Print()
}

// insert puts a line below the first n lines, with the ending that the file has.
func (d *Doc) insert(n int, l Line) {
	end := "\n"
	if len(d.Lines) > 0 && d.Lines[0].End != "" {
		end = d.Lines[0].End
	}
	l.End = end
	if n > 0 && d.Lines[n-1].End == "" {
		d.Lines[n-1].End = end
	}
	d.Lines = slices.Insert(d.Lines, n, l)
}
