package memdir

import (
	"path"
	"slices"
	"strings"
	"time"

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
		t.relead(goes.Path, stays.Path)
		if lines, more := keptHead(stays, goes); more {
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
