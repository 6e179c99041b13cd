package memdir

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/plan"
)

// Archived is the result of Upkeep.
type Archived struct {
	Plan plan.Plan `json:"-"` // no edits where there is nothing to put away
	Acts []Act     `json:"acts"`
	Left []Act     `json:"left"` // what stays as it is though it is due, with the reason
}

// An Act is one thing that goes to the archive.
type Act struct {
	What  What   `json:"what"`
	Path  string `json:"path"`
	Title string `json:"title,omitempty"` // of a topic
	To    string `json:"to,omitempty"`
	Why   string `json:"why,omitempty"` // it stays
}

// What is put away.
type What string

const (
	Daily     What = "log"   // the log of a day, moved as a whole
	Completed What = "topic" // a topic that is done: its summary stays
)

// Upkeep puts away what nobody needs day by day. Logs of days that are more than a
// week ago go to archive/YYYY-MM/. Topics that are done lose the lines that only tell how it came
// about, and their whole text goes to archive/TOPIC-archive-YYYY.md. A
// topic is a section "## [YYYY-MM-DD] Title" with the status done, or a file whose
// frontmatter says so. No statement is lost, the links of all files lead where they led, a file
// that nothing else leads to gets its line in an index, a second Upkeep finds nothing
// to do, and of what Format never writes only the links to what moved are changed.
func Upkeep(d Dir, p Profile) Archived {
	d.Alike = nil
	t := newTree(d, p)
	t.rebases = true
	k := Archived{Acts: []Act{}, Left: []Act{}}
	known := t.reached() // what an index leads to, in the end
	for _, pg := range slices.Clone(t.pages) {
		switch {
		case pg.role == log && t.logAge(pg) > logDays:
			t.putLog(pg, &k)
		case pg.role == topic && t.free(pg) && len(pg.doc.Front.Faults) == 0:
			t.conclude(pg, &k)
		}
	}
	if len(k.Acts) > 0 {
		t.settle()
		t.addPointers(slices.DeleteFunc(t.check([]string{"orphan"}), func(f Finding) bool {
			return !known[f.Path]
		}))
		k.Plan = t.result().Plan
	}
	return k
}

// Due returns those of the paths that are logs of more than a week ago.
func Due(paths []string, now time.Time) (logs []string) {
	files := make([]File, len(paths))
	for i, p := range paths {
		files[i].Path = p
	}
	v := view{base: baseOf(files), dir: Dir{Now: now}}
	for _, p := range paths {
		if pg := (&page{File: File{Path: p}, role: roleOf(p, v.base)}); pg.role == log &&
			v.logAge(pg) > logDays {
			logs = append(logs, p)
		}
	}
	return logs
}

// logAge returns how many days ago the day of a log was. It is 0 for other files, and for logs outside of
// the memory root.
func (v *view) logAge(p *page) int {
	dir, name := path.Split(p.Path)
	if p.role != log || dir != v.base && dir != "" {
		return 0
	}
	at, _ := day(name[:len(time.DateOnly)])
	return int(v.dir.Now.Sub(at).Hours() / 24)
}

// putLog moves the log of a day to the archive of its month.
func (t *tree) putLog(p *page, k *Archived) {
	t.settle()
	name := markdown.TrimExt(path.Base(p.Path))
	folder := t.base + "archive/" + name[:len("2006-01")] + "/"
	to := folder + name + ".md"
	for n := 2; t.low[strings.ToLower(to)] != "" || t.under[to]; n++ {
		to = folder + name + "-" + strconv.Itoa(n) + ".md"
	}
	a := Act{What: Daily, Path: p.Path, To: to}
	switch {
	case p.odd:
		a.Why = "is no UTF-8, or too large to be written"
	case !t.follows(p, to):
		a.Why = "a line of an index leads to it that can't be made to lead elsewhere"
	}
	if a.Why != "" {
		k.Left = append(k.Left, a)
		return
	}
	t.relead(p.Path, to)
	t.drop(p)
	q := &page{File: File{Path: to, Modified: p.Modified}, role: archived, doc: p.doc}
	t.write(q, t.carried(p.doc.Lines, p.Path, to, nil))
	k.Acts = append(k.Acts, a)
}

// follows reports whether every line of an index that leads to a file can lead to another path. Lines of
// logs and archives don't count, as they are never changed.
func (v *view) follows(p *page, to string) bool {
	for index := range v.indexes {
		for _, r := range index.refs {
			if got, _, _ := v.lead(r.Target); got == p.Path &&
				(!v.free(index) || !v.led(index, r, p.Path, to)) {
				return false
			}
		}
	}
	return true
}
