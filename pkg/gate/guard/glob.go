package guard

import (
	"path"
	"strings"
)

// MatchPath reports whether a path below the project is one of a pattern's, which is read as a line of
// .gitignore: a pattern with a slash at its begin or in its middle counts from the project's folder, any
// other in every folder; what lies in a folder that it names is meant too; ** stands for any folders. The
// time is at most the product of both lengths.
func MatchPath(pattern, below string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	rooted := strings.Contains(pattern, "/")
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	if !rooted {
		parts = append([]string{"**"}, parts...)
	}
	names := strings.Split(strings.Trim(path.Clean("/"+below), "/"), "/")
	// reached[i] reports whether the parts so far match the first i names
	reached := make([]bool, len(names)+1)
	reached[0] = true
	for _, part := range parts {
		next := make([]bool, len(names)+1)
		any := false
		for i := range next {
			if part == "**" {
				next[i] = reached[i] || i > 0 && next[i-1]
			} else if i > 0 && reached[i-1] {
				next[i] = matchName(part, names[i-1])
			}
			any = any || next[i]
		}
		if !any {
			return false
		}
		reached = next
	}
	if parts[len(parts)-1] == "**" { // what lies in the folder, and not the folder itself
		return reached[len(names)]
	}
	for _, is := range reached {
		if is { // the path itself, or a folder around it
			return true
		}
	}
	return false
}

// matchName reports whether one name of a path is of a pattern.
func matchName(part, name string) bool {
	if len(name) > 255 || strings.Count(part, "*") > maxStars {
		return part == name
	}
	ok, err := path.Match(part, name)
	return ok && err == nil
}

// maxStars is how many stars one name of a pattern may have.
const maxStars = 8

// fixedPart returns the longest name, or piece of one, that each path of a pattern has.
func fixedPart(pattern string) (longest string) {
	for _, piece := range strings.FieldsFunc(pattern,
		func(r rune) bool { return strings.ContainsRune("/*?[]", r) }) {
		if strings.Contains(pattern, "[") { // a piece may stand between brackets
			return ""
		}
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	return longest
}
