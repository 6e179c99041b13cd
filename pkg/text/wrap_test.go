package text

import (
	"fmt"
	"testing"
)

// TestWrap: a long line goes on below itself, and loses nothing.
func TestWrap(t *testing.T) {
	for line, want := range map[string][]string{
		"":                    {""},
		"short":               {"short"},
		"0123456789":          {"0123456789"},
		"0123456789a":         {"0123456789", "a"},
		"  | 0123456789":      {"  | 012345", "  | 6789"},
		"  0123456789":        {"  01234567", "  89"},
		"日本語日本語":              {"日本語日本", "語"},
		"          deep text": {"          ", "deep text"},
		"words go on below":   {"words go ", "on below"},
		"a 0123456789":        {"a 01234567", "89"},
		"  | some words":      {"  | some ", "  | words"},
		"  a| some words":     {"  a| some ", "   | words"},
		"a| some words":       {"a| some ", "words"},
		"  a b| some":         {"  a b| ", "  some"},
	} {
		got := Wrap(line, 10)
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
