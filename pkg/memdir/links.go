package memdir

import (
	"path"
	"slices"
	"strings"
)

// relinked is a text with other targets of its links. Code within it stays.
func relinked(text string, other func(target string) string) string {
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

// redirect is relinked by the paths of links, without their anchors.
func redirect(text string, to func(path string) string) string {
	return relinked(text, func(target string) string {
		if p, anchor, ok := strings.Cut(target, "#"); ok {
			return to(p) + "#" + anchor
		}
		return to(target)
	})
}

// reaches is the file that a link in a text leads to, from the folder that the text
// lies in or from the top; false for none.
func (v *view) reaches(folder, target string) (to string, ok bool) {
	if target == "" || strings.HasPrefix(target, "/") || strings.Contains(target, "://") {
		return "", false
	}
	target = ref("", target).Target
	if to = path.Join(folder, target); v.at[to] == nil {
		to = path.Clean(target)
	}
	return to, v.at[to] != nil
}

// carried are lines of one file as they stand in another one: links to files of the
// directory lead there from the new place. went says to which file the heading of an
// anchor goes, "" where it stays; without it links within the file are left alone.
func (v *view) carried(lines []Line, from, to string, went func(anchor string) string) []Line {
	out := slices.Clone(lines)
	for i, l := range out {
		if l.Kind == Code || !strings.Contains(l.Text, "](") {
			continue
		}
		out[i].Text = relinked(l.Text, func(target string) string {
			p, anchor, _ := strings.Cut(target, "#")
			if p != "" {
				if there, ok := v.reaches(path.Dir(from), p); ok && path.Dir(from) != path.Dir(to) {
					if there = LinkTo(to, there); strings.Contains(p, "%") {
						there = strings.ReplaceAll(there, " ", "%20")
					}
					return there + target[len(p):]
				}
				return target
			}
			if went == nil {
				return target
			}
			switch p := went(anchor); {
			case p == to, p == "" && from == to:
				return target
			case p != "":
				return LinkTo(to, p)
			}
			return LinkTo(to, from) + target
		})
	}
	return out
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
