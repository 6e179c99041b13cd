package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/memdir"
)

// index brings the indexes into step with a file that is new or changed.
func (j *job) index(file string) error {
	switch {
	case j.p.Tree != nil:
		j.overview(file)
		j.summary(file)
	case j.p.Form == memdir.Table:
		j.route(file)
	default:
		j.pointer(file)
	}
	return nil
}

// lead makes the indexes lead to a topic file that they don't lead to, as after a note
// that was cut short by another hand.
func (j *job) lead(file string) error {
	up := knows(j.leads(memdir.Index), file) > 0
	switch {
	case j.p.Tree == nil && !up:
		return j.index(file)
	case j.p.Tree != nil:
		if knows(j.leads(j.m.Overview()), file) == 0 {
			j.overview(file)
		}
		if !up && j.m.Once(file) {
			j.summary(file)
		}
	}
	return nil
}

// leads returns the files and folders that an index leads to, with the line of each. Folders have a slash
// at their end.
func (j *job) leads(index string) map[string]int {
	doc, _, _ := j.m.Doc(index)
	known := map[string]int{}
	for _, r := range memdir.Refs(doc) {
		to, ok := j.m.Leads(r)
		if !ok {
			to = path.Clean(strings.TrimPrefix(path.Clean(r.Target), "memory/"))
			if j.m.Base() != "" {
				to = j.m.Base() + to
			}
			to += "/"
		}
		if known[to] == 0 {
			known[to] = r.Line
		}
	}
	return known
}

// knows returns the line of an index that leads to a file, or to a folder above it; 0 if there is none.
func knows(known map[string]int, file string) int {
	if at := known[file]; at > 0 {
		return at
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if at := known[dir+"/"]; at > 0 {
			return at
		}
	}
	return 0
}

// begin opens an index, or makes one if there are no memories yet. If there are memories without an index,
// it makes none, since fmt makes one that has them all.
func (j *job) begin(index, heading string, others bool) *sheet {
	if _, _, there := j.m.Doc(index); !there {
		if others {
			return nil
		}
		s := j.open(index)
		s.insert(0, heading)
		return s
	}
	return j.open(index)
}

// anyTopic reports whether the directory has a topic file.
func (j *job) anyTopic() bool {
	for range j.m.Topics {
		return true
	}
	return false
}

// pointer adds a line of the client's form to MEMORY.md.
func (j *job) pointer(file string) {
	if knows(j.leads(memdir.Index), file) > 0 {
		return
	}
	s := j.begin(memdir.Index, "# Memory", j.anyTopic())
	if s == nil {
		return
	}
	title, hook := j.heading(), j.description()
	if doc, b, there := j.m.Doc(file); there {
		title = cmp.Or(memdir.AboutOf(b).Title, title)
		if d, _ := doc.Front.Get("description"); d != "" {
			hook = d
		}
	}
	s.list(j.p.Form, title, file, hook, j.where.pointer)
}

// route dates the row of a topic file in the routing table, or adds one.
func (j *job) route(file string) {
	known := j.leads(memdir.Index)
	if knows(known, file) == 0 {
		s := j.begin(memdir.Index, "# Memory index", j.anyTopic())
		if s == nil {
			return
		}
		about := j.where.says
		if j.Topic != "" {
			about = j.description()
		}
		s.row(file, memdir.Cut(about, maxRow), j.date, false, func(string) bool { return true },
			[]string{"| File | What it has | Last Updated |", "| --- | --- | --- |"})
		return
	}
	doc, _, _ := j.m.Doc(memdir.Index)
	s := j.open(memdir.Index)
	for _, r := range memdir.Refs(doc) {
		if to, ok := j.m.Leads(r); ok && to == file && r.Form == memdir.Table {
			s.date(r.Line-1, j.date)
		}
	}
	if slices.Equal(s.doc.Print(), s.old) {
		delete(j.desk, memdir.Index) // the row has no date, or today's
	}
}

// overview adds a row for a new file to INDEX.md, and takes what was migrated out
// of its list.
func (j *job) overview(file string) {
	name := j.m.Overview()
	known := j.leads(name)
	if known[file] > 0 {
		return
	}
	_, _, there := j.m.Doc(file)
	if there && knows(known, file) > 0 {
		return // by its folder
	}
	others := false
	for f := range j.m.Topics {
		rest := strings.TrimPrefix(f, j.m.Base())
		others = others || strings.HasPrefix(rest, "user/") || strings.HasPrefix(rest, "agent/")
	}
	s := j.begin(name, "# Memory overview", others)
	if s == nil {
		return
	}
	target := strings.TrimPrefix(file, j.m.Base())
	for _, r := range memdir.Refs(s.doc) {
		if j.m.Base() != "" && strings.HasPrefix(r.Target, j.m.Base()) {
			target = file // as the others are written
		}
	}
	about := cmp.Or(j.m.Says(file), sentence(j.Text, maxRow))
	if !strings.HasSuffix(j.where.density, "/") { // the one file of its kind
		about = j.where.says
	}
	dir := path.Dir(file)
	s.row(target, about, j.date, true, func(t string) bool {
		return path.Dir(j.m.Base()+strings.TrimPrefix(path.Clean(t), "memory/")) == dir
	}, []string{"| file | what it has |", "| --- | --- |"})
	s.migrated(j.m)
}

// summary keeps MEMORY.md of the density profile: a line for each event and case,
// and one for a folder that nothing led to. Other notes leave it alone.
func (j *job) summary(file string) {
	_, _, there := j.m.Doc(file)
	known := j.leads(memdir.Index)
	if there && j.res.Did != Already || !j.once() && j.category(known, file) {
		return
	}
	s := j.begin(memdir.Index, "# Memory", j.anyTopic())
	if s == nil {
		return
	}
	if !j.once() {
		dir, keyword := j.where.density, path.Base(j.where.density)
		s.list(j.p.Form, strings.TrimSuffix(keyword, ".md"), j.m.Base()+dir, j.where.says,
			strings.SplitN(dir, "/", 2)[0])
		return
	}
	if knows(known, file) > 0 && len(s.doc.Lines)+1 >= j.p.Under {
		if s.was && slices.Equal(s.doc.Print(), s.old) {
			delete(j.desk, memdir.Index)
		}
		return // full, and the line of the folder leads there
	}
	s.list(j.p.Form, j.heading(), file, sentence(j.Text, maxAbout),
		strings.SplitN(j.where.density, "/", 2)[0])
}

// category reports whether MEMORY.md leads to the folder of a file, or to a file in it.
func (j *job) category(known map[string]int, file string) bool {
	if knows(known, file) > 0 {
		return true
	}
	for to := range known {
		if dir := path.Dir(file); dir != j.m.Base()+"user" && path.Dir(to) == dir {
			return true
		}
	}
	return false
}
