package memdir

import (
	"strings"

	"keepsake/pkg/markdown"
)

// A Map shows what the files of a directory are to each other, for programs that change single statements.
type Map struct{ v *view }

// Map looks at a directory as a profile lays it out.
func (d Dir) Map(p Profile) Map { return Map{look(d, p)} }

// Base returns "memory/" if the layers are in a folder of that name below MEMORY.md, else "".
func (m Map) Base() string { return m.v.base }

// Overview returns the path of INDEX.md, whether or not the file is there.
func (m Map) Overview() string { return m.v.base + overview }

// Topics yields the paths of the files that hold knowledge, in order.
func (m Map) Topics(yield func(path string) bool) {
	for p := range m.v.topics {
		if !yield(p.Path) {
			return
		}
	}
}

// Doc returns a file as it was parsed, and its bytes. It is false if there is no file of that path, or if
// the file belongs to another directory.
func (m Map) Doc(path string) (markdown.Doc, []byte, bool) {
	if p := m.v.at[path]; p != nil {
		return p.doc, p.Bytes, true
	}
	return markdown.Doc{}, nil, false
}

// Says returns what a file is about, for a line that leads to it: its description, else its first
// statement. It is "" if neither says anything, or if there is no such file.
func (m Map) Says(path string) string {
	if p := m.v.at[path]; p != nil {
		return p.says()
	}
	return ""
}

// Topic reports whether a file holds knowledge. Indexes, logs, archives and cards don't.
func (m Map) Topic(path string) bool {
	p := m.v.at[path]
	return p != nil && p.role == topic
}

// Once reports whether a file is in a folder whose files are never changed, only added.
func (m Map) Once(path string) bool {
	p := m.v.at[path]
	return p != nil && m.v.once(p)
}

// Leads finds the file that a reference of an index leads to, as it is spelled;
// false where it leads to none.
func (m Map) Leads(r Ref) (path string, ok bool) {
	to, there, _ := m.v.lead(r.Target)
	return to, there && !strings.HasSuffix(to, "/")
}
