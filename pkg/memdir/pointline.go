package memdir

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// IndexLine returns an item of a list for an index that leads to a file. title and hook may be any text:
// both are made plain, and the hook is shortened. It is false if the form has no such line, or can't hold
// the target.
func IndexLine(form Form, title, target, hook string) (string, bool) {
	title, hook = cmp.Or(plainTitle(title), "Memory"), shorten(plainHook(hook), saidBytes)
	if form == Keyword && hook == "" {
		hook = title
	}
	return pointer(form, title, target, hook)
}

// pointer returns a line of a list that leads to a file, in the form Link or Keyword. The line is parsed
// again to check it: it is false if it would be read as something else.
func pointer(form Form, title, target, hook string) (string, bool) {
	var text string
	switch form {
	case Link:
		text = "- [" + title + "](" + inLink(target) + ")"
		if hook != "" {
			text += " — " + hook
		}
	case Keyword:
		text = "- **" + title + "**: " + hook + " → `" + target + "`"
	default:
		return "", false
	}
	d := Parse([]byte(text))
	refs := Refs(d)
	if len(d.Lines) != 1 || len(refs) != 1 {
		return "", false
	}
	r := refs[0]
	return text, r.Form == form && r.path() == target && r.Title == title && r.Hook == hook
}

// inLink returns a path as the target of a link.
func inLink(target string) string {
	if strings.ContainsAny(target, " ()[]%") {
		return "<" + strings.ReplaceAll(target, "%", "%25") + ">"
	}
	return target
}

// IndexRow returns a row of an index that leads to a file. The link is in the cell refAt, the date below
// "Updated", and the hook, made plain and short, in the first of the other cells. If coded is true, the
// path is in backticks instead of a link. It is false if a row can't hold the target.
func IndexRow(head []string, refAt int, target, hook, date string, coded bool) (string, bool) {
	return row(head, refAt, target, shorten(plainHook(hook), saidBytes), date, coded)
}

// row returns a row of a table; see IndexRow.
func row(head []string, refAt int, target, hook, date string, coded bool) (string, bool) {
	cells := make([]string, len(head))
	dateAt := dateColumn(head)
	link := "[" + strings.NewReplacer("[", "", "]", "").Replace(markdown.TrimExt(target)) + "](" +
		inLink(target) + ")"
	if coded {
		link = "`" + target + "`"
	}
	if strings.ContainsAny(target, "|`") || refAt >= len(cells) {
		return "", false
	}
	cells[refAt] = link
	hooked := false
	for i := range cells {
		switch {
		case i == refAt:
		case i == dateAt:
			cells[i] = date
		case !hooked:
			cells[i], hooked = strings.ReplaceAll(hook, "|", "/"), true
		}
	}
	r, ok := rowRef(cells)
	return markdown.PrintRow(cells), ok && r.Target == target
}

func dateColumn(head []string) int {
	return slices.IndexFunc(head, func(c string) bool {
		return strings.Contains(strings.ToLower(c), "updated")
	})
}

// plainHook makes a hook of any text: nothing in it leads to a file.
func plainHook(s string) string {
	return strings.NewReplacer("[", "", "]", "", "|", "/", "`", "", "**", "").Replace(s)
}

// plainTitle makes a title of any text.
func plainTitle(s string) string {
	return strings.Trim(text.FlatLine(strings.NewReplacer("[", "", "]", "", "|", "/", "→", "", "->", "", "`",
		"", "*", "", "<", "", ">", "", ":", "", "_", " ").Replace(s)), " -.,;")
}

// point adds a line that leads to a page to an index, at the place that behind returns. It reports whether
// it could.
func (t *tree) point(index, to *page) bool {
	target := to.Path
	if index.role == l1 {
		target = strings.TrimPrefix(target, t.base)
	}
	return t.pointAt(index, t.behind(index, to), target, to.title(), to.says(), to.updated())
}

// pointAt puts a line that leads to a file behind line i of an index; -1 for the
// place below the title.
func (t *tree) pointAt(index *page, i int, target, title, hook, date string) bool {
	line, head, at, ok := t.lineFor(index, i, target, title, hook, date)
	if !ok {
		return false
	}
	lines := terminate(index.doc.Lines, index.eol())
	if at < 0 {
		at = index.top() - 1
	}
	var put []markdown.Line
	eol := index.eol()
	blank := at >= 0 && at < len(lines) && lines[at].Kind != markdown.Blank &&
		lines[at].Kind != markdown.Front
	if blank && (head != nil || lines[at].Kind == markdown.Row != strings.HasPrefix(line, "|") ||
		lines[at].Kind == markdown.Paragraph || lines[at].Kind == markdown.Heading) {
		put = append(put, markdown.Line{End: eol})
	}
	for _, h := range head {
		put = append(put, markdown.Line{Text: h, End: eol})
	}
	put = append(put, markdown.Line{Text: line, End: eol})
	if next := at + 1; next < len(lines) && lines[next].Kind != markdown.Blank &&
		(head != nil || lines[next].Kind != Pointer && lines[next].Kind != markdown.Row) {
		put = append(put, markdown.Line{End: eol})
	}
	t.write(index, slices.Insert(lines, at+1, put...))
	return true
}

// lineFor returns a line for an index, the head of a table if the line needs one, and the index of the line
// that it goes behind.
func (t *tree) lineFor(index *page, i int, target, title, hook, date string) (line string, head []string,
	at int, ok bool) {
	form := t.Form
	if index.role == l1 {
		form = Table
		// which that form can't hold
		if i >= 0 && index.doc.Lines[i].Kind == Pointer && !strings.Contains(target, " ") {
			form = Keyword
		}
	}
	if form != Table {
		line, ok = IndexLine(form, title, target, hook)
		if ok && i >= 0 && lists(index.doc.Lines[i]) {
			line = strings.TrimLeft(bulletOf(index.doc.Lines[i]), " \t") + line[1:]
		}
		return line, nil, i, ok
	}
	if j := index.tableFor(i); j >= 0 {
		top, _ := index.tableAt(j)
		cells := markdown.CellTexts(index.doc.Lines[j].Text)
		_, refAt := refCell(cells)
		coded := strings.HasPrefix(cells[refAt], "`") && !strings.Contains(target, " ")
		line, ok = IndexRow(markdown.CellTexts(index.doc.Lines[top].Text), refAt, target, hook, date, coded)
		return line, nil, j, ok
	}
	head = []string{"| File | What it has |", "| --- | --- |"}
	if index.role == l0 {
		head = []string{"| File | What it has | Last Updated |", "| --- | --- | --- |"}
	}
	line, ok = IndexRow(markdown.CellTexts(head[0]), 0, target, hook, date, false)
	return line, head, i, ok
}

// tableFor returns the index of the last row of the table that can take one more row that leads to a file:
// the table of line i, else the longest. It is -1 if there is none.
func (p *page) tableFor(i int) int {
	if i >= 0 && p.doc.Lines[i].Kind == markdown.Row {
		top, end := p.tableAt(i)
		for j := end - 1; j >= top; j-- {
			if leadsRow(p.doc.Lines[j].Text) {
				return j
			}
		}
	}
	best, most := -1, 0
	for j := 0; j < len(p.doc.Lines); j++ {
		if p.doc.Lines[j].Kind != markdown.Row {
			continue
		}
		n, last := 0, -1
		for ; j < len(p.doc.Lines) && p.doc.Lines[j].Kind == markdown.Row; j++ {
			if r, ok := rowRef(markdown.CellTexts(p.doc.Lines[j].Text)); ok && local(r.Target) {
				n, last = n+1, j
			}
		}
		if n >= most && n > 0 {
			best, most = last, n
		}
	}
	return best
}

func leadsRow(text string) bool {
	_, ok := rowRef(markdown.CellTexts(text))
	return ok
}

// refCell returns the first reference to a file in a row, and the index of its cell.
func refCell(cells []string) (Ref, int) {
	for i, c := range cells {
		if refs := refsIn(c); len(refs) > 0 {
			return refs[0], i
		}
	}
	return Ref{}, -1
}

// behind returns the index of the line of an index that a new line for a page goes behind. It is the last
// line that leads to the page's folder, or into the same tree; else the last of the section named like its
// type; else the last reference above the sections, or of all if there are no sections. It is -1 for the
// place below the title. A section of files to migrate takes no new lines.
func (t *tree) behind(index, to *page) int {
	typ, _ := typeOfHead(to.doc.Front)
	tree, _, _ := strings.Cut(strings.TrimPrefix(to.Path, t.base), "/")
	folder, kin, typed, general, sections := -1, -1, -1, -1, false
	for _, r := range index.refs {
		at := index.endOf(r)
		_, level, section := index.doc.HeadingAbove(r.Line - 1)
		if strings.Contains(strings.ToLower(section), "migrate") {
			sections = true
			continue
		}
		got, there, _ := t.lead(r.Target)
		in := strings.TrimPrefix(path.Dir(got)+"/", t.base)
		switch {
		case !there:
		case path.Dir(to.Path) != "." && path.Dir(to.Path) == path.Dir(got):
			folder = at
		case strings.HasPrefix(in, tree+"/"):
			kin = at
		}
		if known(typ) && level > 1 && slices.Contains(strings.FieldsFunc(strings.ToLower(section), notWord),
			typ) {
			typed = at
		}
		if level < 2 {
			general = at
		}
		sections = sections || level > 1
	}
	switch {
	case folder >= 0:
		return folder
	case kin >= 0:
		return kin
	case !sections:
		return index.lastRef()
	case typed >= 0:
		return typed
	case general >= 0:
		return general
	}
	return index.aboveSections()
}

// aboveSections returns the index of the last line of text above the first section of an index, -1 for the
// place below the title.
func (p *page) aboveSections() int {
	for i := range p.doc.Lines {
		if p.doc.HeadingLevel(i) < 2 {
			continue
		}
		for i--; i >= p.top(); i-- {
			if l := p.doc.Lines[i]; l.Kind != markdown.Blank && l.Kind != markdown.Comment &&
				l.Kind != markdown.Break {
				return i
			}
		}
		return -1
	}
	return -1
}

// endOf returns the index of the last line that belongs to a reference.
func (p *page) endOf(r Ref) int {
	at := r.Line - 1
	for at+1 < len(p.doc.Lines) && p.doc.Lines[at+1].Kind == markdown.Continued {
		at++
	}
	return at
}

// lastRef returns the index of the last line that belongs to the last reference of an index or to its
// table, -1 if there is none.
func (p *page) lastRef() int {
	if len(p.refs) == 0 {
		return -1
	}
	at := p.refs[len(p.refs)-1].Line - 1
	for at+1 < len(p.doc.Lines) &&
		(p.doc.Lines[at+1].Kind == markdown.Continued || p.doc.Lines[at].Kind == markdown.Row &&
			p.doc.Lines[at+1].Kind == markdown.Row) {
		at++
	}
	return at
}

// top returns the index of the first line below the frontmatter, and below the title if the file begins
// with one.
func (p *page) top() int {
	i := p.doc.Front.Lines
	for i < len(p.doc.Lines) && p.doc.Lines[i].Kind == markdown.Blank {
		i++
	}
	if i >= len(p.doc.Lines) || p.doc.Lines[i].Kind != markdown.Heading {
		return p.doc.Front.Lines
	}
	for i < len(p.doc.Lines) && p.doc.Lines[i].Kind == markdown.Heading &&
		(i == 0 || !strings.HasPrefix(strings.TrimSpace(p.doc.Lines[i].Text), "#") ||
			p.doc.Lines[i-1].Kind != markdown.Heading) {
		i++
	}
	return i
}
