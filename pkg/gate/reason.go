package gate

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The dialog shows about seven lines of reason at 80x24, and a deny is read
// behind "PreToolUse:<tool> hook error: ".
const (
	maxLines = 5
	maxRunes = 100
)

// reason words a verdict: what is at stake and where to, then why (ask) or what
// to do instead (deny).
func reason(r *rule, f *finding, d Decision) string {
	lines := make([]string, 0, maxLines)
	first := r.says
	if f.subject != "" {
		first += ": " + f.subject
	}
	lines = append(lines, first)
	last := r.because
	if d == Deny {
		last = r.remedy
	}
	tail := strings.Split(last, "\n")
	for _, d := range f.details {
		if len(lines)+len(tail) < maxLines {
			lines = append(lines, d)
		}
	}
	lines = append(lines, tail...)
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(visible(l))
	}
	return b.String()
}

// visible makes one line of s safe to show: what a terminal would obey or hide
// (control and escape sequences, bidirectional overrides, zero-width and other
// invisible characters, broken UTF-8) is spelled out, and the line is cut at
// maxRunes characters. Runs of combining marks are cut at two.
func visible(s string) string {
	var b strings.Builder
	n, marks := 0, 0
	put := func(t string) bool {
		if n += utf8.RuneCountInString(t); n > maxRunes-1 {
			b.WriteString("…")
			return false
		}
		b.WriteString(t)
		return true
	}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if combining(r) {
			marks++
		} else {
			marks = 0
		}
		var t string
		switch {
		case r == utf8.RuneError && size == 1:
			t = `\x` + strconv.FormatUint(uint64(s[0]), 16)
		case r == '\n' || r == '\r' || r == '\t':
			t = " "
		case !strconv.IsPrint(r) || blank(r):
			t = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
		case marks > 2:
			t = ""
		default:
			t = s[:size]
		}
		s = s[size:]
		if !put(t) {
			break
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// blank reports characters that count as printable and show nothing: fillers,
// variation selectors and the like.
func blank(r rune) bool {
	switch {
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF, r >= 0x180B && r <= 0x180F:
		return true
	}
	return false
}

// combining reports the marks that stack on the character before them.
func combining(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0x20D0 && r <= 0x20FF || r >= 0xFE20 && r <= 0xFE2F || r >= 0x0483 && r <= 0x0489
}
