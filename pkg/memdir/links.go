package memdir

import (
	"path"
	"strings"
)

// redirect puts the paths of the links of a text, without their anchors, through a
// function.
func redirect(text string, to func(target string) string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "](")
		if i < 0 {
			break
		}
		i += len("](")
		n := strings.IndexAny(text[i:], ")# <")
		if n < 0 {
			break
		}
		b.WriteString(text[:i])
		b.WriteString(to(text[i : i+n]))
		text = text[i+n:]
	}
	if b.Len() == 0 {
		return text
	}
	return b.String() + text
}

// reaches is the file that a link in a text leads to, from the folder that the text
// lies in or from the top; false for none.
func (v *view) reaches(folder, target string) (to string, ok bool) {
	if target == "" || strings.HasPrefix(target, "/") || strings.Contains(target, "://") {
		return "", false
	}
	if to = path.Join(folder, target); v.at[to] == nil {
		to = path.Clean(target)
	}
	return to, v.at[to] != nil
}

// carried are lines of one file as they stand in another one: links to files of the
// directory lead there from the new place.
func (v *view) carried(lines []Line, from, to string) []Line {
	if path.Dir(from) == path.Dir(to) {
		return lines
	}
	out := make([]Line, len(lines))
	for i, l := range lines {
		if l.Kind != Code {
			l.Text = redirect(l.Text, func(target string) string {
				if there, ok := v.reaches(path.Dir(from), target); ok {
					return linked(to, there)
				}
				return target
			})
		}
		out[i] = l
	}
	return out
}
