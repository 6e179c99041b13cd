package memdir

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// homeOf returns where a misplaced file belongs by its name. It is false if the name doesn't decide it, if
// another file is there, or if the lines that lead to it can't be changed.
func (v *view) homeOf(p *page) (string, bool) {
	name := path.Base(p.Path)
	to := v.base + home(name)
	if isArchive(name) {
		to = v.base + "archive/" + name
	} else if home(name) == "" {
		return "", false
	}
	if _, there := v.low[strings.ToLower(to)]; there || to == p.Path || v.under[to] {
		return "", false
	}
	return to, len(p.Bytes) > 0 && v.free(p) && v.leadable(p, to)
}

// moveFiles puts files where their kind belongs.
func (t *tree) moveFiles(found []Finding) {
	for name := range byFile(found) {
		t.settle()
		p := t.at[name]
		to, ok := t.homeOf(p)
		if !ok {
			continue
		}
		t.relead(name, to)
		t.drop(p)
		q := &page{File: p.File, role: roleOf(to, t.base), doc: p.doc}
		q.Path, q.Bytes = to, nil
		t.write(q, t.carried(p.doc.Lines, name, to, nil))
		t.report.Moved = append(t.report.Moved, Merge{name, to})
	}
}

// makeIndex makes a missing MEMORY.md. Lines that lead to the files are added later, as for other orphans.
func (t *tree) makeIndex([]Finding) { t.add(Index, "# Memory\n", nil) }

// makeOverview makes INDEX.md with a row for each file of the layers.
func (t *tree) makeOverview([]Finding) {
	var b strings.Builder
	b.WriteString("# Memory overview\n\n| File | What it has |\n| --- | --- |\n")
	for p := range t.layered {
		if line, ok := IndexRow([]string{"", ""}, 0, strings.TrimPrefix(p.Path, t.base), p.says(), "",
			false); ok {
			b.WriteString(line + "\n")
		}
	}
	t.add(t.base+overview, b.String(), nil)
}

// pointable returns the index that can take a line that leads to a file, nil if none can.
func (v *view) pointable() *page {
	if v.in == inDensity {
		if p := v.at[v.base+overview]; p != nil {
			if v.free(p) {
				return p
			}
			return nil
		}
	}
	if p := v.index(); v.free(p) {
		return p
	}
	return nil
}

// listable reports whether a line of an index can lead to a file.
func (v *view) listable(p *page) bool {
	if p.odd || strings.ContainsAny(p.Path, "%<>|`#") {
		return false
	}
	if v.in == inDensity && v.pointable() == v.index() {
		return !strings.Contains(p.Path, " ")
	}
	return true
}

// addPointers adds a line for each file that none leads to, as long as the index
// has room.
func (t *tree) addPointers(found []Finding) {
	for _, f := range found {
		p := t.at[f.Path]
		switch {
		case p == nil:
		case f.Rule == "orphan":
			if to := t.pointable(); to != nil && (to.role == l1 || t.room() > 0) {
				t.point(to, p)
			}
		case strings.HasPrefix(f.Why, overview):
			t.point(t.at[t.base+overview], p)
		case t.room() > 0:
			t.point(t.index(), p)
		}
	}
}

// stepped returns a row of the routing table with the date that its file gives. A table without a column
// for dates gets one. It is false if the row can't have the date.
func (v *view) stepped(r Ref) (string, bool) {
	p := v.index()
	target := v.target(r)
	l := p.doc.Lines[r.Line-1]
	if target == nil || target.updated() == "" || l.Kind != markdown.Row {
		return "", false
	}
	top, _ := p.tableAt(r.Line - 1)
	if top+1 >= r.Line-1 || !markdown.IsDelimiterRow(p.doc.Lines[top+1].Text) {
		return "", false
	}
	head, cells := markdown.CellTexts(p.doc.Lines[top].Text), markdown.CellTexts(l.Text)
	at := dateColumn(head)
	if at < 0 {
		at = len(head)
	}
	for len(cells) <= at {
		cells = append(cells, "")
	}
	_, refAt := refCell(cells)
	if old := strings.Trim(cells[at], "*_` -—–?"); refAt == at || old != "" && !isDate(old) && !undated(old) {
		return "", false
	}
	cells[at] = target.updated()
	return markdown.PrintRow(cells), true
}

// undated reports whether the text of a cell takes the place of a date: a word like "unknown", or a date in
// another form.
func undated(s string) bool {
	_, ok := otherDate(s)
	return ok || text.OneOf(strings.ToLower(s), "unknown tbd never n/a none")
}

// stepDates writes into the routing table what the files say of when they were
// last changed.
func (t *tree) stepDates(found []Finding) {
	p := t.index()
	lines := slices.Clone(p.doc.Lines)
	for _, f := range found {
		for _, r := range p.refsOn(f.Line) {
			text, ok := t.stepped(r)
			if !ok {
				continue
			}
			lines[f.Line-1].Text = text
			top, _ := p.tableAt(f.Line - 1)
			if dateColumn(markdown.CellTexts(lines[top].Text)) < 0 {
				lines[top].Text = markdown.PrintRow(append(markdown.CellTexts(lines[top].Text),
					"Last Updated"))
				lines[top+1].Text = markdown.PrintRow(append(markdown.CellTexts(lines[top+1].Text), "---"))
			}
		}
	}
	t.write(p, lines)
}
