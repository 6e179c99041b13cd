package memdir

import (
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
)

// conclude shortens the parts of a topic file about topics that are done.
func (t *tree) conclude(p *page, k *Archived) {
	if p.doc.Open || p.ruled() {
		return
	}
	stamped, _ := p.lastStamp()
	defer func() { t.stampAgain(p, stamped) }()
	if status, _ := p.doc.Front.Get("status"); isDone(status) {
		body := p.doc.Body()
		at, own := p.concluded(t.dir.Now)
		title := "[" + at.Format(time.DateOnly) + "] " + p.title()
		if !own {
			title = p.title() + " " + AsOf(at)
		}
		to := t.archiveOf(p, at.Year())
		short := summary(body, true, LinkTo(p.Path, to), p.eol())
		if brief(body) || len(short) >= len(body) {
			return
		}
		t.keepWhole(p, to, "## "+title+"\n\n"+
			printed(t.carried(body, p.Path, to, nil)))
		k.Acts = append(k.Acts, Act{What: Completed, Path: p.Path, Title: p.title(), To: to})
		short = append(short, linkDefinitions(p.doc, short, p.eol())...)
		t.write(p, append(terminate(p.doc.Lines[:p.doc.Front.Lines], p.eol()), short...))
		return
	}
	var done []entry
	var shorts [][]markdown.Line
	for _, e := range entriesOf(p.doc) {
		body := p.doc.Lines[e.from:e.to]
		if !e.section || !sectionDone(body) || brief(body) {
			continue
		}
		to := t.archiveOf(p, e.date.Year())
		short := summary(body, false, LinkTo(p.Path, to), p.eol())
		if len(short) >= len(body) {
			continue
		}
		whole := slices.Concat(body, linkDefinitions(markdown.Doc{Lines: slices.Concat(p.doc.Lines[:e.from],
			p.doc.Lines[e.to:])}, body, p.eol()))
		t.keepWhole(p, to, printed(t.carried(whole, p.Path, to, wentWith(body, to))))
		k.Acts = append(k.Acts, Act{What: Completed, Path: p.Path, Title: e.title, To: to})
		others := slices.Concat(p.doc.Lines[:e.from], short, p.doc.Lines[e.to:])
		short = append(short, linkDefinitions(markdown.Doc{Lines: body}, others, p.eol())...)
		if e.to < len(p.doc.Lines) && p.doc.Lines[e.to].Kind != markdown.Blank {
			short = append(short, markdown.Line{End: p.eol()}) // what follows would go on with it
		}
		done, shorts = append(done, e), append(shorts, short)
	}
	lines := terminate(p.doc.Lines, p.eol())
	for i, e := range slices.Backward(done) { // so that the lines above stay where they are
		lines = slices.Replace(lines, e.from, e.to, shorts[i]...)
	}
	if len(done) > 0 {
		t.write(p, lines)
	}
}

// wentWith returns a function that finds the file of a heading by its anchor, as carried wants it: to for the
// headings of these lines, "" for all others.
func wentWith(lines []markdown.Line, to string) func(anchor string) string {
	return func(anchor string) string {
		if slices.ContainsFunc(lines, func(l markdown.Line) bool {
			return l.Kind == markdown.Heading && markdown.Anchor(markdown.Title(l.Text)) == anchor
		}) {
			return to
		}
		return ""
	}
}

// keepWhole puts a text at the end of an archive.
func (t *tree) keepWhole(p *page, to, text string) {
	t.settle()
	t.archive(p, to, text)
}

func printed(lines []markdown.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// concluded returns the day that a page gives as its last change, else the latest that a line of it begins
// with, else that of its time of modification, else now. own is false for the last two, by which it was over
// at the latest.
func (p *page) concluded(now time.Time) (at time.Time, own bool) {
	if at, ok := day(p.updated()); ok {
		return at, true
	}
	for _, l := range p.doc.Body() {
		if on, ok := dayAt(l.Text); ok && on.After(at) && !p.unlessToCome(on).IsZero() {
			at = on
		}
	}
	switch {
	case !at.IsZero():
		return at, true
	case p.Modified.IsZero():
		return now, false
	}
	return p.Modified, false
}

// isDone reports whether a status means done, and nothing else.
func isDone(status string) bool {
	done := strings.Contains(status, "✅")
	for w := range strings.FieldsSeq(strings.ToLower(status)) {
		switch w = strings.Trim(w, "*_`.,;()[]✅"); {
		case w == "" || w == "on" || isDate(w):
		case w == "done" || w == "completed" || w == "finished":
			done = true
		default:
			return false
		}
	}
	return done
}

// sectionDone reports whether a section of a topic is done: by its status line, or without one by a mark in
// its heading.
func sectionDone(lines []markdown.Line) bool {
	for _, l := range lines[1:] {
		if name, value := fieldOf(l); name == "status" {
			return isDone(value)
		}
	}
	t := strings.TrimSpace(lines[0].Text)
	return strings.HasSuffix(t, "✅") || strings.HasPrefix(markdown.Title(t), "✅")
}

// The parts of the short form of a topic.
var fields = [...]string{"status", "key points", "decision", "follow-up", "why", "how to apply", "details"}

// leftOpen begin a line that says what is still to be done, as a follow-up does.
var leftOpen = [...]string{"open", "open question", "open questions", "open point", "open points", "todo",
	"to do"}

// fieldOf returns which part of a summary a line begins, and the text of the line; "" if it begins none. What
// is left open counts as a follow-up, as an open check box does.
func fieldOf(l markdown.Line) (name, value string) {
	if l.Kind != markdown.Item && l.Kind != Pointer && l.Kind != markdown.Paragraph &&
		l.Kind != markdown.Continued {
		return "", ""
	}
	t := strings.TrimSpace(l.Text)
	if s := markdown.ItemText(t); s != "" {
		t = s
	}
	if strings.HasPrefix(t, "[ ] ") {
		return "follow-up", t
	}
	t = strings.TrimLeft(t, "*_→ ")
	for _, f := range fields {
		if value, ok := behindName(t, f); ok {
			return f, value
		}
	}
	for _, f := range leftOpen {
		if value, ok := behindName(t, f); ok {
			return "follow-up", value
		}
	}
	return "", ""
}

// behindName returns what stands behind a name and a colon at the beginning of a line.
func behindName(line, name string) (value string, ok bool) {
	if len(line) <= len(name) || !strings.EqualFold(line[:len(name)], name) {
		return "", false
	}
	value, ok = strings.CutPrefix(strings.TrimLeft(line[len(name):], "*_ "), ":")
	return strings.Trim(value, "*_ "), ok
}

// keptLines is how many lines of a topic, besides its heading, are short enough.
const keptLines = 5

// brief reports whether a topic needs no shorter form, as it has few lines of text.
func brief(lines []markdown.Line) bool { return textLines(lines) <= keptLines }

// summary returns the short form of a topic: what holds of it, word for word and in its order, that it is
// done, and where its whole text is. Only the lines that tell how it came about are left out. If nothing else
// is said, the first of them stays as the key point.
func summary(lines []markdown.Line, file bool, whole, eol string) []markdown.Line {
	gone := storyLines(lines)
	if len(gone) == 0 {
		return lines
	}
	var told []markdown.Line
	for i, l := range lines {
		if gone[i] {
			told = append(told, l)
		}
		if label, _ := markdown.LinkDefinition(l.Text); label != "" && l.Kind != markdown.Code {
			gone[i] = true // those that are used are put at the end
		}
	}
	out := apart(terminate(lines, eol), gone, eol)
	var put []string
	if !slices.ContainsFunc(out, func(l markdown.Line) bool {
		name, value := fieldOf(l)
		return name == "status" && (!file || strings.Contains(strings.ToLower(value), "done"))
	}) {
		put = append(put, "Status: done ✅")
	}
	if !slices.ContainsFunc(out, func(l markdown.Line) bool {
		name, _ := fieldOf(l)
		return isText(l) && name != "status" && name != "details" && !markdown.IsStamp(l.Text)
	}) {
		if said := firstOf(told); said != "" {
			put = append(put, "Key points: "+shorten(said, 2*saidBytes))
		}
	}
	at := belowTitle(out)
	if file && at > 0 && at < len(out) && out[at].Kind == markdown.Blank {
		at++
	}
	out = insertParagraph(out, at, put, eol)
	link := "→ Details: [" + markdown.TrimExt(path.Base(whole)) + "](" + whole + ")"
	if slices.ContainsFunc(out, func(l markdown.Line) bool { return l.Text == link }) {
		return out
	}
	return insertParagraph(out, trimEnd(markdown.Doc{Lines: out}, len(out)), []string{link}, eol)
}

// belowTitle returns the index of the line behind the heading that a topic begins with, and behind its
// status.
func belowTitle(lines []markdown.Line) (at int) {
	for i, l := range lines {
		name, _ := fieldOf(l)
		switch {
		case l.Kind == markdown.Blank:
		case l.Kind == markdown.Heading && (at == 0 || markdown.IsUnderline(strings.TrimSpace(l.Text))),
			name == "status":
			at = i + 1
		default:
			return at
		}
	}
	return at
}

// insertParagraph puts lines before the line at. They go on with the status or the key points above them;
// from all else but the title a blank line sets them apart.
func insertParagraph(lines []markdown.Line, at int, texts []string, eol string) []markdown.Line {
	if len(texts) == 0 {
		return lines
	}
	var put []markdown.Line
	if at > 0 {
		above := lines[at-1]
		title := above.Kind == markdown.Heading && at == belowTitle(lines)
		name, _ := fieldOf(above)
		goesOn := above.Kind == markdown.Paragraph && (name == "status" || name == "key points")
		if !title && !goesOn && above.Kind != markdown.Blank {
			put = append(put, markdown.Line{End: eol})
		}
	}
	for _, t := range texts {
		put = append(put, markdown.Line{Text: t, End: eol, Kind: markdown.Paragraph})
	}
	if at < len(lines) && lines[at].Kind != markdown.Blank {
		put = append(put, markdown.Line{End: eol})
	}
	return slices.Insert(slices.Clone(lines), at, put...)
}
