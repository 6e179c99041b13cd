package shell

import (
	"slices"
	"strings"
)

// palaceProgram reports whether a command word runs MemPalace: its console scripts,
// ports and versions of them, by base name.
func palaceProgram(word string) bool {
	b := program(word)
	if i := strings.LastIndexByte(word, '/') + 1; strings.ContainsAny(word[i:], "[?*") {
		b = lower(word[i:]) // a pattern, which may mean its file
	}
	if b == "mempalace" || b == "mempal" {
		return true
	}
	if matchesName(b, "mempalace") && b != "mempalace" {
		return strings.Contains(b, "mem") || strings.Contains(b, "pal")
	}
	rest, ok := strings.CutPrefix(b, "mempal")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, "ace")
	return rest != "" && strings.IndexByte("-_.@=[0123456789", rest[0]) >= 0
}

// program returns the base name of a command word in lower case, without holes, without .exe, and
// without what package runners put behind a name: a version or extras.
func program(word string) string {
	if everyday(word) {
		return word
	}
	w := withoutHoles(word)
	if len(w) > 1 && (w[0] == '=' || w[0] == '^') { // zsh: =name is the path of name; nu: ^name
		w = w[1:]
	}
	if i := strings.LastIndexAny(w, "/#"); i >= 0 {
		w = w[i+1:]
	}
	w = strings.TrimSuffix(strings.ToLower(w), ".exe")
	if i := strings.IndexAny(w, "@=[:"); i > 0 {
		w = w[:i]
	}
	return w
}

// everyday reports whether a word has only lower-case letters and dashes, as the names of most
// programs do.
func everyday(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return true
}

func holed(args []string) bool { return slices.ContainsFunc(args, hasHole) }
