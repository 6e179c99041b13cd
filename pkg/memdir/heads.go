package memdir

import (
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// updated returns the date in a page's frontmatter on which it was last updated, "" if there is none.
func (p *page) updated() string {
	if at, _ := Updated(p.doc.Front); !at.IsZero() {
		return at.Format(time.DateOnly)
	}
	return ""
}

// lastKnown returns the day on which a page was last known to be true, by what is in it or leads to it: its
// last stamp, else its row in the routing table, else its newest dated entry, else git's newest date of its
// lines. It is "" if none of these tells. When the file was written tells nothing, but no date is later.
func (v *view) lastKnown(p *page) string {
	if at, _ := p.lastStamp(); !at.IsZero() {
		return at.Format(time.DateOnly)
	}
	known := func(at time.Time) bool {
		return !at.IsZero() && (p.Modified.IsZero() || daysAgo(at, p.Modified) >= 0) && !at.After(v.dir.Now)
	}
	if index := v.index(); index != nil {
		for _, r := range index.refs {
			if at, ok := day(r.Date); ok && known(at) && v.target(r) == p {
				return at.Format(time.DateOnly)
			}
		}
	}
	newest := time.Time{}
	later := func(at time.Time) {
		if known(at) && at.After(newest) {
			newest = at
		}
	}
	for _, e := range entriesOf(p.doc) {
		later(e.date)
	}
	for i := range p.doc.Lines {
		if p.doc.HeadingLevel(i) > 0 {
			if at, ok := datedBy(markdown.Title(p.doc.Lines[i].Text)); ok {
				later(at)
			}
		}
	}
	if newest.IsZero() && !slices.ContainsFunc(p.Written, time.Time.IsZero) { // all of it is committed
		for _, at := range p.Written {
			later(at)
		}
	}
	if newest.IsZero() {
		return ""
	}
	return newest.Format(time.DateOnly)
}

// defaultOf returns a value for a key of frontmatter, as YAML.
func (v *view) defaultOf(key, file, title, description, typ, date string) string {
	name := markdown.TrimExt(path.Base(file))
	switch key {
	case "name":
		return markdown.Scalar(markdown.PlainText(name))
	case "description":
		return markdown.Scalar(description)
	case "type":
		return typ
	case "last_updated":
		return date
	case "topics":
		return "[" + markdown.Scalar(strings.NewReplacer(",", "", "[", "", "]", "", ":", "", "#",
			"").Replace(markdown.PlainText(title))) + "]"
	}
	return ""
}

// fields returns the keys that a page lacks, each with a value that needs no judgement. It is false if a
// key has no such value.
func (v *view) fields(p *page) (lacks [][2]string, ok bool) {
	description := p.says()
	if description == "" {
		description = untimed(p.title() + ": " + gloss(withoutHead(p.doc.Body())))
	}
	typ := typeByName(p.Path)
	if folder := strings.TrimSuffix(strings.ToLower(path.Base(path.Dir(p.Path))), "s"); typ == "" &&
		known(folder) {
		typ = folder
	}
	if typ == "" {
		typ = "reference"
	}
	date := v.lastKnown(p)
	keys := v.Keys
	if p.doc.Front.Lines == 0 && len(keys) > 0 {
		// A file that nobody knew the age of doesn't look newer for its frontmatter.
		date = Unknown
		if !slices.Contains(keys, "last_updated") {
			keys = append(slices.Clone(keys), "last_updated")
		}
	}
	for _, k := range keys {
		if valueOf(p.doc.Front, k) != "" {
			continue
		}
		value := v.defaultOf(k, p.Path, p.title(), description, typ, date)
		if k == "last_updated" && value == "" {
			continue // nobody knows it
		}
		if value == "" || value == `""` || value == "[]" || value == `[""]` || k == "description" &&
			firstOf(withoutHead(p.doc.Body())) == "" {
			return nil, false
		}
		lacks = append(lacks, [2]string{k, value})
	}
	return lacks, true
}

// completed returns the lines of a page with all keys in its frontmatter. It is false if nothing is
// missing, a value can't be worked out, or the page can't be changed.
func (v *view) completed(p *page) ([]markdown.Line, bool) {
	lacks, ok := v.fields(p)
	if !ok || len(lacks) == 0 || len(p.doc.Front.Faults) > 0 || !v.free(p) {
		return nil, false
	}
	eol := p.eol()
	lines := p.doc.Lines
	if p.doc.Front.Lines == 0 {
		head := []markdown.Line{{Text: "---", End: eol}}
		for _, f := range lacks {
			head = append(head, markdown.Line{Text: f[0] + ": " + f[1], End: eol})
		}
		head = append(head, markdown.Line{Text: "---", End: eol})
		if len(lines) > 0 && lines[0].Kind != markdown.Blank {
			head = append(head, markdown.Line{End: eol})
		}
		lines = append(head, lines...)
	} else {
		lines = slices.Clone(p.doc.Lines)
		end := p.doc.Front.Lines - 1
		for _, f := range lacks {
			i := slices.IndexFunc(p.doc.Front.Fields, func(g markdown.Field) bool { return g.Key == f[0] })
			if i >= 0 {
				at := p.doc.Front.Fields[i].Line - 1
				if markdown.ParseKey(lines[at].Text) != f[0] || strings.TrimSpace(lines[at].Text) != f[0]+
					":" {
					return nil, false // it says that there is no value
				}
				lines[at].Text = strings.TrimRight(lines[at].Text, " \t") + " " + f[1]
				continue
			}
			lines = slices.Insert(lines, end, markdown.Line{Text: f[0] + ": " + f[1], End: eol})
			end++
		}
	}
	d := p.doc
	d.Lines = lines
	now := Parse(d.Print())
	lacking := slices.DeleteFunc(v.lacks(now.Front), func(k string) bool {
		return k == "last_updated"
	})
	return lines, len(lacking) == 0 && len(now.Front.Faults) == 0
}

// completeHeads adds frontmatter, the keys that it lacks, and puts types and dates
// into the form that readers know.
func (t *tree) completeHeads(found []Finding) {
	for name, found := range byFile(found) {
		p := t.at[name]
		for _, f := range found {
			if f.Rule != "head-type" && f.Rule != "head-date" {
				continue
			}
			lines := slices.Clone(p.doc.Lines)
			if text, ok := p.mendedValue(f.Line - 1); ok {
				lines[f.Line-1].Text = text
				t.write(p, lines)
			}
		}
		if lines, ok := t.completed(p); ok {
			had, _ := p.doc.Front.Get("description")
			t.write(p, lines)
			if said, _ := p.doc.Front.Get("description"); had == "" {
				t.wrote[p.Path] = described{said, p.text()}
			}
		}
	}
}

// mendedValue returns a line of frontmatter with its type or date in the right form.
func (p *page) mendedValue(i int) (string, bool) {
	text := p.doc.Lines[i].Text
	at := slices.IndexFunc(p.doc.Front.Fields, func(f markdown.Field) bool { return f.Line == i+1 })
	if at < 0 {
		return "", false
	}
	f := p.doc.Front.Fields[at]
	now := ""
	switch f.Key {
	case "type": // metadata.type is the client's
		now = strings.ToLower(f.Value)
	case "last_updated":
		if d, ok := otherDate(f.Value); ok {
			now = d.Format(time.DateOnly)
		}
	}
	colon := strings.Index(text, ":")
	if now == "" || colon < 0 || !strings.Contains(text[colon:], f.Value) {
		return "", false
	}
	return text[:colon] + strings.Replace(text[colon:], f.Value, now, 1), true
}

// mendHeads makes frontmatter readable, where that loses nothing.
func (t *tree) mendHeads(found []Finding) {
	for name := range byFile(found) {
		p := t.at[name]
		if lines, ok := p.readable(); ok {
			t.write(p, lines)
		}
	}
}

// readable returns the lines of a page with its frontmatter and its quotations closed and its tabs made
// spaces. It is false if something else is wrong, too.
func (p *page) readable() ([]markdown.Line, bool) {
	lines := slices.Clone(p.doc.Lines)
	for _, f := range p.doc.Front.Faults {
		l := &lines[f.Line-1]
		switch {
		case p.doc.Front.Lines == 0:
			end := 1
			for end < len(lines) && markdown.ParseKey(lines[end].Text) != "" &&
				(lines[end].Text[0] != '-' && lines[end].Text[0] != '#') {
				end++
			}
			if end < len(lines) && strings.TrimSpace(lines[end].Text) != "" {
				return nil, false
			}
			lines = slices.Insert(terminate(lines, p.eol()), end, markdown.Line{Text: "---", End: p.eol()})
		case strings.HasPrefix(f.Why, "a quotation"):
			v := strings.TrimSpace(l.Text[strings.Index(l.Text, ":")+1:])
			l.Text = strings.TrimRight(l.Text, " \t") + v[:1]
		case strings.Contains(f.Why, "tab"):
			indent := markdown.Indent(l.Text)
			l.Text = strings.ReplaceAll(indent, "\t", "  ") + l.Text[len(indent):]
		default:
			return nil, false
		}
	}
	d := p.doc
	d.Lines = lines
	now := Parse(d.Print())
	return lines, now.Front.Lines > 0 && len(now.Front.Faults) == 0
}

// addTitles puts "# Title" above files that begin without one.
func (t *tree) addTitles(found []Finding) {
	for name := range byFile(found) {
		p := t.at[name]
		eol := p.eol()
		put := []markdown.Line{{Text: "# " + nameOf(name), End: eol}, {End: eol}}
		lines := p.doc.Lines
		if p.doc.Front.Lines > 0 {
			lines = terminate(lines, eol)
			if p.doc.Lines[p.doc.Front.Lines-1].End == "" {
				continue
			}
			if p.doc.Front.Lines < len(lines) && lines[p.doc.Front.Lines].Kind != markdown.Blank {
				put = append([]markdown.Line{{End: eol}}, put...)
			} else {
				put = append([]markdown.Line{{End: eol}}, put[:1]...)
			}
		}
		t.write(p, slices.Insert(slices.Clone(lines), p.doc.Front.Lines, put...))
	}
}
