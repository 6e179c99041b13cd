package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The driver's line goes through git, which puts values in for percent signs,
// and through a shell. It calls the program, or git where that is gone.
func TestDriverSurvivesShellAndGit(t *testing.T) {
	for _, name := range []string{"keepsake", "we ird/it's/keepsake", "100%A/%%/keepsake",
		`a"b$c/\d/keepsake`, "; exec /x"} {
		dir := t.TempDir()
		exe := filepath.Join(dir, name)
		line := driverCommand(exe)
		if got := DriverProgram(line); got != exe {
			t.Errorf("%s: read back as %s", exe, got)
		}
		run := func() (string, error) {
			line := strings.NewReplacer("%%", "%", "%O", "base", "%A", "ours", "%B", "theirs", "%P",
				"path").Replace(line)
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			out, err := cmd.Output()
			return string(out), err
		}
		for side, text := range map[string]string{"base": "1\n2\n", "ours": "1\nours\n",
			"theirs": "1\ntheirs\n"} {
			if err := os.WriteFile(filepath.Join(dir, side), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := run()
		b, _ := os.ReadFile(filepath.Join(dir, "ours"))
		if want := "1\n<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"; err == nil ||
			string(b) != want {
			t.Errorf("%s is gone: %v\n%s", exe, err, b)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(exe), 0o700),
			os.WriteFile(exe, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
		if out, err := run(); err != nil || out != "merge\nbase\nours\ntheirs\npath\n" {
			t.Errorf("%s: %q, %v", exe, out, err)
		}
	}
	if got := DriverProgram("'/it'\\''s' merge %O %A %B %P"); got != "/it's" {
		t.Errorf("an older line: %s", got)
	}
}

func TestWithBlock(t *testing.T) {
	block := blockBegin + "\na\n" + blockEnd + "\n"
	for name, c := range map[string]struct {
		text string
		rows []string
		want string
	}{
		"into nothing":        {"", []string{"a"}, block},
		"behind others":       {"x\n", []string{"a"}, "x\n" + block},
		"behind an open line": {"x", []string{"a"}, "x\n" + block},
		"in place of the old": {"x\n" + strings.ReplaceAll(block, "a\n", "old\n") + "y\n", []string{"a"},
			"x\ny\n" + block},
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
