package main

import (
	"strings"
	"testing"
)

// TestReadmeShowsThePage: the screen in README.md is the golden one that tmux took.
func TestReadmeShowsThePage(t *testing.T) {
	_, text, ok := strings.Cut(read(t, "../../README.md"), "keeps this screen true -->\n```\n")
	text, _, _ = strings.Cut(text, "```\n")
	if want := read(t, "testdata/page/nearest.golden"); !ok || text != want {
		t.Errorf("README.md has\n%s\nwant\n%s", text, want)
	}
}
