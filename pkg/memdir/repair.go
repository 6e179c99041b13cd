package memdir

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
)

// retarget returns a line of an index with another target. It is false if the line can't be changed safely.
func (v *view) retarget(p *page, r Ref, to string) (string, bool) {
	text := p.doc.Lines[r.Line-1].Text
	if len(p.refsOn(r.Line)) != 1 || strings.ContainsAny(to, "%`|<>") || strings.ContainsAny(to, " ()") &&
		!strings.Contains(text, "<") {
		return "", false
	}
	if i := strings.LastIndex(text, r.Target); i >= 0 {
		now := text[:i] + to + text[i+len(r.Target):]
		if refs := refsOfLine(now, p.doc.Lines[r.Line-1].Kind); len(refs) == 1 {
			if got, there, _ := v.lead(refs[0].Target); there && got == to {
				return now, true
			}
		}
	}
	return "", false
}

func refsOfLine(text string, k markdown.Kind) []Ref {
	if k == markdown.Row {
		if r, ok := rowRef(markdown.CellTexts(text)); ok {
			return []Ref{r}
		}
		return nil
	}
	return refsOfItem(markdown.ItemText(text))
}

// refsOn returns the references of a line, which is counted from 1.
func (p *page) refsOn(line int) []Ref {
	from, _ := slices.BinarySearchFunc(p.refs, line, func(r Ref, line int) int { return r.Line - line })
	to := from
	for to < len(p.refs) && p.refs[to].Line == line {
		to++
	}
	return p.refs[from:to]
}

// elsewhereIs returns the file that a dangling reference means: one whose path differs only in case, or the
// only file of that name.
func (v *view) elsewhereIs(r Ref) (string, bool) {
	to := path.Clean(r.Target)
	if real := v.low[strings.ToLower(to)]; real != "" {
		return real, true
	}
	if v.named[path.Base(to)] != 1 {
		return "", false
	}
	for _, p := range v.pages {
		if path.Base(p.Path) == path.Base(to) {
			return p.Path, p.role == topic || p.role == archived
		}
	}
	return "", false
}

// lostName is the file that keeps what lines said whose files are gone.
const lostName = "lost-pointers"

// repairPointers mends lines that lead to no file. Where it is gone, what its line
// said goes to a topic file; a line that says no more than a name goes away.
func (t *tree) repairPointers(found []Finding) {
	for name, found := range byFile(found) {
		p := t.at[name]
		lines := slices.Clone(p.doc.Lines)
		gone := map[int]bool{}
		var lost []string
		for _, r := range p.refs {
			if !slices.ContainsFunc(found, func(f Finding) bool { return f.Line == r.Line }) {
				continue
			}
			if _, there, known := t.lead(r.Target); there || !known {
				continue
			}
			if real, ok := t.elsewhereIs(r); ok {
				if text, ok := t.retarget(p, r, real); ok {
					lines[r.Line-1].Text = text
				}
				continue
			}
			gone[r.Line-1] = true
			if s := p.saysWithout(r); s != "" {
				lost = append(lost, s)
			}
		}
		if len(lost) > 0 {
			t.keep(p, lost)
		}
		lines = without(lines, gone)
		t.write(p, lines)
	}
}

// removable reports whether the line of a reference to a missing file can be removed: it leads to nothing
// else, doesn't only mention the file, and nothing below belongs to it.
func (v *view) removable(p *page, r Ref) bool {
	l := p.doc.Lines[r.Line-1]
	if l.Kind == markdown.Row && r.Line < len(p.doc.Lines) &&
		markdown.IsDelimiterRow(p.doc.Lines[r.Line].Text) {
		return false // the head of a table
	}
	return len(p.refsOn(r.Line)) == 1 && !Mentions(l) &&
		p.doc.Extent(markdown.Block{From: r.Line - 1, To: r.Line, Kind: l.Kind}) == r.Line
}

// saysWithout returns the text of a line that leads to a file, for an item of a list. It is "" if the line
// has only a name besides its target.
func (p *page) saysWithout(r Ref) string {
	l := p.doc.Lines[r.Line-1]
	text := markdown.TrimMarks(l.Text)
	if l.Kind == markdown.Row {
		text = strings.Join(slices.DeleteFunc(markdown.CellTexts(l.Text), func(c string) bool {
			return c == ""
		}), " — ")
	}
	rest := text
	for _, cut := range []string{r.Target, r.Anchor, r.Date, markdown.TrimExt(path.Base(r.Target))} {
		if cut != "" {
			rest = strings.ReplaceAll(rest, cut, " ")
		}
	}
	if strings.Trim(r.Hook, "-—– .:|`*"+r.Date) == "" && IsFew(r.Title) &&
		len(strings.FieldsFunc(rest, notWord)) <= len(strings.FieldsFunc(r.Title, notWord)) {
		return ""
	}
	return text
}

func notWord(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// keep puts statements into the file of lost pointers.
func (t *tree) keep(from *page, items []string) {
	text := "- " + strings.Join(items, "\n- ") + "\n"
	p := t.topicFile(lostName, t.place(""))
	if p == nil {
		name := t.freePath(lostName, t.place(""))
		t.newTopic(name, "Lost pointers", "What lines of an index said whose files are gone", "reference",
			text, from)
		delete(t.wrote, name) // its description is no part of it
		return
	}
	t.append(p, Parse([]byte(strings.ReplaceAll(text, "\n", p.eol()))).Lines)
}

// mergePointers removes lines of an index that say again what one above says.
func (t *tree) mergePointers(found []Finding) {
	for name, found := range byFile(found) {
		gone := map[int]bool{}
		for _, f := range found {
			gone[f.Line-1] = true
		}
		p := t.at[name]
		t.write(p, without(p.doc.Lines, gone))
	}
}
