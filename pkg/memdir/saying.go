package memdir

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is written about a file, in bytes.
const (
	saidBytes  = 110 // a description, or a hook
	titleBytes = 50
	slugBytes  = 48
)

// says is what a file is about, for a line that leads to it: its description, else
// the first of its statements. "" where neither tells anything.
func (p *page) says() string {
	d, _ := p.doc.Head.Get("description")
	d = oneLine(d)
	if d == "" || vague(d) {
		d = firstOf(p.doc.body())
	}
	if vague(d) {
		return ""
	}
	return shorten(d, saidBytes)
}

// firstOf is the first statement of some lines, else a line of code or a heading,
// as plain text.
func firstOf(lines []Line) string {
	other := ""
	for i, l := range lines {
		switch l.Kind {
		case Paragraph, Item, Pointer, More, Quote, Row:
			text := flat(begin(l.Text))
			if l.Kind == Row {
				text = flat(strings.Join(cellsOf(begin(l.Text)), ", "))
			}
			if l.Kind == Row && delimiter(l.Text) || text == "" || Stamped(text) {
				continue
			}
			for _, m := range lines[i+1:] {
				if l.Kind != Paragraph && m.Kind != More || m.Kind != Paragraph && m.Kind != More || len(text) > 2*saidBytes {
					break
				}
				text += " " + flat(begin(m.Text))
			}
			return sentence(text)
		case Code, Heading:
			if t := flat(begin(l.Text)); other == "" && !strings.HasPrefix(strings.TrimSpace(l.Text), "```") && !strings.HasPrefix(strings.TrimSpace(l.Text), "~~~") && strings.ContainsFunc(t, unicode.IsLetter) {
				other = t
			}
		}
	}
	return other
}

// sentence is the first sentence of a text.
func sentence(text string) string {
	for i, r := range text {
		if (r == '.' || r == '!' || r == '?') && i > 20 && i+2 < len(text) && text[i+1] == ' ' && unicode.IsUpper(rune(text[i+2])) {
			return text[:i]
		}
	}
	return strings.TrimRight(text, ".: ")
}

// flat is a line as plain text: without the marks of lists, links, headings and
// emphasis.
func flat(text string) string {
	t := strings.TrimLeft(bare(text), "# ")
	for {
		i := strings.IndexByte(t, '[')
		if i < 0 {
			break
		}
		title, _, rest, ok := linkAt(t[i:])
		if !ok {
			break
		}
		t = t[:i] + title + rest
	}
	return oneLine(strings.NewReplacer("**", "", "__", "", "`", "", "|", " ", "[", "", "]", "", "<", "", ">", "", "\x00", "").Replace(t))
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// shorten cuts a text at a word, to so many bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := most - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > most/2 {
		cut = i
	}
	return strings.TrimRight(s[:cut], " ,;:.—–-") + "…"
}

// title is what a file is called in a line that leads to it: its first heading,
// else its name.
func (p *page) title() string {
	for _, l := range p.doc.body() {
		if l.Kind == Heading && heading(strings.TrimSpace(l.Text)) == 1 {
			if t := flat(titleOf(l.Text)); t != "" {
				return shorten(t, titleBytes)
			}
		}
	}
	return nameOf(p.Path)
}

// nameOf makes words of a file's name.
func nameOf(file string) string {
	s := strings.TrimSuffix(path.Base(file), path.Ext(file))
	s = flat(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }), " "))
	if s == "" {
		return "Memory"
	}
	r, n := utf8.DecodeRuneInString(s)
	return shorten(string(unicode.ToUpper(r))+s[n:], titleBytes)
}

// slug makes the name of a file of words, without its ending; "" where they have
// no letters.
func slug(words string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(words) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if b.Len()+utf8.RuneLen(r) > slugBytes {
				return strings.TrimRight(b.String(), "-")
			}
			b.WriteRune(r)
		case r == '\'' || r == '’':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "-")
}

// yamlValue is a value of frontmatter that readers of YAML take as this text.
func yamlValue(s string) string {
	if s == "" || strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`~ ") || strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") || scalar(s) {
		return `"` + strings.NewReplacer(`"`, "'", `\`, "/").Replace(s) + `"`
	}
	return s
}

// scalar says that YAML takes a text for something else.
func scalar(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "~":
		return true
	}
	return strings.Trim(s, "0123456789.-+eE:_") == ""
}
