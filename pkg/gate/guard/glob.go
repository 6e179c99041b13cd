package guard

import (
	"path"
	"strings"
)

// MatchPath reports whether a path below the project is one of a pattern's, which is read as a line of
// .gitignore: a pattern with a slash at its begin or in its middle counts from the project's folder, any
// other in every folder; what lies in a folder that it names is meant too; ** stands for any folders. The
// path may be a pattern of the shell's itself: then a file that both name is enough. The time is at most the
// product of both lengths.
func MatchPath(pattern, below string) bool {
	parts, _ := partsOf(pattern)
	return matchParts(parts, strings.Split(strings.Trim(path.Clean("/"+below), "/"), "/"))
}

// partsOf returns the names of a pattern, and whether it counts from the project's folder.
func partsOf(pattern string) (parts []string, rooted bool) {
	pattern = strings.TrimSuffix(pattern, "/")
	rooted = strings.Contains(pattern, "/")
	parts = strings.Split(strings.Trim(pattern, "/"), "/")
	if !rooted {
		parts = append([]string{"**"}, parts...)
	}
	return parts, rooted
}

func matchParts(parts, names []string) bool {
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
				next[i] = meetNames(part, names[i-1])
			}
			any = any || next[i]
		}
		if !any {
			return false
		}
		reached = next
	}
	if parts[len(parts)-1] == "**" { // what lies in the folder, and not the folder itself
		return reached[len(names)] && len(names) >= len(parts)
	}
	for i, is := range reached {
		if is && i > 0 { // the path itself, or a folder around it
			return true
		}
	}
	return false
}

// isPattern reports whether the shell takes a word for a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// meetNames reports whether one name of a path is of a pattern, or, where it is a pattern of the shell's, can
// be.
func meetNames(part, name string) bool {
	if len(name) > 255 || strings.Count(part, "*") > maxStars {
		return part == name
	}
	if !isPattern(name) {
		ok, err := path.Match(part, name)
		return ok && err == nil
	}
	if strings.HasPrefix(part, ".") && !strings.HasPrefix(name, ".") { // the shell passes hidden files over
		return false
	}
	if !isPattern(part) {
		ok, err := path.Match(name, part)
		return ok && err == nil && strings.Count(name, "*") <= maxStars
	}
	return len(part) <= maxBoth && len(name) <= maxBoth && meetPatterns(part, name)
}

// maxStars is how many stars one name of a pattern may have, and maxBoth how long two may be that are held
// against each other.
const (
	maxStars = 8
	maxBoth  = 100
)

// meetPatterns reports whether a name may be of two patterns. What stands in brackets counts as any
// character.
func meetPatterns(a, b string) bool {
	// meets[j] reports whether the rest of a meets the rest of b from j on
	a, b = withoutBrackets(a), withoutBrackets(b)
	meets := make([]bool, len(b)+1)
	meets[len(b)] = true
	for j := len(b) - 1; j >= 0; j-- {
		meets[j] = b[j] == '*' && meets[j+1]
	}
	for i := len(a) - 1; i >= 0; i-- {
		next := make([]bool, len(b)+1)
		next[len(b)] = a[i] == '*' && meets[len(b)]
		for j := len(b) - 1; j >= 0; j-- {
			switch {
			case a[i] == '*':
				next[j] = meets[j] || next[j+1]
			case b[j] == '*':
				next[j] = next[j+1] || meets[j]
			default:
				next[j] = meets[j+1] && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
		}
		meets = next
	}
	return meets[0]
}

// withoutBrackets returns a pattern with a question mark in the place of each class of characters.
func withoutBrackets(p string) string {
	var b strings.Builder
	for p != "" {
		before, rest, ok := strings.Cut(p, "[")
		b.WriteString(before)
		if !ok {
			break
		}
		b.WriteByte('?')
		if _, p, ok = strings.Cut(rest, "]"); !ok {
			break
		}
	}
	return b.String()
}

// fixedPart returns the longest name, or piece of one, that each path of a pattern has.
func fixedPart(pattern string) (longest string) {
	for _, piece := range strings.FieldsFunc(strings.TrimPrefix(pattern, "~/"),
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
