package memdir

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// archiveOf returns the path of the archive of a topic file for a year: of one that exists and can take
// more, else a new path.
func (v *view) archiveOf(p *page, year int) string {
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(p.Path, v.base), path.Ext(p.Path)), "/",
		"-")
	if strings.ContainsAny(name, " ()%<>[]|`#") || len(name) > 2*slugBytes {
		name = Slug(name)
	}
	if name == "" {
		name = "topic"
	}
	stem := v.base + "archive/" + name + "-archive-" + strconv.Itoa(year)
	for n := 1; ; n++ {
		to := stem + ".md"
		if n > 1 {
			to = stem + "-" + strconv.Itoa(n) + ".md"
		}
		q := v.at[to]
		switch {
		case q != nil && !q.odd && len(q.Bytes)+len(p.Bytes) < maxWritten && len(q.doc.Front.Faults) == 0 &&
			!q.doc.Open:
			return to
		case q == nil && v.low[strings.ToLower(to)] == "" && !v.under[to]:
			return to
		}
	}
}

// archive puts a text, with "\n" at the ends of its lines, at the end of an archive
// of a topic file.
func (t *tree) archive(p *page, to, text string) {
	q := t.at[to]
	if q == nil {
		title := markdown.TrimExt(path.Base(to))
		t.add(to, "# "+title+"\n\nFrom "+p.Path+", word for word.\n\n"+text, p)
		return
	}
	t.append(q, Parse([]byte(strings.ReplaceAll(text, "\n", q.eol()))).Lines)
	if p.Modified.After(q.Modified) {
		q.Modified = p.Modified // the newest of what it holds
	}
}

// LinkTo returns the target of a link in the file from that leads to the file to. Both are paths below the
// directory, with slashes.
func LinkTo(from, to string) string {
	up := strings.Count(from, "/")
	for dir := path.Dir(from) + "/"; up > 0 && dir != "./" &&
		strings.HasPrefix(to, dir[:strings.IndexByte(dir, '/')+1]); up-- {
		cut := strings.IndexByte(dir, '/') + 1
		dir, to = dir[cut:], to[cut:]
	}
	return strings.Repeat("../", up) + to
}

// overflow returns the entries that must go to the archives so that the rest of the file is short enough.
// The oldest go first, and they are returned in the order of the file. It is nil if the file can't become
// short enough, or if the profile has no archives.
func (v *view) overflow(p *page) []entry {
	if v.in != inTable || !v.free(p) || len(p.doc.Lines) <= v.Topic || len(p.doc.Front.Faults) > 0 ||
		p.doc.Open || p.ruled() {
		return nil
	}
	all := entriesOf(p.doc)
	byAge := slices.Clone(all)
	slices.SortStableFunc(byAge, func(a, b entry) int { return a.date.Compare(b.date) })
	left := len(p.doc.Lines)
	years := map[int]bool{}
	for i, e := range byAge {
		if year := e.date.Year(); !years[year] {
			years[year] = true
			if summaryOf(p.doc, LinkTo(p.Path, v.archiveOf(p, year))) < 0 {
				left += summaryLines + 1
			}
		}
		left -= e.to - e.from
		switch lines := p.doc.Lines; {
		case e.from > 0 && lines[e.from-1].Kind == markdown.Blank && e.to < len(lines) &&
			lines[e.to].Kind == markdown.Blank:
			left-- // one of the two goes as well
		case !e.section:
			left++ // one may come in its place
		}
		if left <= v.Topic {
			return oldest(all, i+1)
		}
	}
	return nil
}

// putAway moves entries of a file to the archives of their years, and leaves a
// summary for each.
func (t *tree) putAway(p *page, es []entry) {
	var years []int
	byYear := map[int][]entry{}
	gone := map[int]bool{}
	for _, e := range es {
		year := e.date.Year()
		if byYear[year] == nil {
			years = append(years, year)
		}
		byYear[year] = append(byYear[year], e)
		for i := e.from; i < e.to; i++ {
			gone[i] = true
		}
	}
	slices.Sort(years)
	doc := p.doc
	stamped, _ := p.lastStamp()
	lines := apart(terminate(doc.Lines, p.eol()), gone, p.eol())
	went := map[string]string{} // by the anchors of headings
	for _, year := range years {
		to := t.archiveOf(p, year)
		last := ""
		if q := t.at[to]; q != nil {
			_, _, last = q.doc.HeadingAbove(len(q.doc.Lines) - 1)
		}
		moved := doc
		moved.Lines = t.carried(doc.Lines, p.Path, to, nil)
		t.archive(p, to, quoted(moved, byYear[year], last))
		for _, e := range byYear[year] {
			for _, anchor := range headingsOf(doc.Lines[e.from:e.to]) {
				went[anchor] = to
			}
		}
		lines = t.summarise(p, lines, to)
	}
	t.write(p, lines)
	t.stampAgain(p, stamped)
	for _, anchor := range headingsOf(p.doc.Lines) {
		delete(went, anchor)
	}
	t.reanchor(p, func(anchor string) string { return went[anchor] })
}

// apart leaves lines out, with a blank one in their place where two others would
// become one part.
func apart(lines []markdown.Line, gone map[int]bool, eol string) []markdown.Line {
	lines = slices.Clone(lines)
	for i := 0; i < len(lines); i++ {
		if !gone[i] {
			continue
		}
		from := i
		for i+1 < len(lines) && gone[i+1] {
			i++
		}
		if from == 0 || i+1 == len(lines) {
			continue
		}
		a, b := lines[from-1], lines[i+1]
		if a.Kind != markdown.Blank && b.Kind != markdown.Blank && !(lists(a) && lists(b)) {
			delete(gone, i)
			lines[i] = markdown.Line{End: eol}
		}
	}
	return without(lines, gone)
}

func lists(l markdown.Line) bool { return l.Kind == markdown.Item || l.Kind == Pointer }

// quoted returns the text of some entries for an archive. An item comes with the heading above it, unless
// that is last, the last heading of the archive.
func quoted(d markdown.Doc, es []entry, last string) string {
	var b strings.Builder
	for _, e := range es {
		above := ""
		if !e.section {
			if above = e.above; above == "" {
				above = "Entries"
			}
		}
		if b.Len() > 0 && (e.section || above != last) {
			b.WriteString("\n")
		}
		if !e.section && above != last {
			b.WriteString("## " + above + "\n\n")
		}
		last = above
		for _, l := range d.Lines[e.from:e.to] {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// summaryLines is how many lines the summary of an archive has.
const summaryLines = 4

// archivedIn is the beginning of a summary's heading.
const archivedIn = "Archived: "

// summaryOf returns the index of the first line of the summary that leads to an archive. It is -1 if there
// is none in the form that summarise writes.
func summaryOf(d markdown.Doc, target string) int {
	for i := d.Front.Lines + summaryLines - 1; i < len(d.Lines); i++ {
		if strings.HasSuffix(d.Lines[i].Text, "]("+target+")") &&
			strings.HasPrefix(d.Lines[i].Text, "- Whole: [") &&
			strings.HasPrefix(d.Lines[i-1].Text, "- About: ") &&
			strings.Contains(d.Lines[i-2].Text, " entr") &&
			strings.HasPrefix(d.Lines[i-3].Text, "## "+archivedIn) {
			return i - 3
		}
	}
	return -1
}

// summarise returns the lines of a topic file with a summary of its archive: how many entries it holds, of
// which days, and their titles. It replaces an older summary, or goes to the end.
func (t *tree) summarise(p *page, lines []markdown.Line, to string) []markdown.Line {
	es := entriesOf(t.at[to].doc)
	if len(es) == 0 {
		return lines
	}
	first, last := es[0].date, es[0].date
	var titles []string
	for _, e := range es {
		if e.date.Before(first) {
			first = e.date
		}
		if e.date.After(last) {
			last = e.date
		}
		if e.title != "" {
			titles = append(titles, strings.TrimRight(shorten(plainHook(e.title), titleBytes), "."))
		}
	}
	span := "- " + strconv.Itoa(len(es)) + " entries, " + first.Format(time.DateOnly) + " to " +
		last.Format(time.DateOnly)
	if len(es) == 1 {
		span = "- 1 entry, " + first.Format(time.DateOnly)
	}
	about := "no titles"
	for i, title := range titles {
		if i == 0 {
			about = title
		} else if about += "; "; len(about)+len(title) > 2*saidBytes {
			about += "…"
			break
		} else {
			about += title
		}
	}
	target := LinkTo(p.Path, to)
	name := markdown.TrimExt(path.Base(to))
	put := []markdown.Line{}
	for _, text := range []string{"## " + archivedIn + strconv.Itoa(last.Year()), span, "- About: " + about,
		"- Whole: [" + name + "](" + target + ")"} {
		put = append(put, markdown.Line{Text: text, End: p.eol()})
	}
	d := markdown.Doc{Lines: lines, Front: p.doc.Front}
	if at := summaryOf(d, target); at >= 0 {
		return slices.Replace(slices.Clone(lines), at, at+summaryLines, put...)
	}
	if n := len(lines); n > 0 && strings.TrimSpace(lines[n-1].Text) != "" {
		lines = append(lines, markdown.Line{End: p.eol()})
	}
	return append(lines, put...)
}
