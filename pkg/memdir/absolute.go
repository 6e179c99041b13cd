package memdir

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
	"keepsake/pkg/text/date"
)

// datesAbsolute writes days in the place of what is relative to one that is known.
func (t *tree) datesAbsolute(found []Finding) {
	for name, found := range byFile(found) {
		p := t.at[name]
		lines, written := slices.Clone(p.doc.Lines), p.Written
		for _, f := range found {
			lines[f.Line-1].Text = p.absoluteLine(f.Line - 1)
		}
		t.write(p, lines)
		p.Written = written // each line is where it was
	}
}

// Absolute returns a text of one line that is said now, with days in the place of what is relative to
// now. What can be read in more than one way stays.
func Absolute(text string, now time.Time) string {
	p := &page{File: File{Written: []time.Time{now}}, doc: Parse([]byte(text))}
	if len(p.doc.Lines) != 1 {
		return text
	}
	return p.absoluteLine(0)
}

// absoluteLine returns a line with days in the place of what is relative to one that is known.
func (p *page) absoluteLine(i int) string {
	text := p.doc.Lines[i].Text
	for _, s := range slices.Backward(p.spotsAt(i)) {
		if now, ok := p.absolute(i, s); ok {
			text = text[:s.from] + now + text[s.to:]
		}
	}
	return text
}

// byFile yields each file with its findings, in the order in which the files are first named.
func byFile(found []Finding) iter.Seq2[string, []Finding] {
	var names []string
	of := map[string][]Finding{}
	for _, f := range found {
		if of[f.Path] == nil {
			names = append(names, f.Path)
		}
		of[f.Path] = append(of[f.Path], f)
	}
	return func(yield func(string, []Finding) bool) {
		for _, name := range names {
			if !yield(name, of[name]) {
				return
			}
		}
	}
}

// absolute returns the text that replaces the relative date s of line i. It is false if the day on which
// the line was written isn't known, or if the words can be read in more than one way.
func (p *page) absolute(i int, s spot) (string, bool) {
	text := p.doc.Lines[i].Text
	if !s.exact || p.Path != "" && (p.unsure(text) || asks(text)) {
		return "", false
	}
	at, clock := p.writtenAt(i, s.from)
	if at.IsZero() {
		return "", false
	}
	words := strings.Fields(lower(text[s.from:s.to]))
	now, bare := inWords(words, at, clock, lower(text))
	if now == "" {
		return "", false
	}
	before := strings.TrimRight(text[:s.from], " \t")
	last := lower(before[strings.LastIndexAny(before, " \t")+1:])
	if last == "the" || last == "past" || last == "than" {
		return "", false // "over the last year" is a span, "older than yesterday" is so every day
	}
	of := strings.HasPrefix(text[s.to:], "'s") || strings.HasPrefix(text[s.to:], "’s")
	if of && !isDate(now) {
		return "", false // "the week of 2026-03-02's numbers" is no English
	}
	alone := p.doc.Lines[i].Kind == markdown.Row && last == "|" &&
		strings.HasPrefix(strings.TrimSpace(text[s.to:]), "|")
	switch {
	case of, alone, preposition(last), bare:
	case strings.HasPrefix(now, "the week"), strings.HasPrefix(now, "the night"),
		len(now) < len(time.DateOnly):
		now = "in " + now
	default:
		now = "on " + now
	}
	if c := text[s.from]; c >= 'A' && c <= 'Z' {
		now = strings.ToUpper(now[:1]) + now[1:]
	}
	return now, true
}

func preposition(w string) bool {
	return text.OneOf(w, "on in at by until till since from before after of to for during as through than")
}

// inWords returns the absolute form of a relative date, "" if it may mean more than one day. at is when the
// line was written, and clock reports whether its time of day is known. bare reports whether the form needs
// no preposition.
func inWords(words []string, at time.Time, clock bool, line string) (out string, bare bool) {
	phrase := strings.Join(words, " ")
	today := at.Format(time.DateOnly)
	switch phrase {
	case "tonight", "this evening":
		return "the evening of " + today, false
	case "this morning":
		return "the morning of " + today, false
	case "this afternoon":
		return "the afternoon of " + today, false
	case "last night":
		return "the night to " + today, false
	}
	if words[len(words)-1] == "ago" {
		return ago(words, at, clock)
	}
	own := date.FromMonday(at)
	day, isDay := date.Weekday(words[len(words)-1])
	switch {
	case !isDay:
	case words[0] == "by" && day != own && !past(line):
		s, _ := date.Read(words[1], at)
		return "by " + s.First.Format(time.DateOnly), true
	case words[0] == "since" && day != own:
		return "since " + at.AddDate(0, 0, -((own-day+7)%7)).Format(time.DateOnly), true
	// Said of a day that this week still has, "next Friday" may mean it or that of
	// the week after; and so backwards.
	case words[0] == "next" && day > own, words[0] == "last" && day < own, words[0] == "this" && day < own:
		return "", false
	}
	if s, ok := date.Read(phrase, at); ok {
		return spanOf(s, words[len(words)-1]), false
	}
	if len(words) != 2 {
		return "", false
	}
	step, known := map[string]int{"last": -1, "this": 0, "next": 1}[words[0]]
	if !known {
		return "", false
	}
	// Days of the month aren't counted: a month before the 31st there may be none.
	month := func(n int) string {
		return time.Date(at.Year(), at.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
	}
	if m := slices.Index(months[:], words[1]); m >= 0 {
		own := int(at.Month()) - 1
		switch {
		case step == 0:
			return month(m - own), false
		case step > 0 && m <= own:
			return month(12 + m - own), false
		case step < 0 && m >= own:
			return month(m - own - 12), false
		}
	}
	return "", false
}

var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august",
	"september",
	"october", "november", "december"}

// spanOf returns how a span is written: as a day, or as the unit that its phrase ends in.
func spanOf(s date.Span, unit string) string {
	switch {
	case s.First.Equal(s.Last):
		return s.First.Format(time.DateOnly)
	case unit == "week":
		return "the week of " + s.First.Format(time.DateOnly)
	case unit == "month":
		return s.First.Format("2006-01")
	case unit == "quarter":
		return fmt.Sprintf("%d-Q%d", s.First.Year(), (s.First.Month()+2)/3)
	}
	return strconv.Itoa(s.First.Year())
}

// past reports whether a line has a verb in the past tense.
func past(line string) bool {
	return slices.ContainsFunc(wordsOf(line), func(w word) bool {
		return text.OneOf(w.text, "was were had did came went got began broke")
	})
}

// ago returns the date that "three weeks ago" means, no more exact than the unit, and whether it needs no
// preposition. It is "" if it can't be worked out.
func ago(words []string, at time.Time, clock bool) (string, bool) {
	n, ok := date.Count(words[0])
	if !ok || n < 1 || len(words) != 3 {
		return "", false
	}
	switch strings.TrimSuffix(words[1], "s") {
	case "minute":
		if clock {
			return at.Add(-time.Duration(n) * time.Minute).Format(time.DateOnly), false
		}
	case "hour":
		if clock {
			return at.Add(-time.Duration(n) * time.Hour).Format(time.DateOnly), false
		}
	case "day":
		return at.AddDate(0, 0, -n).Format(time.DateOnly), false
	case "week":
		return "around " + at.AddDate(0, 0, -7*n).Format(time.DateOnly), true
	case "month":
		return "around " + time.Date(at.Year(), at.Month()-time.Month(n), 1, 0, 0, 0, 0,
			time.UTC).Format("2006-01"), true
	case "year":
		return "around " + strconv.Itoa(at.Year()-n), true
	}
	return "", false
}

// writtenAt returns when a line was written, the zero time if that isn't known. clock reports whether the
// time of day is known, too. Only a date that belongs to the very line counts: a stamp on the line before the
// byte from; the date at the beginning of its paragraph, or of the item above it; the stamp right below it;
// the one of the entry that its heading begins; git's date of the line. The date of the file says nothing of
// a line.
func (p *page) writtenAt(i, from int) (at time.Time, clock bool) {
	text := markdown.Clip(p.doc.Lines[i].Text)
	for _, w := range slices.Backward(wordsOf(lower(text[:min(from, len(text))]))) {
		if d, ok := stampAt(text, w); ok {
			return p.unlessToCome(d), false
		}
	}
	if i >= p.doc.Front.Lines {
		for _, own := range [...]func() (time.Time, bool){
			func() (time.Time, bool) { return begun(p.doc, i) },
			func() (time.Time, bool) { return p.stampBelow(i, false) },
			func() (time.Time, bool) { return p.entryAbove(i) },
		} {
			if d, ok := own(); ok {
				return p.unlessToCome(d), false
			}
		}
	}
	if i >= len(p.Written) || p.Reworded[i] ||
		!p.Modified.IsZero() && p.Written[i].Sub(p.Modified) > 24*time.Hour {
		return time.Time{}, false // a commit says nothing of lines that are older
	}
	return p.Written[i], !p.Written[i].IsZero()
}

// unlessToCome returns a day, or the zero time if it was to come when the file was written: its line is about
// that day and not of it.
func (p *page) unlessToCome(day time.Time) time.Time {
	if !p.Modified.IsZero() && day.After(p.Modified.Add(24*time.Hour)) {
		return time.Time{}
	}
	return day
}

// entryAbove returns the date of the entry that a heading above line i begins.
func (p *page) entryAbove(i int) (time.Time, bool) {
	for {
		at, level, title := p.doc.HeadingAbove(i)
		if level == 0 {
			return time.Time{}, false
		}
		if d, ok := datedBy(title); ok {
			return d, true
		}
		if i = outerLine(p.doc, at, level); i < 0 {
			return time.Time{}, false
		}
	}
}

// datedBy returns the day that a heading begins or ends with.
func datedBy(title string) (time.Time, bool) {
	if e, ok := entryOf(title); ok && !guesses(title) {
		return e.date, true
	}
	at, ok := dateIn(title)
	return at, ok && !guesses(title) && strings.HasSuffix(strings.TrimRight(title, ")]*_. "),
		at.Format(time.DateOnly))
}

// stampBelow returns the date of the stamp in line i, right below its block, or below its reasons. The mark
// of a replaced statement is none: it has the day on which that ceased to hold.
// With atLeast it may be the day before which the text was written.
func (p *page) stampBelow(i int, atLeast bool) (time.Time, bool) {
	for _, s := range p.stamps() {
		if s.line <= i || s.least && !atLeast || strings.Contains(p.doc.Lines[s.line-1].Text, NewerMark) {
			continue
		}
		if s.line == i+1 {
			return s.date, true
		}
		first, ended, reasons := p.doc.Lines[i], false, false
		for _, l := range p.doc.Lines[i+1 : s.line-1] {
			goesOn := l.Kind == markdown.Continued || isDeeper(first, l) ||
				l.Kind == markdown.Paragraph && (first.Kind == markdown.Paragraph || reasons)
			switch {
			case l.Kind == markdown.Blank:
				ended, reasons = true, false
			case strings.Contains(l.Text, NewerMark):
			case Label(l.Text, "why"), Label(l.Text, "how to apply"):
				reasons = true
			case ended && !reasons || !goesOn:
				return time.Time{}, false
			}
		}
		return s.date, true
	}
	return time.Time{}, false
}

// asks reports whether a line ends in a question mark.
func asks(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " *_)\""), "?") }

// unsure is guesses of a line of the page. A line may have any number of dates, and is read once.
func (p *page) unsure(line string) bool {
	if p.guessed != line {
		p.guessed, p.guesses = line, guesses(line)
	}
	return p.guesses
}

// guesses reports whether a text has a word of one who plans or isn't sure, so that its dates say nothing
// certain.
func guesses(s string) bool {
	s = lower(s)
	return strings.Contains(s, "planned:") || slices.ContainsFunc(wordsOf(s), func(w word) bool {
		return text.OneOf(w.text, "maybe perhaps possibly probably might hmm hm guess guessing think thinks "+
			"unsure plan plans planning idea ideas want wants should todo if hope hopes would could")
	})
}

// begun returns the date at the beginning of the paragraph of line i, or of an item above line i that
// contains it.
func begun(d markdown.Doc, i int) (time.Time, bool) {
	l := d.Lines[i]
	for j := i - 1; j >= d.Front.Lines; j-- {
		above := d.Lines[j]
		switch {
		case l.Kind == markdown.Paragraph:
			if above.Kind != markdown.Paragraph {
				return time.Time{}, false
			}
		case above.Kind == markdown.Heading, above.Kind == markdown.Paragraph, above.Kind == markdown.Break:
			return time.Time{}, false
		case l.Kind != markdown.Continued && !markdown.IsIndented(l.Text):
			return time.Time{}, false // below nothing
		case !lists(above) || l.Kind != markdown.Continued && !isDeeper(above, l):
			continue
		default:
			l = above
		}
		if at, ok := dayAt(above.Text); ok {
			return at, true
		}
	}
	return time.Time{}, false
}

// dayAt returns the date at the beginning of a line.
func dayAt(text string) (time.Time, bool) {
	t := strings.TrimLeft(markdown.Clip(markdown.TrimMarks(text)), "[(*_- ")
	if len(t) < len(time.DateOnly) {
		return time.Time{}, false
	}
	return day(t[:len(time.DateOnly)])
}

// stamps returns the stamps of the page. They are read once.
func (p *page) stamps() []stamp {
	if p.stamped == nil {
		p.stamped = append([]stamp{}, stampsOf(p.doc)...)
	}
	return p.stamped
}

// stampAt reads a word that is a date if it says when its line was written: at the beginning of it, or of a
// remark in brackets, before a colon. Elsewhere it is what the line is about, such as a deadline.
func stampAt(text string, w word) (time.Time, bool) {
	at, ok := day(w.text)
	before := text[:w.from]
	remark := strings.HasSuffix(before, "(") && strings.HasPrefix(text[w.to:], ":")
	return at, ok && (remark || strings.Trim(markdown.TrimMarks(before), "[(*_- ") == "")
}

// dateIn returns the only date of the form YYYY-MM-DD in a text. It is false if there is none, or if there
// are different ones.
func dateIn(text string) (at time.Time, ok bool) {
	for _, w := range wordsOf(lower(markdown.Clip(text))) {
		if d, is := day(w.text); is {
			if ok && !d.Equal(at) {
				return time.Time{}, false
			}
			at, ok = d, true
		}
	}
	return at, ok
}
