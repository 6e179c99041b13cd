package markdown

import (
	"strings"
	"unicode"

	"keepsake/pkg/text"
)

// Kind is the kind of a line.
type Kind uint8

const (
	Blank     Kind = iota
	Front          // frontmatter with its two rules
	Heading        // "# Title", or a line that is underlined, with that line
	Item           // of a list
	Row            // of a table
	Paragraph      // text
	Continued      // goes on with the item above
	Quote          // "> text"
	Code           // fenced or indented, with its fences
	Comment        // of HTML
	Break          // "---"

	Custom // the first kind that Parse never gives, for readers that tell more apart
)

// A Line is one line of a file, its ending apart from it.
type Line struct {
	Text, End string
	Kind      Kind
}

// A Doc is a parsed file.
type Doc struct {
	BOM   bool // it begins with a byte order mark
	Lines []Line
	Front Frontmatter
	Open  bool // code or a comment is not closed: what is put at the end is a part of it
}

const bom = "\ufeff"

// Parse parses any file. Lines that it can't make sense of are paragraphs.
func Parse(b []byte) Doc {
	var d Doc
	s := string(b)
	s, d.BOM = strings.CutPrefix(s, bom)
	d.Lines = make([]Line, 0, strings.Count(s, "\n")+1)
	for s != "" {
		text, rest, cut := strings.Cut(s, "\n")
		end := ""
		if cut {
			end = s[len(text) : len(text)+1]
			if strings.HasSuffix(text, "\r") {
				text, end = text[:len(text)-1], "\r\n"
			}
		}
		d.Lines = append(d.Lines, Line{Text: text, End: end})
		s = rest
	}
	d.Front = parseFrontmatter(d.Lines)
	for i := range d.Front.Lines {
		d.Lines[i].Kind = Front
	}
	d.Open = classify(d.Lines[d.Front.Lines:])
	return d
}

// Print returns the file as its lines are now.
func (d Doc) Print() []byte {
	var b strings.Builder
	if d.BOM {
		b.WriteString(bom)
	}
	printLines(&b, d.Lines)
	return []byte(b.String())
}

func printLines(b *strings.Builder, lines []Line) {
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteString(l.End)
	}
}

// Body returns the lines below the frontmatter.
func (d Doc) Body() []Line { return d.Lines[d.Front.Lines:] }

// maxLine is how many bytes of a line are searched for links and dates. Lines that a person or an agent
// writes for others to read are not longer.
const maxLine = 4096

// Clip returns the part of a line that is searched for links and dates.
func Clip(s string) string { return s[:min(len(s), maxLine)] }

// classify sets the kinds of lines below the frontmatter, and reports whether code or a comment is not
// closed.
func classify(lines []Line) (open bool) {
	var fence Fence
	comment := false // in a comment that is still open
	inList := false  // since the last item nothing ended its list
	var before Kind  // of the line above
	table := false   // in a table without outer bars
	for i := range lines {
		l := &lines[i]
		t := strings.TrimSpace(l.Text)
		indent := len(Indent(l.Text))
		switch {
		case fence.Open() && fence.Read(l.Text):
			l.Kind = Code
		case comment:
			l.Kind = Comment
			comment = !strings.Contains(t, "-->")
		case t == "":
			l.Kind = Blank
		case strings.HasPrefix(t, "<!--"):
			l.Kind = Comment
			comment = !strings.Contains(t, "-->")
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			if l.Kind = Paragraph; fence.Read(l.Text) { // else it is code within a line
				l.Kind = Code
			}
		case indent < 4 && HeadingLevel(t) > 0:
			l.Kind, inList = Heading, false
		case before == Paragraph && IsUnderline(t):
			lines[i-1].Kind, l.Kind, inList = Heading, Heading, false
		case isBreak(t):
			l.Kind, inList = Break, false
		case strings.HasPrefix(t, ">"):
			l.Kind = Quote
		case strings.HasPrefix(t, "|") || table && strings.Contains(t, "|"):
			l.Kind = Row
		case i+1 < len(lines) && strings.Contains(t, "|") && IsDelimiterRow(lines[i+1].Text):
			l.Kind, table = Row, true
		case ItemText(t) != "" && (inList || indent < 4 || before != Code):
			l.Kind, inList = Item, true
			fence.Read(l.Text)
		case inList && (indent >= 2 || before == Item || before == Continued):
			l.Kind = Continued
		case indent >= 4 && (before == Blank || before == Code):
			l.Kind = Code
		default:
			l.Kind = Paragraph
			inList = inList && before != Blank
		}
		table = table && l.Kind == Row
		inList = inList && (indent >= 2 || l.Kind != Code && l.Kind != Quote && l.Kind != Row)
		before = l.Kind
	}
	return fence.Open() && !fence.item || comment
}

// A Block is some lines that stand together, as indices: an item or a paragraph with the lines that go on
// with it, a quotation, a piece of code, or one line of another kind.
type Block struct {
	From, To int // To is not included
	Kind     Kind
}

// Blocks yields the blocks below the frontmatter, in order, without blank lines. Text that continues an
// item behind another block is a block of the kind Continued.
func (d Doc) Blocks(yield func(Block) bool) {
	for i := d.Front.Lines; i < len(d.Lines); {
		b := Block{i, i + 1, d.Lines[i].Kind}
		for b.To < len(d.Lines) && goesOn(b.Kind, d.Lines[b.To].Kind) {
			b.To++
		}
		if i = b.To; b.Kind != Blank && !yield(b) {
			return
		}
	}
}

// goesOn reports whether a line of the kind next belongs to the block of the kind k that it stands below.
func goesOn(k, next Kind) bool {
	switch k {
	case Paragraph:
		return next == Paragraph || next == Continued
	case Item, Continued, Custom:
		return next == Continued
	}
	return k == next && (k == Quote || k == Code)
}

// Extent returns the index of the line behind a block and all that belongs to it, without blank lines: what
// goes on with an item or stands further in below it, the list that a paragraph introduces, and the exception
// that stands right behind it or its stamp.
func (d Doc) Extent(b Block) int {
	end := b.To
	depth := len(Indent(d.Lines[b.From].Text))
	listed := b.Kind == Item || b.Kind == Custom
	introduces := b.Kind == Paragraph &&
		strings.HasSuffix(strings.TrimRight(d.Lines[b.To-1].Text, " \t*_"), ":")
	for i := end; i < len(d.Lines); i++ {
		l := d.Lines[i]
		if l.Kind == Blank {
			continue
		}
		deeper := l.Kind != Heading && len(Indent(l.Text)) > depth
		item := l.Kind == Item || l.Kind == Custom
		switch {
		case listed && (l.Kind == Continued || deeper), i == end && goesOn(b.Kind, l.Kind):
		case introduces && (item || l.Kind == Continued || l.Kind == Row || l.Kind == Code || deeper):
		case IsStamp(l.Text) && d.exceptionBehind(i):
		case (listed || b.Kind == Paragraph || b.Kind == Quote) && len(Indent(l.Text)) == depth &&
			(item || l.Kind == Paragraph || l.Kind == Quote) && IsException(l.Text):
			for i+1 < len(d.Lines) && goesOn(l.Kind, d.Lines[i+1].Kind) {
				i++
			}
		default:
			return end
		}
		end = i + 1
	}
	return end
}

// exceptionBehind reports whether the next line of text makes an exception.
func (d Doc) exceptionBehind(i int) bool {
	for i++; i < len(d.Lines) && d.Lines[i].Kind == Blank; {
		i++
	}
	return i < len(d.Lines) && d.Lines[i].Kind != Heading && IsException(d.Lines[i].Text)
}

// IsStamp reports whether a line says when the text above it was written, or by whom:
// "_Updated: 2026-11-23_".
func IsStamp(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "_Updated:") || strings.HasPrefix(line, "_Written by:")
}

// IsException reports whether a line begins like one that makes an exception from what stands before it, or
// says nothing without that: "Except Acme", "Not on Fridays, though", "only on weekdays", "Acme is exempt
// from this".
func IsException(line string) bool {
	line = strings.TrimLeft(strings.TrimSpace(line), "> ")
	if said := ItemText(line); said != "" {
		line = said
	}
	line = strings.ToLower(strings.TrimLeft(line, "*_([ "))
	word, rest, _ := strings.Cut(line, " ")
	switch word = strings.TrimRight(word, ",:*_.)]"); {
	case text.OneOf(word, "except excepting excluding exception exceptions unless but however otherwise "+
		"although though sauf außer ausser ausgenommen aber jedoch excepto salvo pero exceto кроме но"):
		return true
	case text.OneOf(word, "not only"):
		return len(strings.Fields(rest)) <= fragment
	case text.OneOf(word, "this that these those it"):
		rest, _, _ = strings.Cut(rest, ".")
		return strings.Contains(rest, "n't hold") || strings.Contains(rest, "n't apply") ||
			strings.Contains(rest, "not hold") || strings.Contains(rest, "not apply")
	}
	for _, p := range [...]string{"no longer ", "除", "但", "ただし", "例外", "단,", "예외"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return strings.Contains(line, "exempt from th") ||
		strings.HasSuffix(strings.TrimRight(line, ". "), "is exempt")
}

// fragment is how many words may follow "only" and "not" in what is no statement of its own.
const fragment = 5

// BlockText returns the text of a block on one line, without the mark of an item.
func (d Doc) BlockText(b Block) string {
	first := d.Lines[b.From].Text
	if said := ItemText(first); said != "" && b.Kind != Code {
		first = said
	}
	if b.To-b.From == 1 {
		return text.OneLine(first)
	}
	var all strings.Builder
	all.WriteString(first)
	for _, l := range d.Lines[b.From+1 : b.To] {
		all.WriteString(" " + l.Text)
	}
	return text.OneLine(all.String())
}

// A Fence follows the fenced blocks of code of a text.
type Fence struct {
	mark string
	item bool // it opened behind the mark of an item, and ends with the item
}

// Read takes the next line of the text, and reports whether it belongs to a block of code, as its fences do.
func (f *Fence) Read(line string) (code bool) {
	t := strings.TrimSpace(line)
	if f.item && t != "" && !IsIndented(line) {
		*f = Fence{}
	}
	if f.mark == "" {
		f.mark = FenceMark(t)
		if f.item = f.mark == "" && FenceMark(ItemText(t)) != ""; f.item {
			f.mark = FenceMark(ItemText(t))
		}
		return f.mark != ""
	}
	if strings.HasPrefix(t, f.mark) && strings.Trim(t, f.mark[:1]) == "" {
		*f = Fence{}
	}
	return true
}

// Open reports whether the next line is still in a block of code.
func (f Fence) Open() bool { return f.mark != "" }

// FenceMark returns the three or more backticks or tildes that open a block of code at the beginning of a
// line. It is "" if the line opens none.
func FenceMark(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") { // which is code within a line
		return ""
	}
	return line[:n]
}

func isBreak(t string) bool {
	if c := t[0]; c != '-' && c != '*' && c != '_' {
		return false
	}
	s := strings.ReplaceAll(t, " ", "")
	return len(s) >= 3 && strings.Trim(s, s[:1]) == ""
}

// ItemText returns the text of an item of a list, without its mark; "" for any other line.
func ItemText(line string) string {
	t := strings.TrimSpace(line)
	if len(t) > 2 && (t[0] == '-' || t[0] == '*' || t[0] == '+') && (t[1] == ' ' || t[1] == '\t') {
		return strings.TrimSpace(t[2:])
	}
	n := 0
	for n < len(t) && n < 9 && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	if n > 0 && n+2 < len(t) && (t[n] == '.' || t[n] == ')') && (t[n+1] == ' ' || t[n+1] == '\t') {
		return strings.TrimSpace(t[n+2:])
	}
	return ""
}

// ItemStart returns the offset of an item's text in its line, in bytes; 0 for any other line.
func ItemStart(line string) int {
	text := ItemText(line)
	if text == "" {
		return 0
	}
	return len(strings.TrimRightFunc(line, unicode.IsSpace)) - len(text)
}

// TrimMarks returns a line without what marks an item, a quotation or a row.
func TrimMarks(text string) string {
	t := strings.TrimSpace(text)
	if s := ItemText(t); s != "" {
		return s
	}
	return strings.TrimSpace(strings.Trim(t, ">|"))
}

// PlainText returns a line without the marks of lists, links, headings and emphasis.
func PlainText(line string) string {
	t := strings.ReplaceAll(TrimMarks(line), "![", "[") // an image
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
		t = strings.TrimPrefix(t, box)
	}
	t = Title(t)
	for {
		i := strings.IndexByte(t, '[')
		if i < 0 {
			break
		}
		title, _, rest, ok := ParseLink(t[i:])
		if !ok {
			break
		}
		t = t[:i] + title + rest
	}
	return text.FlatLine(plainMarks.Replace(t))
}

// plainMarks is one for all lines: building it takes longer than a line.
var plainMarks = strings.NewReplacer("**", "", "__", "", "`", "", "|", " ", "[", "", "]", "", "<", "", ">",
	"",
	"\x00", "")
