package triage

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/capture/stance"
	"keepsake/pkg/markdown"
)

// statement is a sentence, a heading or a list item.
type statement struct {
	text     []byte // as written; valid until the next statement
	mask     []byte // the same bytes, with everything masked that its author did not say
	line     int    // of the passage, at which it begins
	block    int    // index of its paragraph in the passage
	piece    int    // index of the line or item it is from, in the passage
	size     int    // bytes of that piece
	heading  bool
	item     bool // of a list
	question bool
	glued    bool // no blank stands between it and the one before, as behind a Chinese full stop
}

// reader cuts passages into statements. It leaves out everything its author did not say: fenced and inline
// code, quotations, tables, URLs and paths, logs and stack traces, and what Keepsake itself said. Its state
// ends with the passage, so an unclosed fence costs at most its own line.
type reader struct {
	text, mask []byte // of the block being gathered
	lines      []int  // offsets in text of its lines
	first      int    // line of the passage where the block begins
	blocks     int
	pieces     int
	heading    bool   // the block being gathered is one
	item       bool   // it is an item of a list
	noClose    [2]int // by fence character: no closing fence of at least this length follows
	noTag      bool   // no closing tag of ours follows
}

// maxStatement is the longest statement in bytes; longer ones are cut in pieces.
const maxStatement = maxText

// eachStatement calls each for every statement of a passage, in order.
func (r *reader) eachStatement(text string, each func(statement)) {
	r.blocks, r.pieces, r.noClose, r.noTag = 0, 0, [2]int{1 << 30, 1 << 30}, false
	r.begin(0)
	n := 0
	below := false // the last line gave a source; recall prints what it found below it, indented
	for rest := text; rest != ""; n++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		body := strings.TrimSpace(line)
		below = strings.Contains(line, sourced) || below && body != "" && (line[0] == ' ' || line[0] == '\t')
		switch {
		case body == "", below:
			r.end(each)
		case fenceLen(body) > 0:
			r.end(each)
			skipped, left := r.skipFence(body, rest)
			n, rest = n+skipped, left
		case strings.HasPrefix(body, "<") && ownTag(body) != "":
			r.end(each)
			skipped, left := r.skipTag(body, rest)
			n, rest = n+skipped, left
		case body[0] == '>' || body[0] == '|' || isRule(body) || isOwn(body) || isMachine(body):
			r.end(each)
		case body[0] == '#' && isHeading(body):
			r.end(each)
			if title := markdown.Title(body); title != "" {
				r.begin(n)
				r.add(title)
				r.heading = true
				r.end(each)
			}
		default:
			if item, ok := cutBullet(body); ok {
				r.end(each)
				body, r.item = item, true
			}
			// A short line was not wrapped, so its author meant to end it.
			if len(r.lines) > 0 && len(r.text)-r.lines[len(r.lines)-1] < 50 {
				r.split(each)
				r.begin(n)
			}
			if len(r.lines) == 0 {
				r.begin(n)
			}
			if body != "" {
				r.add(body)
			}
		}
	}
	r.end(each)
}

// begin starts a block at a line of the passage.
func (r *reader) begin(line int) {
	r.text, r.lines, r.first = r.text[:0], r.lines[:0], line
}

// add adds a line to the block.
func (r *reader) add(line string) {
	if len(r.text) > 0 {
		r.text = append(r.text, ' ')
	}
	r.lines = append(r.lines, len(r.text))
	r.text = append(r.text, line...)
}

// end ends a paragraph.
func (r *reader) end(each func(statement)) {
	r.split(each)
	r.begin(0)
	r.blocks++
	r.heading, r.item = false, false
}

// split passes on the statements in the block.
func (r *reader) split(each func(statement)) {
	if len(r.text) == 0 {
		return
	}
	r.mask = mask(r.mask[:0], r.text)
	r.pieces++
	line := 0
	for from := 0; from < len(r.mask); {
		to, question := sentenceEnd(r.mask, from)
		for line+1 < len(r.lines) && r.lines[line+1] <= from {
			line++
		}
		text := r.text[from:to]
		if lead := len(text) - len(bytes.TrimLeft(text, " \t")); lead < len(text) {
			each(statement{
				text: text[lead:], mask: r.mask[from+lead : to],
				line: r.first + line, block: r.blocks, piece: r.pieces, size: len(r.text),
				heading: r.heading, item: r.item, question: question, glued: lead == 0 && from > 0,
			})
		}
		from = to
	}
}

// sentenceEnd returns the end of the sentence that begins at from, and whether it is a question.
func sentenceEnd(mask []byte, from int) (to int, question bool) {
	for i := from; i < len(mask); i++ {
		switch mask[i] {
		case '.', '!', '?':
		default:
			if i-from >= maxStatement && mask[i] == ' ' {
				return i, false
			}
			continue
		}
		question := mask[i] == '?'
		wide := isWideStop(mask, i)
		j := i + 1
		for j < len(mask) && strings.IndexByte(".!?)]*_\"'~", mask[j]) >= 0 || j < len(mask) &&
			mask[j] == filler {
			question = question || mask[j] == '?'
			j++
		}
		if j == len(mask) || wide {
			return j, question
		}
		if mask[j] == ' ' && (question || mask[i] == '!' || !isAbbreviation(mask[from:i])) {
			return j, question
		}
	}
	return len(mask), false
}

// isAbbreviation reports whether the full stop after text belongs to an abbreviation, an initial or the
// number of a list rather than to a sentence.
func isAbbreviation(text []byte) bool {
	i := len(text)
	for i > 0 && text[i-1] != ' ' && text[i-1] != '(' {
		i--
	}
	word := text[i:]
	if len(word) == 0 {
		return false
	}
	if len(word) == 1 || len(word) <= 2 && word[0] >= '0' && word[0] <= '9' {
		return stance.IsWordByte(word[0])
	}
	var low [8]byte
	for i, c := range word[:min(len(word), len(low))] {
		low[i] = c | 0x20 // enough for letters and the dots between them
	}
	switch string(low[:min(len(word), len(low))]) {
	case "e.g", "i.e", "etc", "vs", "cf", "mr", "mrs", "dr", "approx", "fig", "resp", "incl", "max", "min",
		"ca", "eg", "ie":
		return true
	}
	return false
}

// fenceLen returns the number of characters of the code fence with which line begins, or 0. A fence may stand
// behind the mark of a list item.
func fenceLen(line string) int {
	if item, ok := cutBullet(line); ok {
		line = item
	}
	return len(markdown.FenceMark(line))
}

func isHeading(line string) bool {
	level, _ := markdown.ParseHeading(line)
	return level > 0
}

// skipFence returns how many lines of rest belong to the code block that line opens, and the text after them.
// A fence that is never closed opens no block here: what stands behind it was mostly said.
func (r *reader) skipFence(line, rest string) (skipped int, left string) {
	if item, ok := cutBullet(line); ok {
		line = item
	}
	size, kind := fenceLen(line), 0
	if line[0] == '~' {
		kind = 1
	}
	if size >= r.noClose[kind] {
		return 0, rest
	}
	var fence markdown.Fence
	fence.Read(line)
	for left = rest; left != ""; {
		var l string
		l, left, _ = strings.Cut(left, "\n")
		skipped++
		if fence.Read(l); !fence.Open() {
			return skipped, left
		}
	}
	r.noClose[kind] = size
	return 0, rest
}

// skipTag does the work of skipFence for one of Keepsake's own elements.
func (r *reader) skipTag(line, rest string) (skipped int, left string) {
	end := "</" + ownTag(line)
	if r.noTag || strings.Contains(line, end) {
		return 0, rest
	}
	i := strings.Index(rest, end)
	if i < 0 {
		r.noTag = true
		return 0, rest
	}
	_, left, _ = strings.Cut(rest[i:], "\n")
	return strings.Count(rest[:len(rest)-len(left)], "\n"), left
}

// cutBullet returns a line without the mark of a list item: "- ", "* ", "12. ", "[x] ".
func cutBullet(line string) (string, bool) {
	item, ok := line, false
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if after, cut := strings.CutPrefix(item, mark); cut {
			item, ok = strings.TrimLeft(after, " "), true
			break
		}
	}
	if !ok {
		digits := len(item) - len(strings.TrimLeft(item, "0123456789"))
		if digits > 0 && digits <= 3 && len(item) > digits+1 &&
			(item[digits] == '.' || item[digits] == ')') && item[digits+1] == ' ' {
			item, ok = strings.TrimLeft(item[digits+2:], " "), true
		}
	}
	if ok && len(item) > 3 && item[0] == '[' && item[2] == ']' {
		item = strings.TrimLeft(item[3:], " ")
	}
	return item, ok
}

// isRule reports whether a line is only a drawn line.
func isRule(line string) bool {
	return strings.Trim(line, "-=*_~ +|") == ""
}

// mask appends text to dst. It replaces, byte for byte, what its author did not say, and folds apostrophes
// and dashes to ASCII.
func mask(dst, text []byte) []byte {
	base := len(dst)
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' {
				c = ' '
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch r {
		case '’', '‘', 'ʼ':
			dst = append(dst, '\'')
		case '“', '”', '„', '«', '»':
			dst = append(dst, '"')
		case '—', '–', '…':
			dst = append(dst, ',')
		case '。', '．':
			dst = append(dst, '.')
		case '！':
			dst = append(dst, '!')
		case '？':
			dst = append(dst, '?')
		default:
			if unicode.IsLetter(r) || unicode.IsMark(r) {
				dst = append(dst, text[i:i+size]...)
			} else {
				dst = append(dst, "    "[:size]...)
			}
			i += size
			continue
		}
		for range size - 1 {
			dst = append(dst, filler)
		}
		i += size
	}
	m := dst[base:]
	maskCode(m)
	maskQuotes(m)
	maskNames(m)
	return dst
}

func maskBytes(b []byte) {
	for i := range b {
		b[i] = masked
	}
}

// maskCode masks `code spans`. Backticks that no run of the same length closes are just backticks.
func maskCode(m []byte) {
	var open [8]int // by length, where the next opening run begins, plus one
	for i := 0; i < len(m); {
		if m[i] != '`' {
			i++
			continue
		}
		from := i
		for i < len(m) && m[i] == '`' {
			i++
		}
		n := i - from
		if n >= len(open) {
			continue
		}
		if open[n] == 0 {
			open[n] = from + 1
			continue
		}
		maskBytes(m[open[n]-1 : i])
		clear(open[:]) // runs inside the span opened nothing
	}
}

// maskQuotes masks text in double quotes, and in single quotes where they cannot be apostrophes.
func maskQuotes(m []byte) {
	stance.EachQuotation(m, func(from, to int) { maskBytes(m[from:to]) })
}

// maskNames masks what is written for machines: URLs, paths, file names, identifiers, tags.
func maskNames(m []byte) {
	for i := 0; i < len(m); {
		if m[i] == ' ' || m[i] == filler || isWideStop(m, i) {
			i++
			continue
		}
		from := i
		for i < len(m) && m[i] != ' ' && !isWideStop(m, i) {
			i++
		}
		a, b := from, i
		for a < b && strings.IndexByte("([*_\"'~", m[a]) >= 0 {
			a++
		}
		for b > a && strings.IndexByte(")]*_\"'~,.;:!?", m[b-1]) >= 0 {
			b--
		}
		if isName(m[a:b]) {
			maskBytes(m[a:b])
		}
	}
}

// isWideStop reports whether a full stop of Chinese or Japanese is at i. No blank stands behind one, so that
// it ends a word.
func isWideStop(m []byte, i int) bool {
	return i+1 < len(m) && m[i+1] == filler && (m[i] == '.' || m[i] == '!' || m[i] == '?')
}

func isName(w []byte) bool {
	slashes, dot := 0, false
	for i, c := range w {
		switch c {
		case '_', '=', '(', ')', '{', '}', '[', ']', '<', '>', '@', '$', '\\', '|', '#':
			return true
		case '/':
			slashes++
		case '.':
			dot = dot || i > 1 && i+1 < len(w) && w[i+1] != '.' // not in "e.g"
		case ':':
			if i+1 < len(w) && stance.IsWordByte(w[i+1]) {
				return true
			}
		}
	}
	return dot || slashes > 1 || slashes == 1 && (w[0] == '/' || w[0] == '~')
}
