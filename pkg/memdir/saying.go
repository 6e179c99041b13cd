package memdir

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// Limits of what is written about a file, in bytes.
const (
	saidBytes  = 110 // a description, or a hook
	titleBytes = 50
	slugBytes  = 48
)

// says returns what a file is about, for a line that leads to it: its description, else its first
// statement. It is "" if neither says anything.
func (p *page) says() string {
	d, line := p.doc.Front.Get("description")
	if slices.ContainsFunc(p.doc.Front.Faults, func(f markdown.Fault) bool { return f.Line >= line }) {
		d = "" // where it ends is anybody's guess
	}
	d = text.FlatLine(d)
	if d == "" || vague(d) {
		d = gloss(withoutHead(p.doc.Body()))
	}
	if d = untimed(d); vague(d) {
		return ""
	}
	return shorten(d, saidBytes)
}

// withoutHead returns lines without frontmatter at their beginning that could not be read as such: it is not
// closed, or in another form. What it says in the words of a program is no statement.
func withoutHead(lines []markdown.Line) []markdown.Line {
	at := slices.IndexFunc(lines, func(l markdown.Line) bool { return strings.TrimSpace(l.Text) != "" })
	if at < 0 || at+1 >= len(lines) || !isHeadEnd(lines[at].Text) || !isHeadLine(lines[at+1].Text) {
		return lines
	}
	for i, l := range lines[at+1:] {
		switch {
		case isHeadEnd(l.Text):
			return lines[at+i+2:]
		case strings.TrimSpace(l.Text) == "", l.Kind == markdown.Heading:
			return lines[at+i+1:]
		}
	}
	return nil
}

// isHeadEnd reports whether a line begins or ends frontmatter, in one of its forms.
func isHeadEnd(l string) bool {
	l = strings.TrimRight(l, " \t")
	return l == "---" || l == "+++" || l == "..."
}

// isHeadLine reports whether a line has the form key: value or key = value.
func isHeadLine(l string) bool {
	key, _, ok := strings.Cut(strings.Replace(l, "=", ":", 1), ":")
	return ok && len(strings.Fields(key)) < 2
}

// untimed returns a text with "…" in the place of its relative dates, as no description and no line of an
// index repeats them. It is "" if nothing is left.
func untimed(text string) string {
	found := spots(text)
	if len(found) == 0 {
		return text
	}
	var parts []string
	from := 0
	for _, s := range found {
		part := strings.TrimRight(text[from:s.from], " ,;:(—–-")
		for at := strings.LastIndexByte(part, ' ') + 1; leadsUp(part[at:]); at = strings.LastIndexByte(part,
			' ') + 1 {
			part = strings.TrimRight(part[:at], " ,;:(")
		}
		parts = append(parts, part)
		from = s.to
	}
	parts = append(parts, strings.TrimLeft(text[from:], " ,;:.)—–-"))
	said := strings.TrimSpace(strings.Join(parts, " … "))
	if len(spots(said)) > 0 || strings.Trim(said, " …") == "" {
		return ""
	}
	return said
}

// leadsUp reports whether a word stands before a date and means nothing without it.
func leadsUp(word string) bool {
	return text.OneOf(strings.ToLower(word),
		"since until till by on at in of from before after during the for over "+
			"within")
}

// firstOf returns the first statement of some lines, else a line of code or a heading, as plain text.
func firstOf(lines []markdown.Line) string {
	other := ""
	for i, l := range lines {
		switch l.Kind {
		case markdown.Paragraph, markdown.Item, Pointer, markdown.Continued, markdown.Quote, markdown.Row:
			text := markdown.PlainText(markdown.Clip(l.Text))
			if l.Kind == markdown.Row {
				text = markdown.PlainText(strings.Join(markdown.CellTexts(markdown.Clip(l.Text)), ", "))
			}
			if l.Kind == markdown.Row && markdown.IsDelimiterRow(l.Text) || text == "" ||
				markdown.IsStamp(text) {
				continue
			}
			for _, m := range lines[i+1:] {
				if l.Kind != markdown.Paragraph && m.Kind != markdown.Continued ||
					m.Kind != markdown.Paragraph && m.Kind != markdown.Continued || len(text) > 2*saidBytes {
					break
				}
				text += " " + markdown.PlainText(markdown.Clip(m.Text))
			}
			return exempted(withException(text), lines[i+1:])
		case markdown.Code, markdown.Heading:
			if t := markdown.PlainText(markdown.Clip(l.Text)); other == "" &&
				!strings.HasPrefix(strings.TrimSpace(l.Text), "```") &&
				!strings.HasPrefix(strings.TrimSpace(l.Text), "~~~") &&
				strings.ContainsFunc(t, unicode.IsLetter) {
				other = t
			}
		}
	}
	return other
}

// exempted returns a statement with the exception that stands below it, behind blank lines or a stamp.
func exempted(said string, below []markdown.Line) string {
	for _, l := range below {
		switch text := markdown.PlainText(markdown.Clip(l.Text)); {
		case l.Kind == markdown.Blank, markdown.IsStamp(l.Text):
		case l.Kind != markdown.Heading && said != "" && markdown.IsException(l.Text):
			if but := sentence(text); !strings.Contains(strings.ToLower(said), strings.ToLower(but)) {
				return exceptFor(said, but)
			}
			return said
		default:
			return said
		}
	}
	return said
}

// withException returns the first sentence of a text, with the next one if that makes an exception from it:
// alone, the first would say more than holds.
func withException(text string) string {
	said := sentence(text)
	_, rest, _ := strings.Cut(text, said)
	if rest = strings.TrimLeft(rest, ".!; "); said == "" || !markdown.IsException(rest) {
		return said
	}
	return exceptFor(said, sentence(rest))
}

// exceptFor joins a statement and an exception from it.
func exceptFor(said, but string) string {
	r, size := utf8.DecodeRuneInString(but)
	return strings.TrimRight(said, ".,; ") + ", " + string(unicode.ToLower(r)) + but[size:]
}

// gloss returns what some lines are about, as plain text: the first statement of a paragraph, all
// statements of a list, the first column of a table. A text with a relative date is used only if there is
// no other, and without the date. What goes beyond saidBytes may be left out.
func gloss(lines []markdown.Line) string {
	dated := ""
	for i := 0; i < len(lines); i++ {
		said := ""
		switch l := lines[i]; {
		case l.Kind == markdown.Row && (i == 0 || lines[i-1].Kind != markdown.Row) && i+2 < len(lines) &&
			markdown.IsDelimiterRow(lines[i+1].Text):
			said = columnOf(lines[i:])
		case lists(l):
			said = listOf(lines[i:])
		case l.Kind == markdown.Paragraph && strings.HasPrefix(strings.TrimSpace(l.Text), "<"): // HTML
		case l.Kind == markdown.Paragraph || l.Kind == markdown.Quote:
			said = firstOf(lines[i:])
		case l.Kind == markdown.Heading && dated != "":
			return untimed(dated) // what follows is another part
		default:
			continue
		}
		switch {
		case said == "":
		case len(spots(said)) == 0:
			return said
		case dated == "":
			dated = said
		}
		for k := lines[i].Kind; i+1 < len(lines) &&
			(lines[i+1].Kind == k || lines[i+1].Kind == markdown.Continued); i++ {
		}
	}
	return untimed(cmp.Or(dated, firstOf(lines)))
}

// descriptionOf returns a description made of a title and the lines below it, without those that only lead to
// what another file says.
func descriptionOf(title string, lines []markdown.Line) string {
	said := gloss(slices.DeleteFunc(slices.Clone(lines), func(l markdown.Line) bool {
		text := markdown.TrimMarks(l.Text)
		return len(text) > 5 && strings.EqualFold(text[:5], "see [")
	}))
	if IsFew(said) || vague(said) {
		said = untimed(strings.TrimSuffix(strings.TrimPrefix(title+": "+said, ": "), ": "))
	}
	return shorten(said, saidBytes)
}

// described is a description that was made of what a file said.
type described struct{ by, text string }

// describe writes the descriptions that were made of files anew, from what is in the files in the end, and
// the hooks that repeat them.
func (t *tree) describe() {
	for _, name := range slices.Sorted(maps.Keys(t.wrote)) {
		p, was := t.at[name], t.wrote[name].by
		if p == nil || p.text() == t.wrote[name].text {
			continue
		}
		now := descriptionOf(p.title(), p.doc.Body())
		if now == was || was == "" || IsFew(now) || vague(now) {
			continue
		}
		if said, line := p.doc.Front.Get("description"); said == was {
			lines := slices.Clone(p.doc.Lines)
			lines[line-1].Text = markdown.Indent(lines[line-1].Text) + "description: " + markdown.Scalar(now)
			t.write(p, lines)
		}
		for index := range t.indexes {
			lines := slices.Clone(index.doc.Lines)
			for _, r := range index.refs {
				if old := plainHook(was); t.target(r) == p && old != "" && t.free(index) {
					hook := shorten(plainHook(now), saidBytes)
					lines[r.Line-1].Text = strings.Replace(lines[r.Line-1].Text, old, hook, 1)
				}
			}
			t.write(index, lines)
		}
	}
}

// columnOf returns the texts in the first column of a table, with its head before them.
func columnOf(lines []markdown.Line) string {
	var all []string
	n := 0
	for i, l := range lines {
		if l.Kind != markdown.Row || n > saidBytes {
			break
		}
		if cell := markdown.PlainText(markdown.Clip(markdown.CellTexts(l.Text)[0])); i != 1 && cell != "" {
			all, n = append(all, cell), n+len(cell)
		}
	}
	if len(all) < 2 {
		return ""
	}
	return all[0] + ": " + strings.Join(all[1:], ", ")
}

// listOf returns the items of a list as one text. Items below others are left out, unless the item above
// them is only a word or so, which introduces them.
func listOf(lines []markdown.Line) string {
	var b strings.Builder
	above := 0 // length before the item of the first level was written, if it was
	for i, l := range lines {
		exempt := b.Len() > 0 && (lists(l) || l.Kind == markdown.Paragraph || l.Kind == markdown.Continued) &&
			markdown.IsException(l.Text)
		if l.Kind != markdown.Blank && l.Kind != markdown.Continued && !lists(l) && !exempt ||
			b.Len() > saidBytes && !exempt {
			break
		}
		if !lists(l) && !exempt {
			continue
		}
		said, below := firstOf(lines[i:]), isDeeper(lines[0], l)
		if exempt && strings.Contains(strings.ToLower(b.String()), strings.ToLower(said)) {
			continue
		}
		if !below && !exempt {
			above = b.Len()
		}
		if exempt && b.Len() > above && said != "" {
			joined := exceptFor(b.String(), said)
			b.Reset()
			b.WriteString(joined)
			continue
		}
		switch {
		case said == "" || len(spots(said)) > 0 || strings.Contains(b.String(), said) || below &&
			!strings.HasSuffix(b.String(), ": ") && !IsFew(b.String()):
		case b.Len() > 0 && below && IsFew(b.String()):
			b.WriteString(": " + said)
		case b.Len() > 0 && !below:
			b.WriteString("; " + said)
		case b.Len() == 0:
			b.WriteString(said)
		}
	}
	return b.String()
}

// sentence returns the first sentence of a text that has more than two words.
func sentence(text string) string {
	for i, r := range text {
		ends := r == '。' || r == '！' || r == '？' || (r == '.' || r == '!' || r == '?') && i+2 < len(text) &&
			text[i+1] == ' ' && unicode.IsUpper(rune(text[i+2]))
		if ends && i > 20 && !IsFew(text[:i]) {
			return text[:i]
		}
	}
	return strings.TrimRight(text, ".: ")
}

// Cut shortens a text to at most n characters, at the end of a word where there is one.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return cutAtWord(text.CutRunes(s, max(n-1, 0)))
}

// shorten returns a text cut at a word to at most so many bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return cutAtWord(text.CutBytes(s, most-len("…")))
}

// cutAtWord returns the beginning of a text without the word that was cut, if it isn't half of it.
func cutAtWord(s string) string {
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:.—–-") + "…"
}

// title returns what a line that leads to a file calls it: its first heading, else its name.
func (p *page) title() string {
	for _, l := range p.doc.Body() {
		if l.Kind == markdown.Heading && markdown.HeadingLevel(l.Text) == 1 {
			if t := markdown.PlainText(markdown.Title(l.Text)); t != "" {
				return shorten(t, titleBytes)
			}
		}
	}
	name := path.Base(p.Path)
	if typ := typeByName(name); len(name) > len(typ+"_.md") && typ != "" {
		name = name[len(typ)+1:] // "feedback_testing.md" is about testing
	}
	return nameOf(name)
}

// nameOf makes words of a file's name.
func nameOf(file string) string {
	s := markdown.TrimExt(path.Base(file))
	b := []byte(s)
	for i, c := range b {
		if c == '_' || c == '-' && !(i >= 4 && isDate(s[i-4:min(i+6, len(s))])) &&
			!(i >= 7 && isDate(s[i-7:min(i+3, len(s))])) {
			b[i] = ' ' // but for those of a date
		}
	}
	s = markdown.PlainText(string(b))
	if s == "" {
		return "Memory"
	}
	r, n := utf8.DecodeRuneInString(s)
	return shorten(string(unicode.ToUpper(r))+s[n:], titleBytes)
}

// Slug makes the name of a file of words, without its ending; "" where they have no letters.
func Slug(words string) string { return text.Slug(words, slugBytes, slugBytes) }
