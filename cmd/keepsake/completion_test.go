package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/verbs"
)

func said(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(&call{args: args, cwd: "/", voice: voice{out: &out, err: &errs}}); code != exitDone {
		t.Fatalf("%v: exit %d: %s", args, code, &errs)
	}
	return out.String()
}

// TestCompletion asks bash what it offers behind some words.
func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	script := filepath.Join(t.TempDir(), "keepsake.bash")
	if err := os.WriteFile(script, []byte(said(t, "dev", "completion", "bash")), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct{ some, none []string }{
		"re": {[]string{"remember", "recall", "review", "records"},
			[]string{"retire", "list"}},
		"md ":                    {[]string{"check", "fix", "tidy"}, []string{"lint", "list"}},
		"md fix --w":             {[]string{"--write"}, []string{"--json"}},
		"md fix --profile ":      {[]string{"pointer", "table"}, []string{"--write"}},
		"md fix --profile = po":  {[]string{"pointer"}, []string{"table"}},
		"--session x md lesson ": {[]string{"instinct", "--trigger"}, nil},
		"fmt -":                  {nil, []string{"--write"}}, // an earlier spelling
	} {
		words := strings.Split("keepsake "+line, " ")
		cmd := exec.Command(bash, "-c",
			`. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _keepsake; printf '%s\n' "${COMPREPLY[@]}"`,
			"bash", script)
		cmd.Args = append(cmd.Args, words...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
		offered := strings.Fields(string(out))
		for _, w := range want.some {
			if !slices.Contains(offered, w) {
				t.Errorf("%q: %v has no %s", line, offered, w)
			}
		}
		for _, w := range want.none {
			if slices.Contains(offered, w) {
				t.Errorf("%q: %v has %s", line, offered, w)
			}
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		text := said(t, "dev", "completion", shell)
		if program, err := exec.LookPath(shell); err == nil {
			cmd := exec.Command(program, "-n")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not read its script: %v: %s", shell, err, out)
			}
		}
	}
}

// TestManual: the page of all verbs has each of them, no earlier spelling, and reads well.
func TestManual(t *testing.T) {
	page := said(t, "dev", "man")
	for _, v := range verbs.All() {
		if has := strings.Contains(page, ".SH "+roff(strings.ToUpper(v.Name))+
			"\n"); has != (v.Name != "md lint") {
			t.Errorf("the manual has %s: %v", v.Name, has)
		}
		if v.Old != "" && strings.Contains(page, "\n.SH "+roff(strings.ToUpper(v.Old))+"\n") {
			t.Errorf("the manual has the earlier spelling %s", v.Old)
		}
	}
	one := said(t, "dev", "man", "md", "fix")
	for _, want := range []string{".TH KEEPSAKE\\-MD\\-FIX 1", "\\-w, \\-\\-write\n", ".SH EXIT STATUS",
		".nf\nkeepsake "} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q in\n%s", want, one)
		}
	}
	if strings.Contains(one, "version\nPrint the version") {
		t.Error("no verb takes --version")
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	cmd := exec.Command(groff, "-k", "-Tutf8", "-man", "-ww", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v: %s", err, out)
	}
}

// TestColour: a diff has colours for a person at a terminal, and its words stay as they are.
func TestColour(t *testing.T) {
	text := "plan 12: 1 edit\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n"
	for _, colour := range []bool{false, true} {
		var out bytes.Buffer
		v := voice{out: &out, colour: colour}
		v.diff(text)
		if got := strings.Contains(out.String(), "\x1b[32m+new\x1b[0m\n same"); got != colour {
			t.Errorf("colour %v: %q", colour, out.String())
		}
		plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[31m", "", "\x1b[32m",
			"").Replace(out.String())
		if plain != text {
			t.Errorf("became %q", plain)
		}
	}
	t.Setenv("NO_COLOR", "1")
	if tty, err := os.Open(os.DevNull); err != nil || coloured(tty) {
		t.Errorf("coloured in spite of NO_COLOR (%v)", err)
	}
}
