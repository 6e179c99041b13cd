package gate

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/spell"
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

// visible is spelled out, cut at maxRunes characters.
func visible(s string) string {
	var b strings.Builder
	n := 0
	for t := range spell.Runes(s) {
		if n += utf8.RuneCountInString(t); n > maxRunes-1 {
			b.WriteString("…")
			break
		}
		b.WriteString(t)
	}
	return strings.TrimRight(b.String(), " ")
}
