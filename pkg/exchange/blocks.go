package exchange

import (
	"strings"
	"unicode"
)

// A block is a part of a Markdown text that begins on a line of its own. Its
// text is as it was written.
type block struct {
	kind       kind
	level      int // of a heading, 1..6
	text       string
	start, end int  // in the source, in bytes; whole lines
	margin     int  // columns that belong to what it stands in
	mark       byte // of a list: - * + . )
	closed     bool // nothing goes on with it
}

type kind int

const (
	isParagraph kind = iota
	isHeading
	isList
	isItem
	isOther // code, a quotation, a table, HTML, a rule, what a link is called
)

// blocks takes a Markdown text apart at its top level, line by line, as people
// write instructions: what stands behind a blank line and is not indented is a
// block of its own. Where CommonMark is finer (a paragraph that goes on in a
// quotation, HTML within a line), a text may end up in the block beside. Put
// together again, the texts are the source: nothing is lost between them.
func blocks(src []byte) []block { return parts(src, block{end: len(src)}) }

// maxMargin is how far to the right, in columns, lists in lists are looked for.
const maxMargin = 80

// parts are the blocks in a container: a document or an entry of a list.
func parts(src []byte, in block) (all []block) {
	if in.margin > maxMargin {
		return texts([]block{{kind: isParagraph}}, src, in)
	}
	fence, gap := "", true
	eachLine(src, in, func(at int, text string) {
		bare := strings.TrimSpace(text)
		if fence != "" || bare == "" {
			if gap = fence == ""; fence != "" && closes(bare, fence) {
				fence = ""
			}
			return
		}
		b := begin(text)
		fence = opens(text)
		last := len(all) - 1
		switch {
		case last >= 0 && all[last].kind == isParagraph && !gap && underlines(bare):
			all[last].kind, all[last].level = isHeading, 2
			if bare[0] == '=' {
				all[last].level = 1
			}
		case last < 0 || !all[last].goesOn(b, text, gap):
			b.start, b.margin = at, in.margin
			all = append(all, b)
		}
		gap = false
	})
	return texts(all, src, in)
}

// goesOn says whether a line that could begin a block n is of b, which stands
// before it, with or without a blank line between.
func (b block) goesOn(n block, text string, gap bool) bool {
	switch b.kind {
	case isList:
		return n.kind == isList && n.mark == b.mark || indent(text) >= 2 || !gap && n.kind == isParagraph
	case isParagraph:
		return !gap && (n.kind == isParagraph || indent(text) >= 4 || n.kind == isList && ordered(text) && !strings.HasPrefix(strings.TrimSpace(text), "1"))
	case isOther:
		return !b.closed && (!gap && (n.kind == isParagraph || n.kind == isOther && !n.closed) || indent(text) >= 4)
	}
	return false
}

// items are the entries of a list, without their bullets and with their own lists.
func (b block) items(src []byte) (all []block) {
	fence, width := "", 0
	eachLine(src, b, func(at int, text string) {
		bare := strings.TrimSpace(text)
		if fence != "" {
			if closes(bare, fence) {
				fence = ""
			}
			return
		}
		fence = opens(text)
		if w := marker(text); w > 0 && (len(all) == 0 || indent(text) < width) {
			width = w
			all = append(all, block{kind: isItem, start: at, margin: b.margin + w})
		}
	})
	all = texts(all, src, b)
	for i, it := range all {
		all[i].text = withoutMarker(it.text)
	}
	return all
}

// texts gives each block what stands up to the next; together they are all of
// the container.
func texts(all []block, src []byte, in block) []block {
	if len(all) == 0 && in.kind != isItem && in.start < in.end {
		all = []block{{kind: isOther}}
	}
	for i := range all {
		if i == 0 {
			all[i].start = in.start
		}
		all[i].end = in.end
		if i+1 < len(all) {
			all[i].end = all[i+1].start
		}
		all[i].text = string(src[all[i].start:all[i].end])
	}
	return all
}

// eachLine calls see with the lines of a container: where each begins in the
// source, and what is left of it without the margin. A bullet is margin as well.
func eachLine(src []byte, in block, see func(at int, text string)) {
	at := in.start
	for line := range strings.Lines(string(src[in.start:in.end])) {
		text := strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
		cut := min(in.margin, indent(text))
		if in.kind == isItem && at == in.start {
			cut = min(in.margin, len(text))
		}
		see(at, text[cut:])
		at += len(line)
	}
}

// begin is the block that a line begins where none goes on.
func begin(text string) block {
	bare := strings.TrimSpace(text)
	level := len(bare) - len(strings.TrimLeft(bare, "#"))
	switch {
	case indent(text) >= 4:
		return block{kind: isOther}
	case level >= 1 && level <= 6 && (len(bare) == level || bare[level] == ' '):
		return block{kind: isHeading, level: level}
	case opens(bare) != "" && marker(text) == 0, rule(bare), strings.HasPrefix(bare, "<!--"):
		return block{kind: isOther, closed: true}
	case bare[0] == '>', bare[0] == '|', bare[0] == '[' && strings.Contains(bare, "]: "), tag(bare):
		return block{kind: isOther}
	case marker(text) > 0:
		return block{kind: isList, mark: strings.TrimLeft(bare, "0123456789")[0]}
	}
	return block{kind: isParagraph}
}

// opens is the fence of code that a line opens, behind bullets too, or the end of
// a comment that does not end on it; "" for none.
func opens(text string) string {
	for range maxMargin / 2 {
		w := marker(text)
		if w == 0 {
			break
		}
		text = text[min(w, len(text)):]
	}
	bare := strings.TrimSpace(text)
	if strings.HasPrefix(bare, "<!--") && !strings.Contains(bare, "-->") {
		return "-->"
	}
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(bare, c)
		if n := len(bare) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return bare[:n]
		}
	}
	return ""
}

func closes(bare, fence string) bool {
	if fence == "-->" {
		return strings.Contains(bare, fence)
	}
	return strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == ""
}

// rule tells a line across: three or more of one character. No long one is meant
// as such.
func rule(bare string) bool {
	if len(bare) > 200 {
		return false
	}
	s := strings.ReplaceAll(bare, " ", "")
	return len(s) >= 3 && (strings.Trim(s, "-") == "" || strings.Trim(s, "*") == "" || strings.Trim(s, "_") == "")
}

func underlines(bare string) bool {
	return strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == ""
}

// tag tells a line that begins with HTML: "<div>", "</p>", not "<https://…>".
func tag(bare string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(bare, "<"), "/")
	end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
	return bare[0] == '<' && end > 0 && strings.IndexByte(" />", name[end]) >= 0
}

// marker is the width of the bullet or number that a line begins with, up to the
// text behind it; 0 for none.
func marker(text string) int {
	n := indent(text)
	if n >= 4 || rule(strings.TrimSpace(text)) {
		return 0
	}
	rest := text[n:]
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	after := strings.TrimLeft(rest[digits:], "-*+")
	if digits > 0 {
		after = strings.TrimLeft(rest[digits:], ".)")
	}
	if width := len(rest) - len(after); width != digits+1 || digits > 9 || after != "" && after[0] != ' ' {
		return 0
	}
	space := indent(after)
	if space == 0 || space > 4 || space == len(after) {
		space = 1
	}
	return len(text) - len(after) + space
}

func ordered(text string) bool { return unicode.IsDigit(rune(strings.TrimSpace(text)[0])) }

// indent is how many spaces a line begins with; tabs are spaces by now.
func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// withoutMarker takes the bullet or number and the indentation that goes with it
// off a list item.
func withoutMarker(s string) string {
	s = strings.TrimRight(s, " \t\n")
	trimmed := strings.TrimLeft(s, " \t\n")
	i := strings.IndexAny(trimmed, " \t")
	if i < 0 {
		return strings.Trim(trimmed, "-*+")
	}
	if mark := trimmed[:i]; strings.Trim(mark, "-*+") != "" && strings.Trim(mark, "0123456789.)") != "" {
		return trimmed
	}
	width := i + 1
	lines := strings.Split(trimmed[width:], "\n")
	for k, l := range lines[1:] {
		n := 0
		for n < len(l) && n < width && (l[n] == ' ' || l[n] == '\t') {
			n++
		}
		lines[k+1] = l[n:]
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), " \t")
}

// heading is the text of a heading, and its level; 0 for anything else.
func (b block) heading() (string, int) {
	if b.kind != isHeading {
		return "", 0
	}
	title, _, _ := strings.Cut(strings.TrimSpace(b.text), "\n")
	return strings.Trim(title, "# \t"), b.level
}
