package memdir

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// sectionsOf returns the sections that a file can be split into: those below a heading of two hashes.
// Summaries of archives are left out.
func sectionsOf(d markdown.Doc) []markdown.Section {
	return slices.DeleteFunc(d.Sections(), func(s markdown.Section) bool {
		return markdown.HeadingLevel(d.Lines[s.At].Text) != 2 || strings.HasPrefix(s.Title, archivedIn)
	})
}

// undatedSections returns the sections that are no entries of a day.
func undatedSections(d markdown.Doc) []markdown.Section {
	return slices.DeleteFunc(sectionsOf(d), func(s markdown.Section) bool {
		_, ok := entryOf(s.Title)
		return ok
	})
}

// splits returns the sections that have to become files of their own. If the file holds everything, it is
// all of them. If the file is too long, it is the longest ones, until the rest is short enough. It is nil
// if the headings don't help.
func (v *view) splits(p *page) []markdown.Section {
	if !v.free(p) || len(p.doc.Front.Faults) > 0 || p.ruled() {
		return nil
	}
	all := sectionsOf(p.doc)
	if v.giant(p) {
		return undatedSections(p.doc)
	}
	n := len(p.doc.Lines)
	if len(all) == 0 || v.Topic == 0 || n <= v.Topic || len(all) == 1 && !saysBefore(p.doc, all[0].At) {
		return nil
	}
	byLength := slices.Clone(all)
	slices.Reverse(byLength) // of those that are as small, the last go, so that they stay together
	slices.SortStableFunc(byLength, func(a, b markdown.Section) int {
		return cmp.Compare(max(b.End-b.At, smallLines), max(a.End-a.At, smallLines))
	})
	left := n
	for i, s := range byLength {
		left -= s.End - s.At - 2 // "see" and a blank line
		if left <= v.Topic {
			out := byLength[:i+1]
			slices.SortFunc(out, func(a, b markdown.Section) int { return cmp.Compare(a.At, b.At) })
			return out
		}
	}
	if 2*left <= n {
		return all
	}
	return nil
}

// saysBefore reports whether there is text above a line, besides titles.
func saysBefore(d markdown.Doc, i int) bool {
	return slices.ContainsFunc(d.Lines[d.Front.Lines:i], isText)
}

// shortens reports whether a file that is too long can be made shorter.
func (v *view) shortens(p *page) bool { return len(v.overflow(p)) > 0 || len(v.splits(p)) > 0 }

// shortenTopics moves what is too much of a topic file to the archive, or to files of
// its own.
func (t *tree) shortenTopics(found []Finding) {
	for name := range byFile(found) {
		t.settle()
		p := t.at[name]
		if es := t.overflow(p); len(es) > 0 {
			t.putAway(p, es)
		} else if ss := t.splits(p); len(ss) > 0 {
			t.split(p, ss)
		}
	}
}

// split makes a topic file of each of some sections. A line that leads there is left
// in its place, and an index gets one as long as it has room.
func (t *tree) split(p *page, ss []markdown.Section) {
	doc, eol := p.doc, p.eol()
	src := *p // what a new file inherits
	stamped, _ := p.lastStamp()
	typ, _ := typeOfHead(doc.Front)
	if !known(typ) {
		typ = "reference"
	}
	var out []markdown.Line
	see := false // the last line leads to a new file
	add := func(l markdown.Line) {
		if see && l.Kind != markdown.Blank {
			out = append(out, markdown.Line{End: eol})
		}
		out, see = append(out, l), false
	}
	from := 0
	lines := terminate(doc.Lines, eol)
	called := map[string]*page{} // the new files, by the titles of their sections
	went := map[string]string{}  // and by the anchors of what is in them
	for _, run := range runs(doc, ss) {
		s, end := run[0], run[len(run)-1].End
		for _, l := range lines[from:s.At] {
			add(l)
		}
		from = end
		key := strings.ToLower(s.Title)
		made := called[key]
		if made != nil && len(run) == 1 { // a second part of it
			t.append(made, terminate(lines[s.At+1:trimEnd(doc, s.End)], eol))
			continue
		}
		made = t.topicOf(p, &src, run, typ)
		for _, s := range run {
			called[strings.ToLower(s.Title)] = made
		}
		for _, anchor := range headingsOf(lines[s.At:end]) {
			went[anchor] = made.Path
		}
		if n := len(out); !see && n > 0 && strings.TrimSpace(out[n-1].Text) != "" {
			out = append(out, markdown.Line{End: eol})
		}
		out, see = append(out, markdown.Line{Text: "- See [" + made.title() + "](" + t.beside(p, made) + ")",
			End: eol, Kind: Pointer}), true
	}
	for _, l := range lines[from:] {
		add(l)
	}
	section := func(anchor string) string { return went[anchor] }
	done := map[*page]bool{}
	for _, made := range called {
		if done[made] {
			continue
		}
		done[made] = true
		t.write(made, t.carried(made.doc.Lines, p.Path, made.Path, section))
		t.stampAgain(made, stamped)
	}
	t.write(p, t.carried(out, p.Path, p.Path, section))
	t.stampAgain(p, stamped)
	for _, anchor := range headingsOf(p.doc.Lines) {
		delete(went, anchor)
	}
	t.reanchor(p, section)
}

// beside returns the target of a link from a file to one in its own folder.
func (t *tree) beside(p, to *page) string {
	if name := path.Base(to.Path); t.at[name] == nil || path.Dir(p.Path) == "." {
		return name
	}
	return to.Path
}

// runs returns sections by the files that they become: many small ones right behind each other share one, as
// long as it stays short. One with a date in its heading has a file of its own.
func runs(d markdown.Doc, ss []markdown.Section) (out [][]markdown.Section) {
	var run []markdown.Section
	n := 0
	flush := func() {
		if len(run) >= manySmall {
			out = append(out, run)
		} else {
			for _, s := range run {
				out = append(out, []markdown.Section{s})
			}
		}
		run, n = nil, 0
	}
	for _, s := range ss {
		size := textLines(d.Lines[s.Body:s.End])
		_, dated := datedBy(s.Title)
		if len(run) > 0 && (run[len(run)-1].End != s.At || n+size > sharedLines) {
			flush()
		}
		if dated || size > smallLines {
			flush()
			out = append(out, []markdown.Section{s})
			continue
		}
		run, n = append(run, s), n+size
	}
	flush()
	return out
}

// topicOf makes a topic file of one section, or of several small ones, and a line that leads to it.
func (t *tree) topicOf(p, src *page, run []markdown.Section, typ string) *page {
	s := run[0]
	said := p.doc.Lines[s.At:trimEnd(p.doc, run[len(run)-1].End)]
	title := plainTitle(markdown.PlainText(s.Title))
	if e, ok := entryOf(s.Title); ok && e.title != "" {
		title = plainTitle(e.title)
	}
	if title == "" {
		title = nameOf(p.Path)
	}
	title = shorten(title, titleBytes)
	about := descriptionOf(title, said[1:])
	if len(run) > 1 {
		var all []*chunk
		for _, s := range run {
			all = append(all, &chunk{title: plainTitle(markdown.PlainText(s.Title))})
		}
		title, about = joined(all, titleBytes), joined(all, sharedBytes)
	}
	var b strings.Builder
	for i, l := range said {
		text := l.Text
		if i == 0 && len(run) == 1 {
			text = strings.Replace(text, "##", "#", 1)
		}
		b.WriteString(text + "\n")
	}
	name := title
	if len(run) == 1 && numberedOnly(title) {
		if below := titlesBelow(p.doc, s); below != "" {
			name = below
		}
	}
	made := t.newTopic(t.nameFor(p, name), title, about, typ, b.String(), src)
	if len(run) > 1 {
		delete(t.wrote, made.Path)
	}
	if index := t.pointable(); index != nil && (index.role == l1 || t.room() > tableHead) {
		t.point(index, made)
	}
	return made
}

// numberedOnly reports whether a title says only which part of a whole it is, such as "Area 2".
func numberedOnly(title string) bool {
	words := strings.FieldsFunc(strings.ToLower(title), notWord)
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.Trim(w, "0123456789") != "" && !vague(w) && !text.OneOf(w,
			"area part section chapter item block group teil abschnitt kapitel bereich punkt")
	})
}

// titlesBelow returns the titles of the headings right below a section's, as far as they fit into a name.
func titlesBelow(d markdown.Doc, s markdown.Section) string {
	var all []*chunk
	for _, below := range d.Sections() {
		if below.At > s.At && below.End <= s.End && below.Level == s.Level+1 {
			all = append(all, &chunk{title: plainTitle(markdown.PlainText(below.Title))})
		}
	}
	if len(all) == 0 {
		return ""
	}
	return joined(all, titleBytes)
}

// tableHead is as many lines as a routing table takes besides its rows.
const tableHead = 4

// nameFor returns the path of a new file beside another one, made of the names of both.
func (t *tree) nameFor(p *page, title string) string {
	folder, file := path.Split(p.Path)
	stem, name := strings.TrimSuffix(file, path.Ext(file)), Slug(title)
	if name == "" {
		name = "part"
	}
	if !vague(stem) && len(stem) <= slugBytes && !strings.HasPrefix(name, Slug(stem)) {
		name = stem + "-" + name
	}
	if isArchive(name+".md") || isDate(name[:min(len(name), len("2006-01-02"))]) {
		name += "-notes"
	}
	return t.freePath(name, folder)
}
