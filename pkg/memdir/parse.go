package memdir

import (
	"strings"

	"keepsake/pkg/markdown"
)

// Kind is what a line is.
type Kind uint8

const (
	Blank     Kind = iota
	Front          // frontmatter with its two rules
	Heading        // "# Title", or a line that is underlined, with that line
	Item           // of a list
	Pointer        // an item that leads to a file of the directory
	Row            // of a table
	Paragraph      // text
	More           // goes on with the item above
	Quote          // "> text"
	Code           // fenced or indented, with its fences
	Comment        // of HTML
	Break          // "---"
)

// A Line is one line of a file, its ending apart from it.
type Line struct {
	Text, End string
	Kind      Kind
}

// A Doc is a parsed file.
type Doc struct {
	Mark  bool // it begins with a byte order mark
	Lines []Line
	Head  Head
}

const mark = "\ufeff"

// Parse takes any file apart. What it can't make sense of is text.
func Parse(b []byte) Doc {
	var d Doc
	s := string(b)
	s, d.Mark = strings.CutPrefix(s, mark)
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
	d.Head = readHead(d.Lines)
	for i := range d.Head.Lines {
		d.Lines[i].Kind = Front
	}
	kinds(d.Lines[d.Head.Lines:])
	return d
}

// Print is the file again, as its lines are now.
func (d Doc) Print() []byte {
	var b strings.Builder
	if d.Mark {
		b.WriteString(mark)
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

// body are the lines below the frontmatter.
func (d Doc) body() []Line { return d.Lines[d.Head.Lines:] }

// maxLine is how much of a line is looked at for paths and dates, in bytes. What
// a person or an agent writes for others to read has no longer ones.
const maxLine = 4096

// begin is as much of a line as is looked at.
func begin(s string) string { return s[:min(len(s), maxLine)] }

// kinds says of each line what it is.
func kinds(lines []Line) {
	fence := ""      // what closes the code that we are in
	comment := false // in a comment that is still open
	inList := false  // since the last item nothing ended its list
	var before Kind  // of the line above
	table := false   // in a table without outer bars
	for i := range lines {
		l := &lines[i]
		t := strings.TrimSpace(l.Text)
		indent := len(l.Text) - len(strings.TrimLeft(l.Text, " \t"))
		switch {
		case fence != "":
			l.Kind = Code
			if strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
				fence = ""
			}
		case comment:
			l.Kind = Comment
			comment = !strings.Contains(t, "-->")
		case t == "":
			l.Kind = Blank
		case strings.HasPrefix(t, "<!--"):
			l.Kind = Comment
			comment = !strings.Contains(t, "-->")
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			l.Kind = Code
			fence = t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
			if t[0] == '`' && strings.Contains(t[len(fence):], "`") {
				l.Kind, fence = Paragraph, "" // code within a line
			}
		case indent < 4 && heading(t) > 0:
			l.Kind, inList = Heading, false
		case before == Paragraph && underline(t):
			lines[i-1].Kind, l.Kind, inList = Heading, Heading, false
		case rule(t):
			l.Kind, inList = Break, false
		case strings.HasPrefix(t, ">"):
			l.Kind = Quote
		case strings.HasPrefix(t, "|") || table && strings.Contains(t, "|"):
			l.Kind = Row
		case i+1 < len(lines) && strings.Contains(t, "|") && delimiter(lines[i+1].Text):
			l.Kind, table = Row, true
		case item(t) != "" && (inList || indent < 4 || before != Code):
			l.Kind, inList = Item, true
			if refs := refsOfItem(item(t)); len(refs) > 0 {
				l.Kind = Pointer
			}
		case inList && (indent >= 2 || before == Item || before == Pointer || before == More):
			l.Kind = More
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
}

// heading returns the level of a heading, 0 for none.
func heading(t string) int {
	level, _ := markdown.ParseHeading(t)
	return level
}

func underline(t string) bool {
	return strings.Trim(t, "=") == "" || len(t) > 1 && strings.Trim(t, "-") == ""
}

func rule(t string) bool {
	if c := t[0]; c != '-' && c != '*' && c != '_' {
		return false
	}
	s := strings.ReplaceAll(t, " ", "")
	return len(s) >= 3 && strings.Trim(s, s[:1]) == ""
}

// delimiter tells the line below the head of a table.
func delimiter(t string) bool {
	return strings.Contains(t, "|") && strings.Contains(t, "--") && strings.Trim(t, "|-: \t") == ""
}

// item is the text of an item of a list, "" for what is none.
func item(t string) string {
	if len(t) > 2 && (t[0] == '-' || t[0] == '*' || t[0] == '+') && (t[1] == ' ' || t[1] == '\t') {
		return strings.TrimSpace(t[2:])
	}
	n := 0
	for n < len(t) && n < 9 && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	if n > 0 && n+2 < len(t) && (t[n] == '.' || t[n] == ')') && t[n+1] == ' ' {
		return strings.TrimSpace(t[n+2:])
	}
	return ""
}
