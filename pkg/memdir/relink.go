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
	refs := Refs(d)
	leads := func(r Ref, file string) bool {
		return local(r.Target) && strings.TrimPrefix(r.Target, "./") == file
	}
	var added []int // lines of the old index
	for _, r := range Refs(was) {
		for _, f := range files {
			if leads(r, f) && !slices.ContainsFunc(refs, func(r Ref) bool {
				return leads(r, f)
			}) && !slices.Contains(added, r.Line) {
				added = append(added, r.Line)
				at := len(d.Lines)
				for _, known := range refs {
					if known.Form == r.Form {
						at = known.Line
					}
				}
				d.Insert(at, was.Lines[r.Line-1].Text)
				d.Lines[at].Kind = was.Lines[r.Line-1].Kind
				refs = Refs(d)
			}
		}
	}
	if added == nil {
		return index
	}
	return d.Print()
}
