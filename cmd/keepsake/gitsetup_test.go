package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The driver's line goes through git, which puts values in for percent signs,
// and through a shell.
func TestDriverSurvivesShellAndGit(t *testing.T) {
	for _, exe := range []string{"/usr/bin/keepsake", "/we ird/it's/keepsake", "/100%A/%%/keepsake", `/a"b$c/\d/keepsake`} {
		line := driverOf(exe)
		line = strings.NewReplacer("%%", "%", "%O", "base", "%A", "ours", "%B", "theirs", "%P", "path").Replace(line)
		out, err := exec.Command("sh", "-c", "printf '%s\n' "+line).Output()
		if want := exe + "\nmerge\nbase\nours\ntheirs\npath\n"; err != nil || string(out) != want {
			t.Errorf("%s: %q, %v", exe, out, err)
		}
	}
}

func TestWithBlock(t *testing.T) {
	block := blockBegin + "\na\n" + blockEnd + "\n"
	for name, c := range map[string]struct {
		text string
		rows []string
		want string
	}{
		"into nothing":          {"", []string{"a"}, block},
		"behind others":         {"x\n", []string{"a"}, "x\n" + block},
		"behind an open line":   {"x", []string{"a"}, "x\n" + block},
		"in place of the old":   {"x\n" + strings.ReplaceAll(block, "a\n", "old\n") + "y\n", []string{"a"}, "x\ny\n" + block},
		"taken out":             {"x\n" + block + "y\n", nil, "x\ny\n"},
		"nothing to take out":   {"x\n", nil, "x\n"},
		"one that lost its end": {blockBegin + "\nx\n", nil, blockBegin + "\nx\n"},
		"alone, taken out":      {block, nil, ""},
	} {
		got := withBlock(c.text, c.rows)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if again := withBlock(got, c.rows); again != got {
			t.Errorf("%s: the second time %q", name, again)
		}
	}
}
