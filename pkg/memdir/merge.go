package memdir

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/markdown"
)

// copyOf returns which of two files with the same text stays, and which one goes. The one of a type that says
// more than reference stays, else the one that an index leads to first, else the one whose name is the
// beginning of the other name, else the first.
func (v *view) copyOf(later string) (stays, goes *page) {
	stays, goes = v.at[v.same[later]], v.at[later]
	rank := v.ranks()
	if a, b := rank(stays), rank(goes); v.free(stays) &&
		(b < a || a == b && strings.HasPrefix(markdown.TrimExt(stays.Path), markdown.TrimExt(goes.Path))) {
		stays, goes = goes, stays // "build.md", not "build copy.md"
	}
	return stays, goes
}

// listed reports whether a line of an index leads to a file.
func (v *view) listed(file string) bool {
	for p := range v.indexes {
		for _, r := range p.refs {
			if to, _, _ := v.lead(r.Target); to == file {
				return true
			}
		}
	}
	return false
}

// exact reports whether one of two files with the same text can be removed. Their frontmatter must agree
// but for name and dates, and no line that can't be changed may lead to the file that goes.
func (v *view) exact(later string) bool {
	stays, goes := v.copyOf(later)
	if !v.free(goes) || stays.odd {
		return false
	}
	for _, f := range goes.doc.Front.Fields {
		switch {
		case f.Value == "" || f.Key == "name" || f.Key == "last_updated" ||
			strings.HasPrefix(f.Key, "metadata.") && f.Key != "metadata.type":
		case f.Key == "type" || f.Key == "metadata.type":
			a, _ := typeOfHead(stays.doc.Front)
			b, _ := typeOfHead(goes.doc.Front)
			if a != b && known(b) && b != "reference" {
				return false
			}
		default:
			if value, _ := stays.doc.Front.Get(f.Key); value != f.Value {
				return false
			}
		}
	}
	if _, more := keptHead(stays, goes); len(goes.doc.Front.Faults) > 0 || more && !v.free(stays) {
		return false
	}
	if _, more := keptComments(stays, goes); more && (!v.free(stays) || stays.doc.Open || goes.doc.Open) {
		return false
	}
	return v.leadable(goes, stays.Path)
}

// leadable reports whether all links and lines that lead to a file can be made to lead to another path.
func (v *view) leadable(from *page, to string) bool {
	return v.follows(from, to) && !slices.ContainsFunc(v.pages, func(p *page) bool {
		return p != from && !v.free(p) && v.links(p, from.Path)
	})
}

// links reports whether a link in a page leads to a file.
func (v *view) links(p *page, to string) (found bool) {
	if !strings.Contains(string(p.Bytes), path.Base(to)) {
		return false
	}
	for _, l := range p.doc.Lines {
		if l.Kind != markdown.Code && !found {
			replacePaths(l.Text, func(target string) string {
				got, ok := v.reaches(path.Dir(p.Path), target)
				found = found || ok && got == to
				return target
			})
		}
	}
	return found
}

// led reports whether a line of an index can be made to lead to the path to. There need not be a file of
// that path yet.
func (v *view) led(p *page, r Ref, from, to string) bool {
	text := p.doc.Lines[r.Line-1].Text
	now, ok := swapped(text, r.Target, to)
	if !ok {
		return false
	}
	refs := refsOfLine(now, p.doc.Lines[r.Line-1].Kind)
	old := refsOfLine(text, p.doc.Lines[r.Line-1].Kind)
	return len(old) == 1 && len(refs) == 1 && refs[0].Target == to
}

func swapped(text, from, to string) (string, bool) {
	i := strings.LastIndex(text, from)
	if i < 0 || strings.ContainsAny(to, " ()%`|<>[]") {
		return "", false
	}
	return text[:i] + to + text[i+len(from):], true
}

// relead makes all that leads to a file lead to another one: lines of the indexes, and the links of other
// files, of those that are never written only if the tree rebases them.
func (t *tree) relead(from, to string) {
	for _, p := range slices.Clone(t.pages) {
		if !t.free(p) && (!t.rebases || p.odd) {
			continue
		}
		lines := slices.Clone(p.doc.Lines)
		changed := false
		for _, r := range p.refs {
			if got, _, _ := t.lead(r.Target); got == from {
				if now, ok := swapped(lines[r.Line-1].Text, r.Target, to); ok {
					lines[r.Line-1].Text, changed = now, true
				}
			}
		}
		for i, l := range lines {
			if l.Kind == markdown.Code || !strings.Contains(l.Text, path.Base(from)) {
				continue
			}
			lines[i].Text = replacePaths(l.Text, func(target string) string {
				switch got, ok := t.reaches(path.Dir(p.Path), target); {
				case !ok || got != from:
					return target
				case strings.HasPrefix(target, "../") || got != path.Clean(target):
					return LinkTo(p.Path, to)
				}
				return to
			})
			changed = changed || lines[i].Text != l.Text
		}
		if changed {
			t.write(p, lines)
		}
	}
}

// mergeFiles takes away files that say word for word what another one says. What
// led to them leads to it.
func (t *tree) mergeFiles(found []Finding) {
	for _, f := range found {
		t.settle()
		if t.same[f.Path] == "" || !t.exact(f.Path) {
			continue
		}
		stays, goes := t.copyOf(f.Path)
		led := map[*page][]int{} // the lines of indexes that lead to what goes
		for index := range t.indexes {
			for _, r := range index.refs {
				if t.target(r) == goes {
					led[index] = append(led[index], r.Line)
				}
			}
		}
		t.relead(goes.Path, stays.Path)
		for index := range t.indexes {
			t.joinPointers(index, stays, led[index])
		}
		if lines, more := keptHead(stays, goes); more {
			t.write(stays, lines)
		}
		if lines, more := keptComments(stays, goes); more {
			t.write(stays, lines)
		}
		if goes.Modified.Sub(stays.Modified) > time.Minute && t.free(stays) {
			stays.Modified = goes.Modified // the newest of what it holds
			t.retimed[stays.Path] = true
		}
		t.drop(goes)
		if t.was[goes.Path] != nil { // and not made by an earlier pass
			t.report.Merged = append(t.report.Merged, Merge{goes.Path, stays.Path})
		}
	}
}

// joinPointers makes one line of those of an index that lead to a page, where some of them, counted from 1,
// led to a copy of it. What these say that the first one doesn't goes to its end.
func (t *tree) joinPointers(index, to *page, copies []int) {
	first := slices.IndexFunc(index.refs, func(r Ref) bool {
		return t.target(r) == to && !slices.Contains(copies, r.Line)
	})
	if first < 0 && len(copies) > 1 {
		first = slices.IndexFunc(index.refs, func(r Ref) bool { return r.Line == copies[0] })
	}
	if first < 0 || !t.free(index) {
		return
	}
	at := index.refs[first].Line
	for _, line := range slices.Backward(copies) { // so that the lines above stay where they are
		a, b := index.refsOn(at), index.refsOn(line)
		if line == at || len(a) != 1 || len(b) != 1 || !t.removable(index, b[0]) {
			continue
		}
		if text, ok := joinedPointer(index, a[0], b[0]); ok {
			lines := slices.Clone(index.doc.Lines)
			lines[at-1].Text = text
			if t.write(index, without(lines, map[int]bool{line - 1: true})); line < at {
				at--
			}
		}
	}
}

// joinedPointer returns the line of an index that leads to a file, with what another line says that leads
// there. It is false if they have different forms, or if the line would become too long.
func joinedPointer(p *page, a, b Ref) (string, bool) {
	text := p.doc.Lines[a.Line-1].Text
	if a.Form != b.Form || a.Form == Loose || a.Anchor != b.Anchor {
		return "", false
	}
	if a.Form == Table {
		return joinedRow(text, p.doc.Lines[b.Line-1].Text, a, b)
	}
	says := func(said string) bool {
		return strings.Contains(" "+flatWords(text)+" ", " "+flatWords(said)+" ") || flatWords(said) == ""
	}
	more := b.Hook
	switch {
	case says(b.Hook) && says(b.Title):
		return text, true
	case says(b.Hook):
		more = b.Title
	case !says(b.Title):
		more = b.Title + ": " + b.Hook
	}
	hook := strings.TrimLeft(strings.TrimRight(a.Hook, " .;")+"; "+more, "; ")
	line, ok := pointer(a.Form, a.Title, a.path(), hook)
	return bulletOf(p.doc.Lines[a.Line-1]) + line[min(len(line), 1):], ok &&
		utf8.RuneCountInString(line) <= maxHook
}

// joinedRow does for two rows what joinedPointer does: each cell has what both say, and the date is the later
// one.
func joinedRow(text, other string, a, b Ref) (string, bool) {
	cells, more := markdown.CellTexts(text), markdown.CellTexts(other)
	_, at := refCell(cells)
	if _, too := refCell(more); at != too || len(cells) != len(more) {
		return "", false
	}
	for i, said := range more {
		switch {
		case i == at || strings.Contains(" "+flatWords(cells[i])+" ", " "+flatWords(said)+" ") ||
			flatWords(said) == "":
		case a.Date != "" && cells[i] == a.Date && said == b.Date:
			if was, ok := day(a.Date); ok {
				if is, ok := day(b.Date); ok && is.After(was) {
					cells[i] = said
				}
			}
		default:
			cells[i] = strings.TrimLeft(strings.TrimRight(cells[i], " .;")+"; "+said, "; ")
		}
	}
	line := markdown.PrintRow(cells)
	return line, utf8.RuneCountInString(line) <= maxHook
}

// keptHead returns the lines of a file with what only the frontmatter of its copy has, which goes: its name,
// as one of the aliases, its comments, and when it was last updated, if that is later. It is false if the
// copy has nothing of its own.
func keptHead(stays, goes *page) (lines []markdown.Line, more bool) {
	var add []string
	for _, l := range goes.doc.Lines[:goes.doc.Front.Lines] {
		if text := strings.TrimSpace(l.Text); strings.HasPrefix(text, "#") &&
			!slices.ContainsFunc(stays.doc.Lines[:stays.doc.Front.Lines], func(s markdown.Line) bool {
				return strings.TrimSpace(s.Text) == text
			}) {
			add = append(add, text)
		}
	}
	name, _ := goes.doc.Front.Get("name")
	own, _ := stays.doc.Front.Get("name")
	if name == "" {
		name = markdown.TrimExt(path.Base(goes.Path))
	}
	name = strings.NewReplacer("[", "", "]", "", ",", "").Replace(name)
	lines = slices.Clone(stays.doc.Lines)
	stem := flatWords(markdown.TrimExt(path.Base(stays.Path)))
	if flat := flatWords(name); flat != "copy" && flat != flatWords(own) && !strings.HasPrefix(flat, stem) &&
		flat != flatWords(stays.title()) {
		// Lines of one file that goes after another are below each other.
		if said, line := stays.doc.Front.Get("aliases"); line == 0 {
			add = append(add, "aliases: ["+markdown.Scalar(name)+"]")
		} else if text := strings.TrimRight(lines[line-1].Text, " \t"); strings.HasSuffix(text, "]") &&
			!strings.Contains(said, name) {
			lines[line-1].Text, more = text[:len(text)-1]+", "+markdown.Scalar(name)+"]", true
		}
	}
	was, line := Updated(stays.doc.Front)
	if at, from := Updated(goes.doc.Front); !was.IsZero() && at.After(was) {
		text := goes.doc.Lines[from-1].Text
		old := lines[line-1].Text
		if i, j := strings.Index(old, ":"), strings.Index(text, ":"); i > 0 && j > 0 {
			lines[line-1].Text, more = old[:i]+text[j:], true
		}
	}
	eol := stays.eol()
	if stays.doc.Front.Lines == 0 && len(add) > 0 {
		rule := markdown.Line{Text: "---", End: eol}
		lines = append([]markdown.Line{rule, rule, {End: eol}}, lines...)
	}
	for i, text := range add {
		lines = slices.Insert(lines, max(stays.doc.Front.Lines, 2)-1+i, markdown.Line{Text: text, End: eol})
	}
	return lines, more || len(add) > 0
}

// keptComments returns the lines of a file with the comments that only its copy has, which goes, each where
// it stood. It is false if the copy has none of its own.
func keptComments(stays, goes *page) (lines []markdown.Line, more bool) {
	known := map[string]bool{}
	var at []int // the lines of stays that are seen, as indices
	for u := range commentsOf(stays.doc) {
		if u.seen {
			at = append(at, u.from)
		}
		for _, c := range u.comments {
			known[c] = true
		}
	}
	lines = terminate(stays.doc.Lines, stays.eol())
	behind := map[int][]markdown.Line{} // what is put behind a line
	top, n := stays.doc.Front.Lines-1, 0
	for u := range commentsOf(goes.doc) {
		if u.seen {
			n++
		}
		fresh := slices.DeleteFunc(u.comments, func(c string) bool { return known[c] })
		if len(fresh) == 0 || n > len(at) {
			continue
		}
		line := top
		if more = true; n > 0 {
			line = at[n-1]
		}
		if u.seen {
			lines[line].Text += " " + strings.Join(fresh, " ")
			continue
		}
		above := u.from - 1
		if line == top && top >= 0 || above >= goes.doc.Front.Lines &&
			goes.doc.Lines[above].Kind == markdown.Blank {
			behind[line] = append(behind[line], markdown.Line{End: stays.eol()})
		}
		for _, l := range goes.doc.Lines[u.from:u.to] {
			behind[line] = append(behind[line], markdown.Line{Text: l.Text, End: stays.eol(), Kind: l.Kind})
		}
	}
	if !more {
		return stays.doc.Lines, false
	}
	out := slices.Clone(behind[-1])
	for i, l := range lines {
		out = append(append(out, l), behind[i]...)
	}
	return out, true
}

// A commented is a line that is seen, with the comments in it, or a comment by itself.
type commented struct {
	from, to int // its lines, as indices
	seen     bool
	comments []string
}

// commentsOf yields the lines below the frontmatter that are seen, and the comments, in order.
func commentsOf(d markdown.Doc) func(yield func(commented) bool) {
	return func(yield func(commented) bool) {
		for i := d.Front.Lines; i < len(d.Lines); {
			seen, comments := seenOf(d.Lines[i])
			u := commented{i, i + 1, seen != "", comments}
			if !u.seen && d.Lines[i].Kind == markdown.Comment {
				whole := strings.TrimSpace(d.Lines[i].Text)
				for !strings.Contains(whole, "-->") && u.to < len(d.Lines) {
					whole += "\n" + strings.TrimSpace(d.Lines[u.to].Text)
					u.to++
				}
				u.comments = []string{whole}
			}
			if i = u.to; (u.seen || len(u.comments) > 0) && !yield(u) {
				return
			}
		}
	}
}

// seenOf returns a line without its comments, "" for one that has nothing else, and the comments.
func seenOf(l markdown.Line) (seen string, comments []string) {
	switch l.Kind {
	case markdown.Code:
		return l.Text + "\n", nil
	case markdown.Blank:
		return "", nil
	}
	seen, comments = markdown.CutComments(l.Text)
	if l.Kind != markdown.Comment {
		return strings.TrimRight(seen, " \t"), comments
	}
	if len(comments) == 0 { // it goes over lines
		return "", nil
	}
	return strings.TrimSpace(seen), comments
}

// visible returns what is seen of some lines: without comments, and with one blank line in the place of
// several.
func visible(lines []markdown.Line) string {
	var b strings.Builder
	blank := false
	for _, l := range lines {
		seen, _ := seenOf(l)
		switch {
		case seen == "":
			blank = true
			continue
		case blank && b.Len() > 0:
			b.WriteByte('\n')
		}
		blank = false
		b.WriteString(seen + "\n")
	}
	return b.String()
}

// A copied statement is one that stands in another place too.
type copied struct {
	page  *page
	lines []int  // of the second place, as indices
	see   string // what stands there instead; "" for nothing
}

// again returns how the second of two places of a statement is removed, with all that belongs to it. In
// MEMORY.md, and in the section of the first place, its lines go. In another file a line that leads to the
// first place replaces them. It is false if something else belongs to it than in the first place, or if it
// belongs to something itself, or holds other lines together: a rule above its reasons, a numbered step, a
// line that introduces the next one, and the only statement of a file.
func (v *view) again(first, second *page, at, s statement) (copied, bool) {
	c := copied{page: second}
	lines := second.doc.Lines
	i := s.line - 1
	for j := i; j < s.end; j++ {
		c.lines = append(c.lines, j)
	}
	text := strings.TrimSpace(lines[i].Text)
	switch {
	case !v.free(second), at.whole != s.whole, strings.HasSuffix(s.text, ":"),
		markdown.IsException(text), markdown.IsIndented(lines[i].Text),
		lines[i].Kind == markdown.Item && text[0] >= '0' && text[0] <= '9':
		return c, false
	case first == second:
		return c, sameSection(second.doc, at.line-1, i) && !leadsReasons(second.doc, s.end)
	case second.role == l0:
		return c, true
	case leadsReasons(second.doc, s.end) || lines[i].Kind != markdown.Item:
		return c, false
	}
	others := 0
	for j, l := range lines {
		if isText(l) && !slices.Contains(c.lines, j) {
			others++
		}
	}
	see, ok := pointer(Link, plainTitle(first.title()), first.Path, "")
	c.see = markdown.Indent(lines[i].Text) + strings.Replace(see, "- ", "- see ", 1)
	return c, ok && others > 0
}

// leadsReasons reports whether the next line with text begins the reasons of the statement above it.
func leadsReasons(d markdown.Doc, next int) bool {
	for ; next < len(d.Lines); next++ {
		if d.Lines[next].Kind != markdown.Blank {
			return Label(d.Lines[next].Text, "why") || Label(d.Lines[next].Text, "how to apply")
		}
	}
	return false
}

// sameSection reports whether two lines stand below headings of the same names.
func sameSection(d markdown.Doc, i, j int) bool {
	for {
		a, level, title := d.HeadingAbove(i)
		b, other, also := d.HeadingAbove(j)
		switch {
		case a == b:
			return true
		case level != other || !strings.EqualFold(title, also):
			return false
		}
		i, j = outerLine(d, a, level), outerLine(d, b, level)
	}
}

// outerLine returns the index of the heading around a heading of that level, -1 for none.
func outerLine(d markdown.Doc, i, level int) int {
	for i--; i >= 0; i-- {
		if n := d.HeadingLevel(i); n > 0 && n < level {
			return i
		}
	}
	return -1
}

// mergeLines mends statements that stand in two places.
func (t *tree) mergeLines(found []Finding) {
	type change struct {
		gone map[int]bool
		see  map[int]string
	}
	changes := map[*page]*change{}
	t.twice(func(first, second *page, at, s statement, mends bool) {
		if !mends {
			return
		}
		c, _ := t.again(first, second, at, s)
		if changes[second] == nil {
			changes[second] = &change{map[int]bool{}, map[int]string{}}
		}
		ch := changes[second]
		for _, i := range c.lines {
			ch.gone[i] = true
		}
		if c.see != "" {
			ch.see[c.lines[0]] = c.see
			delete(ch.gone, c.lines[0])
		}
	})
	for name := range byFile(found) {
		p := t.at[name]
		ch := changes[p]
		if ch == nil {
			continue
		}
		lines := slices.Clone(p.doc.Lines)
		for i, see := range ch.see {
			lines[i].Text = see
		}
		if out := without(lines, ch.gone); p.role == l0 ||
			slices.ContainsFunc(out, isText) {
			t.write(p, out)
		}
	}
}
