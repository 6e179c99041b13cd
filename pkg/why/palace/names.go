// Package palace knows what a MemPalace offers: the names by which it is called, its command line, its
// tools and its Python modules, and which of them write. It knows version 3.11 and those before it. What it
// does not know counts as a write.
package palace

import (
	"slices"
	"strings"
)

// IsNamed reports whether text speaks of MemPalace, by its name or by the names
// of the light server's tools.
func IsNamed(text string) bool {
	for i := 0; i+6 <= len(text); i++ {
		switch text[i] {
		case 'm', 'M':
			if strings.EqualFold(text[i:i+6], "mempal") {
				return true
			}
		case 'p', 'P':
			if _, ok := LightTool(text[i:]); ok {
				return true
			}
		}
	}
	return false
}

// LightTool reads a tool name of MemPalace's light server at the start of text.
func LightTool(text string) (name string, ok bool) {
	for _, n := range [...]string{"palace_query", "palace_exec", "palace_coordinate"} {
		if len(text) >= len(n) && strings.EqualFold(text[:len(n)], n) {
			return n, true
		}
	}
	return "", false
}

// IsEncoded reports whether a text has "mempal" in it as base64 (at its three alignments), as
// hexadecimal, reversed or in rot13. A decoder in a pipe would make a command of it.
func IsEncoded(text string) bool {
	if len(text) < len("lapmem") {
		return false
	}
	for _, enc := range [...]string{"bWVtcGFs", "1lbXBhb", "tZW1wYW", "6d656d70616c", "6D656D70616C",
		"lapmem", "zrzcny"} {
		if strings.Contains(text, enc) {
			return true
		}
	}
	return false
}

// A word of a command may have text in it that only a shell will know: Hole stands for a part of the word,
// and Holes for any number of words. No word of a shell can hold these bytes.
const (
	Hole  = "\x00"
	Holes = "\x01"
)

func hasHole(word string) bool { return strings.ContainsAny(word, Hole+Holes) }

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

func listed(name, list string) bool { return slices.Contains(strings.Fields(list), name) }
