package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// The dialog shows about seven lines of a reason at 80x24. A deny is read behind "PreToolUse:<tool> hook
// error: ".
const (
	MaxLines = 5
	MaxRunes = 100
)

// Reason returns as many lines as there is room for above last, each with invisible characters made visible.
func Reason(lines []string, last string) string {
	tail := strings.Split(last, "\n")
	all := slices.Concat(lines[:max(1, min(len(lines), MaxLines-len(tail)))], tail)
	for i, l := range all {
		all[i] = Line(l)
	}
	return strings.Join(all, "\n")
}

// Line returns s on one line with invisible characters made visible, cut at MaxRunes characters.
func Line(s string) string {
	var b strings.Builder
	n := 0
	for t := range text.SafeRunes(s) {
		if n += utf8.RuneCountInString(t); n > MaxRunes-1 {
			b.WriteString("…")
			break
		}
		b.WriteString(t)
	}
	return strings.TrimRight(b.String(), " ")
}
