package memdir

import (
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// A spot is where a line has a relative date, in bytes. An exact one can be
// worked out from the day on which it was written.
type spot struct {
	from, to int
	exact    bool
}

// A phrase is words that make a relative date. PERIOD, UNIT, SPAN, DAY, NUMBER stand
// for one word of those kinds.
type phrase struct {
	words string
	exact bool
}

var phrases = [...]phrase{
	{"yesterday", true}, {"today", true}, {"tonight", true}, {"tomorrow", true},
	{"this morning", true}, {"this afternoon", true}, {"this evening", true}, {"last night", true},
	{"last PERIOD", true}, {"next PERIOD", true}, {"this PERIOD", true},
	{"last DAY", true}, {"next DAY", true}, {"this DAY", true},
	{"NUMBER UNIT ago", true}, {"a UNIT ago", true}, {"an UNIT ago", true},
	{"a few UNIT ago", false}, {"few UNIT ago", false}, {"several UNIT ago", false}, {"some UNIT ago", false},
	{"a couple of UNIT ago", false}, {"a while ago", false}, {"some time ago", false},
	{"by DAY", true}, {"until DAY", true}, {"since DAY", true}, {"before DAY", true}, {"after DAY", true},
	{"from DAY", true}, {"on DAY", true},
	{"in NUMBER SPAN", true}, {"in a SPAN", true}, {"DAY", true},
	{"the other day", false}, {"recently", false}, {"lately", false}, {"soon", false}, {"nowadays", false},
	{"these days", false},
	{"just now", false}, {"right now", false}, {"at the moment", false}, {"in the past UNIT", false},
	{"in the coming UNIT", false}, {"the past few UNIT", false}, {"the last few UNIT", false},
	{"the next few UNIT", false},
}

// spots returns the relative dates of a line.
func spots(text string) (out []spot) {
	text = markdown.Clip(text)
	low := lower(text)
	if !timely(low) {
		return nil
	}
	ws := wordsOf(low)
	masked := ""
	for i := 0; i < len(ws); i++ {
		for _, ph := range phrases {
			if c := ph.words[0]; c != ws[i].text[0] && c >= 'a' {
				continue
			}
			n := matches(ws[i:], ph.words)
			if n == 0 || general(ws, i, n) || dated(ws, i, n) {
				continue
			}
			if masked == "" {
				masked = mask(text)
			}
			from, to := ws[i].from, ws[i+n-1].to
			if masked[from:to] == text[from:to] {
				out = append(out, spot{from, to, ph.exact})
			}
			i += n - 1
			break
		}
	}
	return out
}

// spotsAt returns the relative dates of a line of a page, without those in a quotation that goes over lines.
func (p *page) spotsAt(i int) []spot {
	found := spots(p.doc.Lines[i].Text)
	if len(found) == 0 {
		return nil
	}
	from, to := i, i+1
	for from > p.doc.Front.Lines && inBlock(p.doc.Lines[from-1].Kind, p.doc.Lines[from].Kind) {
		from--
	}
	for to < len(p.doc.Lines) && inBlock(p.doc.Lines[to-1].Kind, p.doc.Lines[to].Kind) {
		to++
	}
	if from > p.doc.Front.Lines && p.doc.Lines[from].Kind == markdown.Paragraph &&
		p.doc.Lines[from-1].Kind == markdown.Quote {
		return nil // it goes on with the quotation
	}
	if to-from == 1 {
		return found
	}
	var block strings.Builder
	at := 0
	for j := from; j < to; j++ {
		if j == i {
			at = block.Len()
		}
		block.WriteString(p.doc.Lines[j].Text + "\n")
	}
	said := block.String()
	quoted := maskFrom(said, quotes[:longQuotes])
	return slices.DeleteFunc(found, func(s spot) bool {
		return quoted[at+s.from:at+s.to] != said[at+s.from:at+s.to]
	})
}

// inBlock reports whether a line goes on with the text of the line above it.
func inBlock(above, l markdown.Kind) bool {
	switch above {
	case markdown.Paragraph, markdown.Item, Pointer, markdown.Continued:
		return l == markdown.Continued || above == markdown.Paragraph && l == markdown.Paragraph
	}
	return false
}

// timely reports whether a line may have a relative date. It saves the work for the many lines without one.
func timely(low string) bool {
	for _, s := range [...]string{"day", "last ", "next ", "this ", "tonight", "tomorrow", " ago", "recently",
		"lately", "soon", " now", "moment", "past ", "coming ", " week", " month", " year"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// general reports whether a phrase names no day: "the last week of a month", "as soon as", "least recently
// used", "every report by Friday".
func general(ws []word, i, n int) bool {
	before, after := "", ""
	if i > 0 {
		before = ws[i-1].text
	}
	if i+n < len(ws) && !ws[i+n-1].ends {
		after = ws[i+n].text
	}
	w := ws[i].text
	if (w == "in" || isDay(w)) && !foretells(ws) { // "it was done in 2 weeks", "the Friday deploy"
		return true
	}
	switch {
	case after == "of": // the last week of a month, at the moment of a crash
		return true
	case w == "soon":
		return before == "as" || before == "too" || before == "how" || after == "as"
	case w == "recently":
		return before == "most" || before == "least" || before == "more" ||
			strings.HasPrefix(after, "used") || strings.HasPrefix(after, "viewed") ||
			strings.HasPrefix(after, "opened")
	case w == "today" || w == "tomorrow" || w == "yesterday":
		// "Tomorrow's loads" are what a program looks at.
		// "today and tomorrow" are what a page shows
		return ws[i].of && w != "yesterday" || before == "not" || after == "and" || after == "or" ||
			before == "and" || before == "or"
	case text.OneOf(w, "by until since before after from on") || isDay(ws[i+n-1].text) &&
		(n == 1 || w == "this"):
		// A weekday with a time is a habit: "standup on Monday at 9".
		return text.OneOf(after, "at and or through to morning mornings night") ||
			slices.ContainsFunc(ws, func(x word) bool {
				return text.OneOf(x.text,
					"every each weekly always never usually recurring biweekly daily cron "+
						"schedule scheduled")
			})
	}
	return false
}

// foretells reports whether a line says when something is to come, so that a day or a time in it is no habit
// and no duration.
func foretells(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool {
		// an invoice is due in 30 days whenever it is written
		return text.OneOf(w.text, "deadline will launches freezes")
	})
}

// dated reports whether the line itself gives the day right beside the phrase.
func dated(ws []word, i, n int) bool {
	for _, w := range ws[i+n : min(len(ws), i+n+4)] {
		if isoIn(w.text) || year(w.text) || isMonth(w.text) {
			return true
		}
	}
	for j := max(1, i-2); j < i; j++ { // the first word is the date of the line
		if isoIn(ws[j].text) && !ws[j].ends {
			return true
		}
	}
	return false
}

// A word is one of a line, in lower case, with where it stands in bytes.
type word struct {
	text     string
	from, to int
	ends     bool // punctuation behind it ends a phrase
	of       bool // it had an 's
}

func wordsOf(low string) []word {
	out := make([]word, 0, 24)
	for i := 0; i < len(low); {
		if low[i] == ' ' || low[i] == '\t' {
			i++
			continue
		}
		j := i
		for j < len(low) && low[j] != ' ' && low[j] != '\t' {
			j++
		}
		from, to := i, j
		for from < to && !letterOrDigit(low[from]) {
			from++
		}
		for to > from && !letterOrDigit(low[to-1]) {
			to--
		}
		ends := to < j
		text, of := low[from:to], false
		for _, s := range [...]string{"'s", "’s"} {
			if t, ok := strings.CutSuffix(text, s); ok {
				text, to, of = t, from+len(t), true
			}
		}
		if text != "" {
			out = append(out, word{text, from, to, ends, of})
		}
		i = j
	}
	return out
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// matches returns how many words at the beginning of ws a phrase matches, 0 if it doesn't.
func matches(ws []word, words string) (n int) {
	for want := range strings.SplitSeq(words, " ") {
		if n >= len(ws) || n > 0 && ws[n-1].ends || !stands(ws[n].text, want) {
			return 0
		}
		n++
	}
	return n
}

// stands reports whether a word is the one wanted, or of the kind wanted.
func stands(w, want string) bool {
	switch want {
	case "PERIOD":
		return text.OneOf(w, "week month year quarter sprint weekend spring summer autumn winter") ||
			isMonth(w)
	case "UNIT":
		return text.OneOf(strings.TrimSuffix(w, "s"), "minute hour day week month year sprint quarter")
	case "SPAN":
		return text.OneOf(strings.TrimSuffix(w, "s"), "day week month year")
	case "DAY":
		return isDay(w)
	case "NUMBER":
		return text.OneOf(w, "one two three four five six seven eight nine ten twelve") || w != "" &&
			strings.Trim(w, "0123456789") == ""
	}
	return w == want
}

func isDay(w string) bool {
	return text.OneOf(w, "monday tuesday wednesday thursday friday saturday sunday")
}

// isMonth leaves out May, which may be a verb.
func isMonth(w string) bool {
	return text.OneOf(w, "january february march april june july august september october november december")
}

func year(w string) bool { return len(w) == 4 && w[:2] == "20" && strings.Trim(w, "0123456789") == "" }

// isoIn reports whether a text contains a date of the form YYYY-MM-DD.
func isoIn(s string) bool {
	for i := 0; i+10 <= len(s); i++ {
		if s[i] == '2' && s[i+4] == '-' && isDate(s[i:i+10]) {
			return true
		}
	}
	return false
}

// lower returns a text with its ASCII letters in lower case. Its length stays the same.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// A quote is how a quotation begins and ends, or another part of a line that isn't its writer's words.
type quote struct{ open, shut string }

// quotes are the kinds of quotations. The first longQuotes of them may go over several lines.
var quotes = [...]quote{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"},
	{"<", ">"}, {"‘", "’"}, {"](", ")"}, {"'", "'"}}

const longQuotes = 5

// mask puts NUL in the place of what somebody else said, code and paths:
// `code`, "quoted", “quoted”, 'quoted', [text](target), <tag>.
func mask(text string) string { return maskFrom(text, quotes[:]) }

func maskFrom(text string, quotes []quote) string {
	b := []byte(text)
	for i := 0; i < len(text); i++ {
		at := slices.IndexFunc(quotes, func(q quote) bool { return strings.HasPrefix(text[i:], q.open) })
		apostrophe := text[i] == '\'' && (i+1 == len(text) || text[i+1] == ' ' ||
			i > 0 && letterOrDigit(lower(text[i-1 : i])[0]))
		if at < 0 || apostrophe {
			continue
		}
		q := quotes[at]
		from := i + len(q.open)
		end := strings.Index(text[from:], q.shut)
		if end < 0 {
			continue
		}
		end += from + len(q.shut)
		for j := i; j < end; j++ {
			b[j] = 0
		}
		i = end - 1
	}
	return string(b)
}
