package memdir

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"keepsake/pkg/markdown"
)

// A chunk is a part of MEMORY.md that is moved into one topic file.
type chunk struct {
	to    *page // a file that is there already; nil for a new one
	name  string
	title string
	above string // the heading
	level int    // of it
	lines []markdown.Line
	about string // what its file is about, if that can't be told from the lines
	first int    // the line of the first of them, as an index
	last  int    // that of the last
}

// Where there are many small sections, they share a file as long as it stays short.
const (
	smallLines  = 5 // with text
	sharedLines = 40
	sharedBytes = 80 // of the description, which is a list of titles
	manySmall   = 4
)

// textLines returns how many of the lines say something.
func textLines(lines []markdown.Line) (n int) {
	for _, l := range lines {
		if isText(l) {
			n++
		}
	}
	return n
}

// gather gives many small chunks that become new files of one folder and type one file together, each below
// its own heading. One with a date in its heading has a file of its own, which is as old as that.
func (t *tree) gather(p *page, chunks []*chunk) {
	type kind struct {
		folder, typ string
		topical     bool
	}
	groups := map[kind][]*chunk{}
	var order []kind
	size, many := map[kind]int{}, map[kind]bool{}
	share := func(k kind) {
		group := groups[k]
		if many[k] = many[k] || len(group) >= manySmall; !many[k] || len(group) < 2 {
			return
		}
		title, about := joined(group, titleBytes), joined(group, sharedBytes)
		name := t.freePath(cmp.Or(Slug(title), "notes"), k.folder)
		for n := 2; slices.ContainsFunc(chunks, func(o *chunk) bool {
			return o.to == nil && strings.EqualFold(o.name, name)
		}); n++ {
			name = t.freePath(Slug(title)+"-"+strconv.Itoa(n), k.folder)
		}
		for _, ch := range group {
			ch.name = name
			if heading := plainTitle(markdown.PlainText(ch.above)); heading != "" {
				ch.lines = append([]markdown.Line{
					{Text: "## " + heading, End: p.eol(), Kind: markdown.Heading},
					{End: p.eol()},
				}, dedent(ch.lines)...)
			}
			ch.title, ch.about = title, about
		}
	}
	for _, ch := range chunks {
		_, dated := datedBy(ch.above)
		around := slices.ContainsFunc(chunks, func(o *chunk) bool {
			return o.first > ch.first && o.first < ch.last
		})
		if ch.to != nil || ch.title == "" || dated || around || textLines(ch.lines) > smallLines {
			continue
		}
		k := kind{t.place(ch.above), t.typeOf(ch.above, ch.level), !t.untopical(ch.above)}
		if n := textLines(ch.lines); size[k]+n > sharedLines {
			share(k)
			groups[k], size[k] = nil, 0
		}
		if groups[k] == nil && !slices.Contains(order, k) {
			order = append(order, k)
		}
		groups[k], size[k] = append(groups[k], ch), size[k]+textLines(ch.lines)
	}
	for _, k := range order {
		share(k)
	}
}

// joined returns the titles of some chunks in one text, as far as they fit.
func joined(chunks []*chunk, most int) string {
	all := chunks[0].title
	for _, ch := range chunks[1:] {
		if len(all)+len(", ")+len(ch.title) <= most {
			all += ", " + ch.title
		}
	}
	return shorten(all, most)
}

// extract takes what is no index out of MEMORY.md: what goes on below a line that
// leads to a file goes to the end of that file, the rest into topic files, one for
// each section, in whose place a line leads to it.
func (t *tree) extract([]Finding) {
	p := t.index()
	var chunks []*chunk
	gone := map[int]bool{}
	for _, c := range t.parts {
		ch := t.chunkFor(p, c, &chunks)
		last, from := -2, len(ch.lines)
		for _, i := range c.at {
			gone[i] = true
			l := p.doc.Lines[i]
			if n := len(ch.lines); n > 0 && i != last+1 &&
				(last == -2 || ch.lines[n-1].Kind != markdown.Blank) {
				ch.lines = append(ch.lines, markdown.Line{End: p.eol()})
			}
			if l.Kind == markdown.Row {
				l.Text = t.bareRow(p, c, i)
			}
			l.End = p.eol()
			ch.lines = append(ch.lines, l)
			last, ch.last = i, i
		}
		if ch.title != "" && from > 0 { // it stood below a line that stays, not below what is above it here
			dedent(ch.lines[from:])
		}
	}
	t.gather(p, chunks)
	puts := map[int]string{} // in the place of the first line that goes
	var orphans []*page
	led := t.linkedIn(p, gone)
	for _, ch := range chunks {
		to := ch.name
		if ch.to != nil {
			to = ch.to.Path
		}
		lines := t.carried(dedent(ch.lines), p.Path, to, t.wentTo(p, chunks, gone))
		lines = append(lines, t.carried(linkDefinitions(p.doc, lines, p.eol()), p.Path, to, nil)...)
		if ch.to != nil {
			now := append(t.headFor(ch), lines...)
			if ch.to.eol() != p.eol() {
				for i := range now {
					now[i].End = ch.to.eol()
				}
			}
			t.append(ch.to, now)
			continue
		}
		if t.at[ch.name] != nil { // made for an earlier chunk
			t.append(t.at[ch.name], lines)
			continue
		}
		said := markdown.Doc{Lines: lines}.Print()
		about := cmp.Or(ch.about, descriptionOf(ch.title, Parse(said).Lines))
		made := t.newTopic(ch.name, ch.title, about, t.typeOf(ch.above, ch.level),
			strings.ReplaceAll(string(said), "\r\n", "\n"), p)
		if ch.about != "" {
			delete(t.wrote, ch.name)
		}
		if line, _, at, ok := t.lineFor(p, ch.first, ch.name, ch.title, made.says(), ""); ok &&
			t.Form != Table {
			puts[at] = line
		} else {
			orphans = append(orphans, made)
		}
	}
	lines := terminate(p.doc.Lines, p.eol())
	for i, line := range puts {
		lines[i] = markdown.Line{Text: line, End: p.eol(), Kind: Pointer}
		delete(gone, i)
	}
	t.write(p, without(lines, gone))
	for _, o := range orphans {
		t.point(p, o)
	}
	for _, to := range led {
		if index := t.pointable(); index != nil && !t.listed(to.Path) && (index.role == l1 || t.room() > 0) &&
			t.listable(to) {
			t.point(index, to)
		}
	}
}

// headFor returns the heading under which a chunk goes to the end of a file that is
// there: its section's, where that file calls itself something else and has no heading
// of that name; else none.
func (t *tree) headFor(ch *chunk) []markdown.Line {
	called := func(title string) bool { return strings.EqualFold(markdown.PlainText(title), ch.title) }
	if ch.title == "" || t.untopical(ch.above) || called(ch.to.title()) ||
		slices.ContainsFunc(ch.to.doc.Body(), func(l markdown.Line) bool {
			return l.Kind == markdown.Heading && called(markdown.Title(l.Text))
		}) {
		return nil
	}
	return []markdown.Line{{Text: "## " + ch.title, End: ch.to.eol(), Kind: markdown.Heading},
		{End: ch.to.eol()}}
}

// linkedIn returns the topic files that links in some lines of an index lead to, in order.
func (t *tree) linkedIn(p *page, lines map[int]bool) (out []*page) {
	for i, l := range p.doc.Lines {
		if !lines[i] || l.Kind == markdown.Code {
			continue
		}
		markdown.ReplaceTargets(l.Text, func(target string) string {
			if leads(target) {
				if q := t.target(ref("", target)); q != nil && q.role == topic && !slices.Contains(out, q) {
					out = append(out, q)
				}
			}
			return target
		})
	}
	return out
}

// wentTo returns a function that finds the new file of what stood below a heading of an index, by the
// heading's anchor. It returns "" for a heading whose text stays.
func (t *tree) wentTo(p *page, chunks []*chunk, gone map[int]bool) func(anchor string) string {
	return func(anchor string) string {
		for i, l := range p.doc.Lines {
			if l.Kind != markdown.Heading || markdown.Anchor(markdown.Title(l.Text)) != anchor {
				continue
			}
			for _, ch := range chunks {
				if ch.title == "" || ch.first <= i {
					continue
				}
				if _, _, title := p.doc.HeadingAbove(ch.first); title == markdown.Title(l.Text) {
					if ch.to != nil {
						return ch.to.Path
					}
					return ch.name
				}
			}
		}
		return ""
	}
}

// linkDefinitions returns the reference definitions that the given lines use.
func linkDefinitions(d markdown.Doc, lines []markdown.Line, eol string) (out []markdown.Line) {
	for _, l := range d.Lines {
		label, _ := markdown.LinkDefinition(l.Text)
		if label == "" || !slices.ContainsFunc(lines, func(l markdown.Line) bool {
			return l.Kind != markdown.Code && strings.Contains(l.Text, "["+label+"]")
		}) {
			continue
		}
		if len(out) == 0 {
			out = append(out, markdown.Line{End: eol})
		}
		out = append(out, markdown.Line{Text: l.Text, End: eol, Kind: markdown.Paragraph})
	}
	return out
}

// chunkFor finds where a part of MEMORY.md goes.
func (t *tree) chunkFor(p *page, c part, chunks *[]*chunk) *chunk {
	i := c.at[0]
	if l := p.doc.Lines[i]; l.Kind == markdown.Continued || markdown.IsIndented(l.Text) {
		if to := t.pointedAbove(p, i); to != nil {
			if n := len(*chunks); n > 0 && (*chunks)[n-1].to == to && (*chunks)[n-1].title == "" {
				return (*chunks)[n-1]
			}
			ch := &chunk{to: to, first: i}
			*chunks = append(*chunks, ch)
			return ch
		}
	}
	_, level, above := p.doc.HeadingAbove(i)
	if level == 1 {
		above = t.topical(above)
	}
	for _, ch := range *chunks { // a heading gives one file, and one line that leads there
		if strings.EqualFold(ch.above, above) && ch.title != "" && (above != "" ||
			textLines(p.doc.Lines[ch.last+1:i]) == 0) {
			return ch
		}
	}
	name := Slug(above)
	title := plainTitle(markdown.PlainText(above))
	switch {
	case t.untopical(above) || name == "":
		title = titled(untimed(firstOf(p.doc.Lines[i : c.at[len(c.at)-1]+1])))
		name = Slug(title)
	case isArchive(name + ".md"), isDate(name[:min(len(name), 10)]), strings.EqualFold(name+".md", Index),
		strings.EqualFold(name+".md", overview):
		name = "notes-" + name
	}
	if name == "" {
		name, title = "from-memory", "From MEMORY.md"
	}
	title = shorten(title, titleBytes)
	folder := t.place(above)
	ch := &chunk{title: title, above: above, level: level, first: i}
	if to := t.topicFile(name, folder); to != nil {
		ch.to = to
	} else {
		ch.name = t.freePath(name, folder)
		for n := 2; slices.ContainsFunc(*chunks, func(o *chunk) bool {
			return o.to == nil && strings.EqualFold(o.name, ch.name)
		}); n++ {
			ch.name = t.freePath(name+"-"+strconv.Itoa(n), folder)
		}
	}
	*chunks = append(*chunks, ch)
	return ch
}

// titled returns a title for a statement: the text before its colon, else its first words.
func titled(said string) string {
	words := strings.Fields(said)
	if len(words) > 1 && isDate(strings.Trim(words[0], ":.,()")) {
		words = words[1:]
	}
	if before, _, ok := strings.Cut(strings.Join(words, " "), ": "); ok && len(before) > 2 &&
		len(strings.Fields(before)) <= 4 && !vague(before) {
		words = strings.Fields(before)
	}
	if rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return strings.Contains(w, "://")
	}); len(rest) > 0 {
		words = rest
	}
	t := strings.TrimRight(shorten(strings.Join(words[:min(len(words), 6)], " "), titleBytes), "…")
	if i := strings.LastIndex(t, " ("); i > 0 && !strings.Contains(t[i:], ")") {
		t = t[:i]
	}
	return plainTitle(t)
}

// pointedAbove returns the topic file that a pointer leads to if line i is below that pointer and goes on
// with it. It is nil if there is none.
func (t *tree) pointedAbove(p *page, i int) *page {
	for j := i - 1; j >= 0; j-- {
		switch l := p.doc.Lines[j]; {
		case l.Kind == Pointer && !isDeeper(l, p.doc.Lines[i]):
			return nil
		case l.Kind == Pointer:
			refs := p.refsOn(j + 1)
			if len(refs) != 1 {
				return nil
			}
			if q := t.target(refs[0]); t.free(q) && q.role == topic && len(q.doc.Front.Faults) == 0 &&
				len(q.Bytes)+
					len(p.Bytes) < maxWritten && !q.doc.Open {
				return q
			}
			return nil
		case l.Kind != markdown.Continued && l.Kind != markdown.Item && l.Kind != markdown.Code &&
			l.Kind != markdown.Quote && l.Kind != markdown.Blank:
			return nil
		}
	}
	return nil
}

// untopical reports whether a heading names no topic.
func (v *view) untopical(title string) bool {
	if v.in == inDensity && (strings.EqualFold(title, "user") || strings.EqualFold(title, "agent")) {
		return true // the folders
	}
	for w := range strings.FieldsSeq(strings.ToLower(title)) {
		w = strings.Trim(w, ".,:;!?()\"'`*_")
		switch w {
		case "", "index", "memory.md", "knowledge", "everything", "dump", "l0", "l1":
		case "todo", "data", "test", "docs":
			return false
		default:
			if !vague(w) {
				return false
			}
		}
	}
	return true
}

// topical returns the title of an index without the words at its beginning and end that only call it an
// index.
func (v *view) topical(title string) string {
	words := strings.Fields(title)
	form := func(w string) bool {
		return v.untopical(w) && (strings.ContainsFunc(w, unicode.IsLetter) || strings.Trim(w, "-—–:|") == "")
	}
	for len(words) > 0 && form(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && form(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// typeOf returns the type that the heading of a section names. The default is "reference": that type needs
// no reason, and its files are checked for their age.
func (v *view) typeOf(title string, level int) string {
	if level == 1 || v.untopical(title) && len(strings.Fields(title)) > 1 {
		return "reference" // "Project memory" is the title of all
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(title), notWord) {
		switch w {
		case "user", "feedback", "project", "reference":
			return w
		case "references":
			return "reference"
		}
	}
	return "reference"
}

// place returns the folder for a new topic file made from a section.
func (t *tree) place(section string) string {
	if len(t.Tree) == 0 {
		return ""
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(section), notWord) {
		switch w {
		case "preference", "preferences", "style", "habits":
			return t.base + "user/preferences/"
		case "pattern", "patterns", "lessons", "agent":
			return t.base + "agent/patterns/"
		}
	}
	return t.base + "user/entities/"
}

// topicFile returns the topic file of that name if more can be put at its end, else nil.
func (t *tree) topicFile(name, folder string) *page {
	p := t.at[folder+name+".md"]
	if !t.free(p) || p.role != topic || len(p.doc.Front.Faults) > 0 || len(p.Bytes) > maxWritten/2 ||
		p.doc.Open {
		return nil
	}
	return p
}

// freePath returns a path for a new file that no other file has.
func (t *tree) freePath(name, folder string) string {
	for n := 1; ; n++ {
		p := folder + name
		if n > 1 {
			p += "-" + strconv.Itoa(n)
		}
		p += ".md"
		if _, there := t.low[strings.ToLower(p)]; !there && t.at[p] == nil && !t.under[p] &&
			roleOf(p, t.base) == topic {
			return p
		}
	}
}

// newTopic makes a topic file as the profile wants it, of the age of the file that its text is from. text has
// "\n" at the ends of its lines.
func (t *tree) newTopic(name, title, description, typ, text string, from *page) *page {
	var b strings.Builder
	if len(t.Keys) > 0 {
		date := from.updated()
		switch {
		case date != "":
		case from.role == l0: // its time says nothing of its lines
			said := &page{doc: Parse([]byte("## " + title + "\n\n" + text))}
			date = cmp.Or(t.lastKnown(said), Unknown)
		case ageless(from.doc.Front):
			date = Unknown
		}
		b.WriteString("---\n")
		for _, k := range t.Keys {
			value := t.defaultOf(k, name, title, description, typ, date)
			if k != "last_updated" || value != "" {
				b.WriteString(k + ": " + value + "\n")
			}
		}
		if date != "" && from.role != l0 && !slices.Contains(t.Keys, "last_updated") {
			b.WriteString("last_updated: " + date + "\n")
		}
		b.WriteString("---\n\n")
	}
	if t.Title {
		b.WriteString("# " + title + "\n\n")
	}
	b.WriteString(text)
	made := t.add(name, b.String(), from)
	t.wrote[name] = described{description, made.text()}
	return made
}

// bareRow returns a row as it stands in a topic file. It becomes an item if the head of its table stays in
// the index.
func (t *tree) bareRow(p *page, c part, i int) string {
	top, _ := p.tableAt(i)
	if slices.Contains(c.at, top) || markdown.IsDelimiterRow(p.doc.Lines[i].Text) {
		return p.doc.Lines[i].Text
	}
	cells := slices.DeleteFunc(markdown.CellTexts(p.doc.Lines[i].Text), func(s string) bool {
		return s == ""
	})
	if len(cells) == 0 {
		return p.doc.Lines[i].Text
	}
	return "- " + strings.Join(cells, " — ")
}
