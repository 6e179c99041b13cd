package memdir

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// A Result is the plan and the report of Format.
type Result struct {
	Plan   plan.Plan // the files to write and to take away; no edits where all is in order
	Report Report
}

// A Report describes for people what a plan does to a directory.
type Report struct {
	Before  int            `json:"before"` // lines of MEMORY.md
	After   int            `json:"after"`
	Created []string       `json:"created"` // paths, in order
	Changed []string       `json:"changed"`
	Merged  []Merge        `json:"merged"` // files that said what another one says
	Moved   []Merge        `json:"moved"`  // files that went to another place
	Mended  map[string]int `json:"mended"` // findings by rule
	Left    []Finding      `json:"left"`   // what somebody has to judge: the skill tidy does
}

// Mending returns in words what was mended, the rule with most findings first.
func (r Report) Mending() string {
	ids := slices.SortedFunc(maps.Keys(r.Mended), func(a, b string) int {
		return cmp.Or(r.Mended[b]-r.Mended[a], strings.Compare(a, b))
	})
	n := 0
	for i, id := range ids {
		n += r.Mended[id]
		ids[i] = fmt.Sprintf("%d %s", r.Mended[id], id)
	}
	return text.Count(n, "problem") + " mended (" + strings.Join(ids, ", ") + ")"
}

// A Merge is a file that is no more, and the one that is in its place.
type Merge struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Format mends what Lint calls fixable, and nothing else. Only an exact duplicate of a statement is ever
// removed, and a second Format finds nothing to do. It doesn't write files that are no UTF-8, larger than
// 480 KiB, named like another one but for case, or below events/ and cases/.
//
// A pass mends the findings of its rules. Lint calls no finding fixable if its rule has no pass. A pass
// works on a tree, the directory as it is so far, and changes files with write, append, move and drop. Each
// pass must make its findings go away or lose their flag, since the passes run again until none has
// anything to do. A rule decides with the same predicate as its pass whether a finding is fixable.
func Format(d Dir, p Profile) Result {
	alike := d.Alike
	d.Alike = nil // near duplicates are only told
	t := newTree(d, p)
	for round, more := 0, true; more && round < maxRounds; round++ {
		writes := t.writes
		t.round()
		left := t.lint()
		more = t.writes > writes && anyFixable(left)
		if !more && t.dropEmptied() {
			more = anyFixable(t.lint())
		}
	}
	t.describe()
	t.settle()
	if t.dir.Alike = alike; alike != nil {
		t.run(func(id string) bool { return id == "twice-near" })
		t.inOrder()
	}
	return t.result()
}

func anyFixable(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Fixable })
}

// round runs all passes once.
func (t *tree) round() {
	for _, ps := range passes {
		found := t.check(ps.mends)
		if len(found) == 0 {
			continue
		}
		writes := t.writes
		ps.mend(t, found)
		t.settle()
		if t.writes > writes {
			for _, f := range found {
				t.report.Mended[f.Rule]++
			}
		}
	}
}

// maxRounds bounds how often the passes run. A file that is taken out of MEMORY.md
// in the first is a topic file like others in the second.
const maxRounds = 8

// A pass mends findings of some rules.
type pass struct {
	mends []string
	mend  func(*tree, []Finding)
}

// passes run in this order. Relative dates are worked out before lines move away from their dates. Lines
// that lead to no file are repaired before files without a line are looked for.
var passes = [...]pass{
	{[]string{"date-relative"}, (*tree).datesAbsolute},
	{[]string{"head-broken"}, (*tree).mendHeads},
	{[]string{"pointer-dangling"}, (*tree).repairPointers},
	{[]string{"twice-file"}, (*tree).mergeFiles},
	{[]string{"place-wrong"}, (*tree).moveFiles},
	{[]string{"index-missing"}, (*tree).makeIndex},
	{[]string{"twice-line"}, (*tree).mergeLines},
	{[]string{"index-paragraph", "index-content", "index-stream", "index-history"}, (*tree).extract},
	{[]string{"head-missing", "head-key", "head-type", "head-date"}, (*tree).completeHeads},
	{[]string{"topic-title"}, (*tree).addTitles},
	{[]string{"index-form"}, (*tree).reform},
	{[]string{"pointer-twice"}, (*tree).mergePointers},
	{[]string{"hook-missing", "hook-vague"}, (*tree).fillHooks},
	{[]string{"layer-missing"}, (*tree).makeOverview},
	{[]string{"orphan", "layer-step"}, (*tree).addPointers},
	{[]string{"date-step"}, (*tree).stepDates},
	{[]string{"topic-long", "topic-giant"}, (*tree).shortenTopics},
}

// consequent are the rules that have no pass of their own: what they find goes
// away with what others mend.
var consequent = [...]string{"index-cut", "index-long"}

// mendable returns the rules that Format mends, by their names.
func mendable() map[string]bool {
	m := map[string]bool{}
	for _, ps := range passes {
		for _, id := range ps.mends {
			m[id] = true
		}
	}
	for _, id := range consequent {
		m[id] = true
	}
	return m
}

// A tree is a directory on its way to what it shall be.
type tree struct {
	*view
	was     map[string][]byte    // the files as they were read
	retimed map[string]bool      // files that are as old as another one that went into them
	wrote   map[string]described // by the paths of files
	writes  int
	report  Report
	rebases bool // the links of files that are never written follow what moves
}

func newTree(d Dir, p Profile) *tree {
	t := &tree{view: look(d, p), was: make(map[string][]byte, len(d.Files)), retimed: map[string]bool{},
		wrote: map[string]described{}}
	for _, pg := range t.pages {
		t.was[pg.Path] = pg.Bytes
	}
	t.report = Report{Created: []string{}, Changed: []string{}, Merged: []Merge{}, Moved: []Merge{},
		Mended: map[string]int{}}
	t.mended = mendable()
	return t
}

// check returns the findings of some rules that can be mended.
func (t *tree) check(ids []string) []Finding {
	t.found = nil
	t.run(func(id string) bool { return slices.Contains(ids, id) })
	return slices.DeleteFunc(t.found, func(f Finding) bool { return !f.Fixable })
}

// write makes a page of these lines; a page that isn't in the tree is added.
func (t *tree) write(p *page, lines []markdown.Line) {
	d := p.doc
	d.Lines = lines
	b := d.Print()
	if bytes.Equal(b, p.Bytes) && t.at[p.Path] == p {
		return
	}
	p.end = p.eol()
	empty := !slices.ContainsFunc(lines, func(l markdown.Line) bool {
		return strings.TrimSpace(l.Text) != ""
	})
	switch {
	case empty && p.role == l0:
		d.Lines = []markdown.Line{{Text: "# Memory", End: p.end}}
		b = d.Print()
	case empty && p.role == l1:
		d.Lines = []markdown.Line{{Text: "# Memory overview", End: p.end}}
		b = d.Print()
	}
	t.writes++
	p.Bytes, p.doc = b, Parse(b)
	p.Written = nil // its lines are others now
	p.told, p.table, p.stamped = false, [2]int{}, nil
	if p.role == l0 || p.role == l1 {
		p.refs = Refs(p.doc)
	}
	if t.at[p.Path] != p {
		t.pages = append(t.pages, p)
		t.at[p.Path] = p
	}
	t.stale = true
}

// append puts lines at the end of a page, below a blank one.
func (t *tree) append(p *page, lines []markdown.Line) {
	all := terminate(p.doc.Lines, p.eol())
	if n := len(all); n > 0 && strings.TrimSpace(all[n-1].Text) != "" {
		all = append(all, markdown.Line{End: p.eol()})
	}
	t.write(p, append(all, lines...))
}

// add makes a new page from text with "\n".
func (t *tree) add(name, text string, like *page) *page {
	p := &page{File: File{Path: name}, role: roleOf(name, t.base)}
	eol := "\n"
	if like != nil {
		p.Modified, eol = like.Modified, like.eol()
	} else if len(t.pages) > 0 {
		eol = t.pages[0].eol()
	}
	p.end = eol
	t.write(p, Parse([]byte(strings.ReplaceAll(text, "\n", eol))).Lines)
	return p
}

// drop takes a page away.
func (t *tree) drop(p *page) {
	t.writes++
	t.pages = slices.DeleteFunc(t.pages, func(q *page) bool { return q == p })
	delete(t.at, p.Path)
	t.stale = true
}

// result returns the report with the plan that leads from the files that were read to the tree as it is
// now.
func (t *tree) result() Result {
	r := t.report
	count := func(b []byte) int { return len(Parse(b).Lines) }
	r.Before = count(t.was[Index])
	if p := t.index(); p != nil {
		r.After = count(p.Bytes)
	}
	out := plan.Plan{Version: plan.Version}
	for _, p := range t.pages {
		old, there := t.was[p.Path]
		switch {
		case !there:
			out.Edits = append(out.Edits, edit(p, plan.Create, nil))
			if !slices.ContainsFunc(r.Moved, func(m Merge) bool { return m.To == p.Path }) {
				r.Created = append(r.Created, p.Path)
			}
		case !bytes.Equal(old, p.Bytes) || t.retimed[p.Path]:
			out.Edits = append(out.Edits, edit(p, plan.Update, old))
			r.Changed = append(r.Changed, p.Path)
		}
	}
	for name, old := range t.was {
		if t.at[name] == nil {
			out.Edits = append(out.Edits, edit(&page{File: File{Path: name}}, plan.Delete, old))
		}
	}
	slices.SortFunc(out.Edits, func(a, b plan.Edit) int { return strings.Compare(a.Path, b.Path) })
	r.Left = append([]Finding{}, t.found...)
	return Result{out, r}
}

// edit returns the edit that writes a page, which keeps its time: a rule that mends a file doesn't make it
// any newer.
func edit(p *page, verb plan.Verb, before []byte) plan.Edit {
	if verb != plan.Create && before == nil {
		before = []byte{}
	}
	e := plan.Edit{Path: p.Path, Verb: verb, After: p.Bytes, Category: "memory",
		Title: markdown.TrimExt(path.Base(p.Path)), Modified: plan.TimeOf(p.Modified)}
	if verb != plan.Create {
		e.Before = plan.DigestOf(before)
	}
	return e
}

// maxWritten bounds a file that is written, in bytes. The store takes 512 KiB.
const maxWritten = 480 << 10

// free reports whether a page may be changed.
func (v *view) free(p *page) bool {
	return p != nil && !p.odd && !v.once(p) && p.role != log && p.role != archived && p.role != board
}

// isOdd reports whether Format must leave a file alone: it isn't UTF-8, is too large, or has a path that a
// plan can't write.
func isOdd(f File) bool {
	return !utf8.Valid(f.Bytes) || len(f.Bytes) > maxWritten || plan.CheckMarkdown(f.Path) != nil
}

// eol returns the line end of a file, the one that most of its lines had when it was read.
func (p *page) eol() string {
	if p.end != "" {
		return p.end
	}
	return p.doc.EOL()
}
