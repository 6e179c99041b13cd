package memdir

import (
	"strings"
	"unicode/utf8"
)

// IndexLine prints the line of an index that leads to a file, in the profile's
// form. The hook is shortened until the line is short enough for lint; date is for
// a routing table only.
func IndexLine(p Profile, title, target, hook, date string) string {
	title, hook = strings.Join(strings.Fields(title), " "), strings.Join(strings.Fields(hook), " ")
	before, after := "", ""
	switch p.Form {
	case Keyword:
		before, after = "- **"+strings.ReplaceAll(title, "*", "")+"**: ", " → `"+target+"`"
	case Table:
		title, hook = cell(title), cell(hook)
		before, after = "| ["+link(title)+"]("+escaped(target)+") | ", " | "+date+" |"
	default:
		before = "- [" + link(title) + "](" + escaped(target) + ") — "
	}
	return before + Cut(hook, maxHook-utf8.RuneCountInString(before+after)) + after
}

// Cut shortens a text to at most n characters, at the end of a word where there is
// one.
func Cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	s = string(r[:max(n-1, 0)])
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:.") + "…"
}

// link is the title of a link: brackets would end it.
func link(s string) string { return strings.NewReplacer("[", "(", "]", ")").Replace(s) }

// cell is the text of a cell: a bar would end it.
func cell(s string) string { return strings.ReplaceAll(s, "|", "/") }

// escaped is the target of a link with what would end it.
func escaped(s string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "#", "%23").Replace(s)
}
