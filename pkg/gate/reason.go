package gate

import (
	"slices"
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

// reason words a verdict: what is at stake and where to, then what to know about
// the text, then why (ask) or what to do instead (deny).
func (j *judge) reason(r *rule, d Decision) string {
	f := j.found
	first, details := r.says, f.details
	if r.checkpoint == MemPalaceWrite && r.answer == Ask {
		p := j.look()
		if p.rows > dialogRows {
			first += ", " + strconv.Itoa(p.rows) + " lines (see keepsake review)"
		}
		details = slices.Concat(details, p.flags(), j.near(p.text))
	}
	if f.subject != "" {
		first += ": " + f.subject
	}
	last := r.because
	if d == Deny {
		last = r.remedy
	}
	return joined(append([]string{first}, details...), last)
}

// joined is as many lines as there is room for above the last ones, each made
// visible.
func joined(lines []string, last string) string {
	tail := strings.Split(last, "\n")
	all := slices.Concat(lines[:max(1, min(len(lines), maxLines-len(tail)))], tail)
	for i, l := range all {
		all[i] = visible(l)
	}
	return strings.Join(all, "\n")
}

// visible is Spelled, cut at maxRunes characters.
func visible(s string) string {
	var b strings.Builder
	n := 0
	for t := range spelling(s) {
		if n += utf8.RuneCountInString(t); n > maxRunes-1 {
			b.WriteString("…")
			break
		}
		b.WriteString(t)
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
