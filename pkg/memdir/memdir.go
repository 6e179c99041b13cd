// Package memdir is a directory of Markdown memories as a value: an index,
// MEMORY.md, that the client loads into every session, and the topic files that
// it leads to. Parse takes a file apart and Print puts it together again without
// losing a byte; Lint holds a whole directory against a Profile.
//
// It reads no files: whoever calls gathers them into a Dir.
package memdir

import (
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// A File is one file of the directory.
type File struct {
	Path     string // below the directory, with slashes
	Bytes    []byte
	Modified time.Time // when it was last written; the zero time when unknown
	// Rewritten reports whether the file was changed after it was added, according to git or a snapshot. It
	// is set only for files that must never be changed.
	Rewritten bool
	// Written is when each line was written, according to git. It is the zero time for a line, and nil for
	// a file, that git doesn't have.
	Written []time.Time
	// Reworded has the lines, as indices, that only say in other words what stood there before they were
	// written: when that was written isn't known.
	Reworded map[int]bool
}

// A Dir is a directory of memories.
type Dir struct {
	Files []File
	Now   time.Time
	// Unread has the files that are there and were not read, with the reason: links, and what is too large.
	Unread map[string]string
	// Alike reports whether two texts of a few sentences say the same in other words. If it is nil, near
	// duplicates aren't looked for.
	Alike func(a, b string) bool
	// Apart returns where the cards of the blackboard and its registry disagree, one sentence each, by the
	// file to look at. If it is nil, they aren't compared.
	Apart func(files []File) map[string][]string
}

// Index is the name of the file that the client loads.
const Index = "MEMORY.md"

// overview is the name of the second layer of the density profile.
const overview = "INDEX.md"

// What the client loads of MEMORY.md; what is beyond is cut off.
const (
	ClientLines = 200
	ClientBytes = 25_000
)

// role is the part that a file plays in its directory.
type role uint8

const (
	topic    role = iota // holds knowledge
	l0                   // MEMORY.md
	l1                   // INDEX.md
	log                  // YYYY-MM-DD.md: what happened on a day, never the source of truth
	archived             // below archive/
	board                // below blackboard/: where projects stand, led to by its own registry
)

func roleOf(p, base string) role {
	switch name := path.Base(p); {
	case strings.EqualFold(p, Index):
		return l0
	case p == base+overview:
		return l1
	case strings.HasPrefix(p, "archive/") || strings.Contains(p, "/archive/"):
		return archived
	case strings.HasPrefix(p, "blackboard/"):
		return board
	case len(name) == len("2006-01-02.md") && isDate(name[:10]):
		return log
	}
	return topic
}

// A page is a file that was read.
type page struct {
	File
	role role
	doc  markdown.Doc
	refs []Ref  // of an index
	odd  bool   // never written: see free
	end  string // of its lines, once it was written

	told, quiet bool    // of timeless
	table       [2]int  // of tableAt
	stamped     []stamp // of stamps
	guessed     string  // the last line that unsure was asked about
	guesses     bool    // what it said
}

// view is a directory as the rules see it.
type view struct {
	Profile
	dir   Dir
	base  string // "memory/" where the layers below MEMORY.md lie in a folder of their own, else ""
	pages []*page
	at    map[string]*page
	low   map[string]string // a path in lower case, and how it is spelled
	named map[string]int    // how many files have this name, in any folder
	under map[string]bool   // the folders
	aside map[string]bool   // files that are no memories

	same   map[string]string // files that say what an earlier one does, with that one
	parts  []part            // of MEMORY.md, what is neither pointer nor heading
	found  []Finding
	rule   *Rule
	mended map[string]bool // the rules that Format mends
	stale  bool            // pages have changed since settle
}

func look(d Dir, p Profile) *view {
	v := &view{Profile: p, dir: d, base: baseOf(d.Files), at: make(map[string]*page, len(d.Files)),
		low:   make(map[string]string, len(d.Files)),
		named: map[string]int{}, under: map[string]bool{}, aside: map[string]bool{}}
	all := make([]page, len(d.Files))
	others := nested(d.Files, v.base)
	for i, f := range d.Files {
		if v.base != "" && f.Path != Index && !strings.HasPrefix(f.Path, v.base) {
			v.aside[f.Path] = true // what else lies in the folder is no memory
			continue
		}
		if slices.ContainsFunc(others, func(dir string) bool { return strings.HasPrefix(f.Path, dir) }) {
			v.aside[f.Path] = true
			continue
		}
		pg := &all[i]
		*pg = page{File: f, role: roleOf(f.Path, v.base), doc: Parse(f.Bytes), odd: isOdd(f)}
		if pg.role == l0 || pg.role == l1 {
			pg.refs = Refs(pg.doc)
		}
		v.pages = append(v.pages, pg)
		v.at[f.Path] = pg
	}
	for name := range d.Unread {
		v.aside[name] = true
	}
	v.stale = true
	v.settle()
	return v
}

// settle works out again what depends on several pages.
func (v *view) settle() {
	if !v.stale {
		return
	}
	v.stale = false
	slices.SortStableFunc(v.pages, func(a, b *page) int { return strings.Compare(a.Path, b.Path) })
	clear(v.low)
	clear(v.named)
	clear(v.under)
	for _, pg := range v.pages {
		low := strings.ToLower(pg.Path)
		if other := v.low[low]; other != "" { // one file, for a file system that folds case
			pg.odd, v.at[other].odd = true, true
		}
		v.low[low] = pg.Path
		v.named[path.Base(pg.Path)]++
		for dir := path.Dir(pg.Path); dir != "." && dir != "/"; dir = path.Dir(dir) {
			v.under[dir] = true
		}
	}
	for name := range v.dir.Unread { // so that nothing is written there
		if low := strings.ToLower(name); v.low[low] == "" {
			v.low[low] = name
		}
	}
	for p := range v.indexes {
		v.unled(p)
	}
	v.parts = nil
	if index := v.at[Index]; index != nil {
		v.parts = partsOf(index.doc, v.Profile)
	}
	v.same = v.copies()
}

// unled makes items of those lines of an index that lead to a bare name which is neither
// a folder nor a file.
func (v *view) unled(p *page) {
	p.refs = slices.DeleteFunc(p.refs, func(r Ref) bool {
		if !bareName(r.Target) {
			return false
		}
		_, there, _ := v.lead(r.Target)
		if !there {
			p.doc.Lines[r.Line-1].Kind = markdown.Item
		}
		return !there
	})
}

// baseOf returns the folder of the layers: "memory/" if MEMORY.md stands above a folder memory/ with the
// rest, else "".
func baseOf(files []File) string {
	for _, f := range files {
		if f.Path == "memory/"+overview || strings.HasPrefix(f.Path, "memory/user/") ||
			strings.HasPrefix(f.Path, "memory/agent/") {
			return "memory/"
		}
	}
	return ""
}

// nested returns the folders that have a MEMORY.md of their own, with a slash at their end. They are other
// directories of memories, such as that of a team.
func nested(files []File, base string) (dirs []string) {
	for _, f := range files {
		if dir, name := path.Split(f.Path); name == Index && dir != "" && dir != base {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// topics yields the files that hold knowledge.
func (v *view) topics(yield func(*page) bool) {
	for _, p := range v.pages {
		if p.role == topic && !yield(p) {
			return
		}
	}
}

// lead finds the file, or the folder with a slash at its end, that a reference
// leads to, as it is spelled in the directory. known is false where that can't be
// said from here: it leads out of the directory, to a file that is no memory, or to
// no Markdown file.
func (v *view) lead(target string) (to string, there, known bool) {
	if !local(target) {
		return "", false, false
	}
	t := path.Clean(target)
	if t == "." {
		return "", true, false
	}
	for _, try := range [...]string{t, strings.TrimPrefix(t, "memory/"), v.base + t} {
		if v.at[try] != nil {
			return try, true, true
		}
		if v.under[try] {
			return try + "/", true, true
		}
		if v.aside[try] || v.aside[try+".md"] {
			return "", false, false
		}
		if markdown.HasExt(t) {
			continue
		}
		if v.at[try+".md"] != nil { // a name without its ending
			return try + ".md", true, true
		}
	}
	return t, false, markdown.HasExt(t) || strings.HasSuffix(target, "/")
}

// target returns the file that a reference leads to, nil for none.
func (v *view) target(r Ref) *page {
	to, _, _ := v.lead(r.Target)
	return v.at[to]
}

// isDate reports whether a text is a date of the form YYYY-MM-DD.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
