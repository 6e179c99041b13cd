package memdir

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
)

// replacePaths calls markdown.ReplaceTargets for the paths of links without their anchors.
func replacePaths(text string, to func(path string) string) string {
	return markdown.ReplaceTargets(text, func(target string) string {
		if p, anchor, ok := strings.Cut(target, "#"); ok {
			return to(p) + "#" + anchor
		}
		return to(target)
	})
}

// SameText reports whether two texts differ at most in where their links lead.
func SameText(a, b []byte) bool {
	return string(a) == string(b) || withoutTargets(a) == withoutTargets(b)
}

func withoutTargets(text []byte) string {
	var b strings.Builder
	for _, l := range markdown.Parse(text).Lines {
		if l.Kind != markdown.Code {
			l.Text = markdown.ReplaceTargets(l.Text, func(string) string { return "" })
		}
		b.WriteString(l.Text + l.End)
	}
	return b.String()
}

// reaches returns the file that a link in a text leads to, from the folder of the text or from the top of
// the directory. It is false if there is no such file.
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

// isRelative reports whether a target is a path that begins at the folder of its file: it has a folder or an
// ending, and neither a scheme nor a blank.
func isRelative(target string) bool {
	return !strings.ContainsAny(target, ": \t?<>") && !strings.HasPrefix(target, "/") &&
		(strings.Contains(target, "/") || path.Ext(target) != "")
}

// carried returns lines of one file as they stand in another one: their links, and the definitions of links,
// are written from the new place. went returns which file the heading of an anchor goes to, "" if it stays.
// If went is nil, links within the file are left alone.
func (v *view) carried(lines []markdown.Line, from, to string,
	went func(anchor string) string) []markdown.Line {
	out := slices.Clone(lines)
	for i, l := range out {
		if l.Kind == markdown.Code || !strings.Contains(l.Text, "](") && !strings.Contains(l.Text, "]:") {
			continue
		}
		out[i].Text = markdown.ReplaceTargets(l.Text, func(target string) string {
			p, anchor, _ := strings.Cut(target, "#")
			if p != "" {
				if path.Dir(from) == path.Dir(to) {
					return target
				}
				there, ok := v.reaches(path.Dir(from), p)
				switch {
				case ok:
				case isRelative(p): // no memory: a picture, or a file outside of the directory
					there = path.Join(path.Dir(from), p)
				default:
					return target
				}
				if there = LinkTo(to, there); strings.Contains(p, "%") {
					there = strings.ReplaceAll(there, " ", "%20")
				}
				return there + target[len(p):]
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
