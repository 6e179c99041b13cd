package memdir

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// formed returns a line of the index in the profile's form. It is false if the line has more in it than the
// form has room for.
func (v *view) formed(p *page, r Ref) (string, bool) {
	l := p.doc.Lines[r.Line-1]
	if len(p.refsOn(r.Line)) != 1 || l.Kind != Pointer || !v.free(p) {
		return "", false
	}
	text := markdown.ItemText(l.Text)
	title, hook, ok := partsOfLine(text, r)
	if !ok {
		return "", false
	}
	to, _, _ := v.lead(r.Target)
	target := v.at[to]
	if strings.HasSuffix(to, "/") && v.Form != Link { // the other forms know a folder by it
		r.Target = strings.TrimSuffix(r.Target, "/") + "/"
	}
	if title == "" && target != nil {
		title = plainTitle(target.title())
	}
	if title == "" {
		title = nameOf(r.Target)
	}
	if v.Form == Table {
		return v.asRow(text, r, title, hook, target)
	}
	if v.Form == Keyword && hook == "" {
		if target == nil || target.says() == "" {
			return "", false
		}
		hook = plainHook(target.says())
	}
	line, ok := pointer(v.Form, title, r.path(), hook)
	return bulletOf(l) + line[min(len(line), 1):], ok
}

// asRow returns a line of a list as a row of the routing table.
func (v *view) asRow(text string, r Ref, title, hook string, target *page) (string, bool) {
	date := ""
	if target != nil {
		date = target.updated()
	}
	if !same(title, nameOf(r.Target)) {
		hook = strings.TrimSuffix(title+": "+hook, ": ")
	}
	if strings.Contains(hook, "|") || r.Anchor != "" {
		return "", false
	}
	return row([]string{"File", "What it has", "Last Updated"}, 0, r.Target, hook, date, false)
}

// partsOfLine takes a line apart that leads to a file: its title and what else it
// says. false where there is something before or between them.
func partsOfLine(text string, r Ref) (title, hook string, ok bool) {
	if r.Form == Keyword || r.Form == Link {
		title, hook = r.Title, r.Hook
	} else if strings.HasPrefix(text, "[[") {
		name, rest, _ := strings.Cut(text[2:], "]]")
		name, alias, named := strings.Cut(name, "|")
		if title = markdown.TrimExt(path.Base(name)); named {
			title = alias
		}
		hook = rest
	} else if t, _, rest, isLink := markdown.ParseLink(text); isLink && strings.HasPrefix(text, "[") {
		title, hook = t, rest
	} else {
		at := strings.Index(text, r.Target)
		if at < 0 || strings.Trim(text[:at], "`*_\"' ./") != "" {
			return "", "", false
		}
		hook = strings.TrimLeft(text[at+len(r.Target):], "`*_\"',;")
		if r.Anchor != "" {
			hook = strings.TrimPrefix(hook, "#"+r.Anchor)
		}
	}
	hook = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(hook), "-—–: "))
	// Nothing may be lost but the path and the marks.
	words := func(s string) int { return len(strings.FieldsFunc(s, notWord)) }
	if words(title)+words(hook) < words(text)-words(r.Target+" "+r.Anchor) {
		return "", "", false
	}
	return strings.TrimSpace(title), hook, true
}

// tableAt returns where the table of the row i begins and ends, as indices of lines.
func (p *page) tableAt(i int) (top, end int) {
	if t := p.table; i >= t[0] && i < t[1] { // asked for row after row
		return t[0], t[1]
	}
	top, end = p.doc.Table(i)
	p.table = [2]int{top, end}
	return top, end
}

// tabled returns the rows of a table of an index as lines of a list, by the index of their line. It is
// false if a row can't be such a line, or if the head of the table has something to keep.
func (v *view) tabled(p *page, line int) (map[int]string, bool) {
	top, end := p.tableAt(line - 1)
	out := map[int]string{}
	i := top
	if end-top > 2 && markdown.IsDelimiterRow(p.doc.Lines[top+1].Text) {
		for _, c := range markdown.CellTexts(p.doc.Lines[top].Text) {
			if !formal(c) {
				return nil, false
			}
		}
		out[top], out[top+1] = "", ""
		i += 2
	}
	for ; i < end; i++ {
		refs := p.refsOn(i + 1)
		if len(refs) != 1 {
			return nil, false
		}
		r := refs[0]
		cells := markdown.CellTexts(p.doc.Lines[i].Text)
		in, at := refCell(cells)
		if at < 0 {
			return nil, false
		}
		title, hook, ok := partsOfLine(cells[at], in)
		if !ok {
			return nil, false
		}
		all := []string{}
		for j, c := range cells {
			if j == at {
				c = hook
			}
			if c != "" {
				all = append(all, strings.ReplaceAll(c, `\|`, "|"))
			}
		}
		if title == "" || same(title, r.Target) {
			title = nameOf(r.Target)
		}
		text, ok := pointer(v.Form, title, r.path(), strings.Join(all, ", "))
		if !ok {
			return nil, false
		}
		out[i] = text
	}
	return out, v.free(p)
}

// formal reports whether the head of a column has only words that an index needs anyway.
func formal(cell string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(cell), notWord) {
		switch w {
		case "path", "title", "name", "hook", "has", "last", "when", "load", "date", "tags", "purpose", "it",
			"link":
		default:
			if !vague(w) {
				return false
			}
		}
	}
	return true
}

// reform writes lines of the index in the profile's form.
func (t *tree) reform(found []Finding) {
	p := t.index()
	lines := terminate(p.doc.Lines, p.eol())
	gone := map[int]bool{}
	rows := map[int]bool{}
	for _, f := range found {
		if p.doc.Lines[f.Line-1].Kind == markdown.Row {
			if lines[f.Line-1].Kind != markdown.Row {
				continue // with its table
			}
			texts, ok := t.tabled(p, f.Line)
			for i, text := range texts {
				if lines[i].Text, lines[i].Kind = text, Pointer; ok && text == "" {
					gone[i] = true
				}
			}
			continue
		}
		for _, r := range p.refsOn(f.Line) {
			if text, ok := t.formed(p, r); ok {
				lines[f.Line-1].Text = text
				if t.Form == Table {
					lines[f.Line-1].Kind, rows[f.Line-1] = markdown.Row, true
				}
			}
		}
	}
	if len(rows) > 0 {
		lines = t.table(p, lines, rows)
	}
	t.write(p, without(lines, gone))
}

// table gathers rows that were lines of a list in the routing table, or in a new
// one where the first of them stood.
func (t *tree) table(p *page, lines []markdown.Line, rows map[int]bool) []markdown.Line {
	var moved []markdown.Line
	at := -1
	for i := range lines {
		if rows[i] {
			moved = append(moved, lines[i])
			if at < 0 {
				at = i
			}
		}
	}
	last, plain := -1, false
	for i, l := range lines {
		if l.Kind == markdown.Row && !rows[i] && leadsRow(l.Text) {
			last = i
			for top := i; top >= 0 && lines[top].Kind == markdown.Row; top-- {
				head := markdown.CellTexts(lines[top].Text)
				plain = len(head) == 3 && dateColumn(head) == 2
			}
		}
	}
	if last >= 0 && plain {
		for last+1 < len(lines) && lines[last+1].Kind == markdown.Row && !rows[last+1] {
			last++
		}
		out := slices.Insert(slices.Clone(lines), last+1, moved...)
		gone := map[int]bool{}
		for i := range rows {
			if i > last {
				i += len(moved)
			}
			gone[i] = true
		}
		return without(out, gone)
	}
	eol := p.eol()
	put := []markdown.Line{{Text: "| File | What it has | Last Updated |", End: eol, Kind: markdown.Row},
		{Text: "| --- | --- | --- |", End: eol, Kind: markdown.Row}}
	if at > 0 && lines[at-1].Kind != markdown.Blank {
		put = append([]markdown.Line{{End: eol}}, put...)
	}
	put = append(put, moved...)
	gone := map[int]bool{}
	for i := range rows {
		gone[i+len(put)] = true
	}
	if next := at + 1; next < len(lines) && !rows[next] && lines[next].Kind != markdown.Blank {
		put = append(put, markdown.Line{End: eol})
		clear(gone)
		for i := range rows {
			gone[i+len(put)] = true
		}
	}
	return without(slices.Insert(slices.Clone(lines), at, put...), gone)
}

// rehooked returns a line of the index with a better hook, taken from its file. It is false if the file has
// none.
func (v *view) rehooked(p *page, r Ref) (string, bool) {
	target := v.target(r)
	if target == nil || len(p.refsOn(r.Line)) != 1 {
		return "", false
	}
	hook := shorten(plainHook(target.says()), saidBytes)
	l := p.doc.Lines[r.Line-1]
	if hook == "" || v.vagueHook(r, hook) {
		return "", false
	}
	if v.Form == Table {
		at := -1
		cells := markdown.CellTexts(l.Text)
		_, refAt := refCell(cells)
		for i, c := range cells {
			if i != refAt && c != r.Date || i != refAt && c == "" {
				if at >= 0 {
					return "", false
				}
				at = i
			}
		}
		if at < 0 {
			return "", false
		}
		cells[at] = hook
		if now, _ := rowRef(cells); vague(strings.ReplaceAll(now.Hook, r.Date, "")) {
			return "", false
		}
		return markdown.PrintRow(cells), true
	}
	line, ok := pointer(v.Form, r.Title, r.path(), hook)
	return bulletOf(l) + line[min(len(line), 1):], ok
}

// fillHooks writes what a file is about where its line doesn't say it.
func (t *tree) fillHooks(found []Finding) {
	p := t.index()
	lines := slices.Clone(p.doc.Lines)
	for _, f := range found {
		for _, r := range p.refsOn(f.Line) {
			if text, ok := t.rehooked(p, r); ok {
				lines[f.Line-1].Text = text
			}
		}
	}
	t.write(p, lines)
}
