package memdir

import (
	"path"
	"slices"
	"strings"
)

// moved are lines that go from one file to another, with their links as they have to
// be there: paths from the new folder, and "#heading" as a place of the old file, or
// wherever section says that its heading went. What links lead to by a name is not
// looked at here.
func moved(lines []Line, from, to string, section func(anchor string) string) []Line {
	out := slices.Clone(lines)
	for i, l := range out {
		if l.Kind == Code || !strings.Contains(l.Text, "](") {
			continue
		}
		out[i].Text = relinkedText(l.Text, func(target string) string {
			if anchor, ok := strings.CutPrefix(target, "#"); ok {
				if p := section(anchor); p == to {
					return target
				} else if p != "" {
					return linked(to, p)
				}
				return linked(to, from) + target
			}
			p, anchor, _ := strings.Cut(target, "#")
			if path.Dir(from) == path.Dir(to) || !local(p) || strings.Contains(p, ":") {
				return target
			}
			return strings.TrimSuffix(linked(to, path.Join(path.Dir(from), p))+"#"+anchor, "#")
		})
	}
	return out
}

// relinkedText is a line with other targets of its links. Code within it stays.
func relinkedText(text string, other func(target string) string) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`':
			if n := strings.IndexByte(text[i+1:], '`'); n >= 0 {
				i += n + 1
			}
		case strings.HasPrefix(text[i:], "]("):
			from := i + len("](")
			target, rest, ok := targetAt(text[from:])
			if !ok || target == "" {
				continue
			}
			at := from + strings.Index(text[from:], target)
			b.WriteString(text[done:at] + other(target))
			done = at + len(target)
			i = len(text) - len(rest) - 1
		}
	}
	return b.String() + text[done:]
}

// anchorOf is what a link writes that leads to a heading.
func anchorOf(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(flat(title)) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || !notWord(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
