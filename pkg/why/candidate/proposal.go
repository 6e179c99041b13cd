// Package candidate reads what a memory-keeper answers: which passages of a
// project's notes it would keep for good, where each stands and where it would
// go. It is generous about Markdown and strict about facts: a quote counts only
// with the words that stand at its source, and it is those that are kept.
//
// A document, as agents/memory-keeper.md asks for it:
//
//	## Postgres over SQLite
//	> Decided to use Postgres over SQLite for the memory store, scaling concern.
//	- Source: .agents/memory/scratch/phase-2-data-model.md:2
//	- Wing: shop
//	- Room: decisions
//	- Drawer: postgres-over-sqlite
//	- Reason: a choice with its reason, which later work rests on
//
//	Read: 12, proposed: 1, left: 11
//
// A Box keeps what was proposed until a person has answered it, and what was answered, so that nobody is
// asked twice. It is one folder per project, for this user alone:
//
//	inbox.json  the candidates, whatever became of them
//	seen.json   which notes a memory-keeper has looked at
//	report.json what became of the last document of one
//	inbox.lock  held while one of them is changed
//
// A candidate waits, waits again from a later day, is rejected, or is promoted. A rejected one stays in the
// file: what says the same is not taken again.
package candidate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
)

// MaxDocument is how much of a document is read, in bytes, and MaxCandidates how
// many candidates.
const (
	MaxDocument   = 256 << 10
	MaxCandidates = 100
)

// A Proposal is one passage that is proposed, as the document says it.
type Proposal struct {
	Line               int    // where the document begins to speak of it, from 1
	Title              string // of its heading
	Quote              string // in lines as the document has them
	Path               string // the source, without the line; "" when it is missing
	At                 int    // the line of the source, from 1; 0 when it is missing
	Wing, Room, Drawer string // "" when they are missing
	Reason             string
}

// Counts are the document's own numbers: how many notes were read, how many candidates are proposed, how
// many notes are left. A number that it does not give is -1.
type Counts struct{ Read, Proposed, Left int }

// A Document is the parsed answer of a memory-keeper.
type Document struct {
	Candidates []Proposal
	Counts     Counts
	Cut        bool // there was more than is read
}

// Parse parses a document. It accepts any text. A passage with neither a quote nor a source is no
// candidate.
func Parse(text string) Document {
	p := parser{doc: Document{Counts: Counts{-1, -1, -1}}}
	if p.doc.Cut = len(text) > MaxDocument; p.doc.Cut {
		text = strings.ToValidUTF8(text[:MaxDocument], "")
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028",
		"\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		p.line(n, line)
	}
	p.end()
	return p.doc
}

type parser struct {
	doc     Document
	c       Proposal
	into    *string // the field that lines without a name go on with
	quoting bool    // the quote is still being read
	fence   markdown.Fence
	raw     bool // that block is the quote
}

// end takes the candidate that was being read.
func (p *parser) end() {
	c := p.c
	c.Quote = unquoted(c.Quote)
	if c.Quote != "" || c.Path != "" {
		if len(p.doc.Candidates) < MaxCandidates {
			p.doc.Candidates = append(p.doc.Candidates, c)
		} else {
			p.doc.Cut = true
		}
	}
	p.c, p.into, p.quoting = Proposal{}, nil, false
}

// begin makes sure that the field at hand belongs to a candidate of its own.
func (p *parser) begin(n int, has bool) {
	if has {
		p.end()
	}
	if p.c.Line == 0 {
		p.c.Line = n
	}
}

func (p *parser) line(n int, line string) {
	bare := strings.TrimSpace(line)
	if inside := p.fence.Open(); p.fence.Read(line) {
		switch {
		case !inside:
			// A block after the name of the quote is the quote; one around a whole
			// document, or around a candidate, is no more than its wrapping.
			p.raw = p.into == &p.c.Quote
		case !p.fence.Open():
			p.raw, p.quoting = false, false
		case p.raw:
			p.c.Quote = joined(p.c.Quote, line)
		default:
			p.plain(n, line, bare)
		}
		return
	}
	p.plain(n, line, bare)
}

func (p *parser) plain(n int, line, bare string) {
	quote, isQuote := strings.CutPrefix(strings.TrimLeft(bare, "-*+ "), ">")
	switch {
	case bare == "":
		if p.into != &p.c.Quote || p.c.Quote != "" {
			p.into = nil
		}
		return
	case isQuote:
		quote = strings.TrimPrefix(quote, " ")
		// a whole candidate in one block
		if name, value, ok := field(quote); ok && (name == "quote" || name == "source") && !p.quoting {
			p.named(n, name, value)
			return
		}
		if !p.quoting {
			p.begin(n, p.c.Quote != "")
		}
		p.c.Quote, p.quoting, p.into = joined(p.c.Quote, strings.TrimLeft(quote, "> ")), true, nil
		return
	}
	p.quoting = false
	if name, value, ok := field(bare); ok {
		p.named(n, name, value)
		return
	}
	if p.counts(bare) {
		return
	}
	if title, ok := heading(bare); ok {
		p.end()
		p.c.Title, p.c.Line = title, n
		return
	}
	if rule(bare) {
		p.end()
		return
	}
	if p.into != nil {
		*p.into = joined(*p.into, bare)
	}
}

// named takes one field.
func (p *parser) named(n int, name, value string) {
	c := &p.c
	switch name {
	case "quote":
		p.begin(n, c.Quote != "")
		c.Quote, p.into = value, &p.c.Quote
	case "source":
		p.begin(n, c.Path != "")
		c.Path, c.At = source(value)
		p.into = nil
	case "address":
		p.begin(n, c.Wing != "")
		parts := strings.FieldsFunc(value, func(r rune) bool {
			return r == '/' || r == '>' || r == '→' || r == '|'
		})
		for i, to := range [...]*string{&c.Wing, &c.Room, &c.Drawer} {
			if i < len(parts) {
				*to = word(parts[i])
			}
		}
		p.into = nil
	case "wing", "room", "drawer":
		to := map[string]*string{"wing": &c.Wing, "room": &c.Room, "drawer": &c.Drawer}[name]
		p.begin(n, *to != "")
		*to, p.into = word(value), nil
	case "reason":
		p.begin(n, c.Reason != "")
		c.Reason, p.into = strings.TrimSpace(value), &p.c.Reason
	case "title":
		p.begin(n, c.Title != "")
		c.Title, p.into = word(value), nil
	}
}

// counts parses a line with the number of notes that were read or left, or of candidates. It reports
// whether the line is one.
func (p *parser) counts(line string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "read", "proposed", "left", "count", "counts", "entries", "notes", "candidates", "total":
	default:
		if !digits(words[0]) {
			return false
		}
	}
	found := 0
	for i, w := range words {
		var to *int
		switch w {
		case "read":
			to = &p.doc.Counts.Read
		case "proposed":
			to = &p.doc.Counts.Proposed
		case "left":
			to = &p.doc.Counts.Left
		default:
			continue
		}
		// "read: 12" or "12 read"; where all words are pairs, either reading fits one.
		for _, k := range [...]int{i + 1, i - 1} {
			if k < 0 || k >= len(words) || (k == i-1) != (digits(words[0])) {
				continue
			}
			if v, err := strconv.Atoi(words[k]); err == nil && v >= 0 {
				*to = v
				found++
				break
			}
		}
	}
	return found > 0 && len(words) <= 4*found+4
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// names are the spellings that models use for the fields.
var names = [...]struct{ name, spelled string }{
	{"quote", "quote"}, {"quote", "verbatim quote"}, {"quote", "verbatim"}, {"quote", "quotation"},
	{"quote", "text"},
	{"source", "source"}, {"source", "source file"}, {"source", "file"}, {"source", "location"},
	{"source", "from"},
	{"wing", "wing"}, {"wing", "proposed wing"}, {"room", "room"}, {"room", "proposed room"},
	{"drawer", "drawer"}, {"drawer", "proposed drawer"},
	{"address", "wing room drawer"}, {"address", "proposed wing room drawer"}, {"address", "address"},
	{"address", "destination"}, {"address", "target"}, {"address", "proposed"},
	{"reason", "reason"}, {"reason", "why"}, {"reason", "rationale"}, {"reason", "because"},
	{"title", "title"}, {"title", "candidate"},
}

// field reads "name: value" out of a line of a list, a table or a text, with
// whatever emphasis.
func field(line string) (name, value string, ok bool) {
	line = strings.TrimSpace(line)
	if row, table := strings.CutPrefix(line, "|"); table {
		cells := strings.SplitN(strings.TrimSuffix(strings.TrimSpace(row), "|"), "|", 2)
		if len(cells) != 2 {
			return "", "", false
		}
		line = strings.TrimSpace(cells[0]) + ": " + strings.TrimSpace(cells[1])
	}
	line = strings.TrimLeft(line, "-*+•_# \t")
	key, value, found := cutColon(line)
	if !found || len(key) > 40 {
		return "", "", false
	}
	key = strings.ToLower(strings.Join(strings.FieldsFunc(key, func(r rune) bool {
		return !unicode.IsLetter(r)
	}), " "))
	for _, f := range names {
		if f.spelled == key && !(key == "proposed" && digits(word(value))) { // which is a count
			return f.name, strings.TrimSpace(strings.TrimLeft(value, "*_ ")), true
		}
	}
	return "", "", false
}

// cutColon cuts at the first colon, of any width, or equals sign.
func cutColon(s string) (before, after string, ok bool) {
	i := strings.IndexAny(s, ":：=")
	if i < 0 {
		return s, "", false
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i], s[i+size:], true
}

// heading reads a line that begins a candidate: a Markdown heading, a line that
// is bold as a whole, or a number.
func heading(line string) (string, bool) {
	if level, title := markdown.ParseHeading(line); level > 0 {
		return plainTitle(title), true
	}
	if strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") && len(line) > 4 {
		return plainTitle(line), true
	}
	if i := strings.IndexAny(line, ".)"); i > 0 && i < 4 && digits(line[:i]) {
		return plainTitle(line), true
	}
	return "", false
}

// plainTitle takes numbers and emphasis off a heading.
func plainTitle(s string) string {
	s = strings.TrimLeft(strings.Trim(s, "*_ \t"), "#*_ \t")
	if head, rest, ok := strings.Cut(s, " "); ok && strings.Trim(head, "0123456789.):") == "" {
		s = rest
	}
	return strings.Trim(s, "*_ \t")
}

// rule is a line between candidates.
func rule(line string) bool { return len(line) >= 3 && strings.Trim(line, "-*_= ") == "" }

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// word is a value without the marks around it.
func word(s string) string {
	s = strings.TrimSpace(s)
	for {
		t := strings.Trim(s, "`*_\"“”«» \t")
		if t == s {
			return s
		}
		s = t
	}
}

// unquoted takes one pair of quotation marks, or of backticks, off a quote.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	for _, m := range [...][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"`", "`"}, {"**", "**"},
		{"_", "_"}, {"*", "*"}} {
		if len(s) >= len(m[0])+len(m[1]) && strings.HasPrefix(s, m[0]) && strings.HasSuffix(s, m[1]) {
			return strings.TrimSpace(s[len(m[0]) : len(s)-len(m[1])])
		}
	}
	return s
}

// source reads "path:12", with whatever around it: a link, backticks, a span of
// lines, "path, line 12", "path#L12".
func source(s string) (path string, line int) {
	s = strings.TrimSpace(s)
	// a link: what is shown, unless only the target has a line
	if i := strings.Index(s, "]("); i >= 0 && strings.HasPrefix(s, "[") {
		shown, target := s[1:i], strings.TrimSuffix(strings.TrimSpace(s[i+2:]), ")")
		if path, line = source(shown); line > 0 {
			return path, line
		}
		return source(target)
	}
	// `path`, and then the line
	if first, rest, ok := strings.Cut(strings.TrimPrefix(s, "`"), "`"); ok && strings.HasPrefix(s, "`") {
		s = first + rest
	}
	s = strings.TrimRight(strings.Trim(word(s), "()[]<> "), " .,;)")
	low := strings.ToLower(s)
	for _, mark := range [...]string{"#l", " line ", " lines ", "(line ", "(lines ", " l.", ":"} {
		i := strings.LastIndex(low, mark)
		if mark == ":" {
			i = strings.Index(low, mark)
		}
		if i <= 0 {
			continue
		}
		number := strings.TrimLeft(low[i+len(mark):], " l")
		end := 0
		for end < len(number) && number[end] >= '0' && number[end] <= '9' {
			end++
		}
		if n, err := strconv.Atoi(number[:end]); err == nil && n > 0 &&
			(end == len(number) || number[end] >= 0x80 || !unicode.IsLetter(rune(number[end]))) {
			return clean(s[:i]), n
		}
	}
	return clean(s), 0
}

func clean(path string) string { return strings.Trim(word(path), "()[]<>,; ") }
