package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"keepsake/hooks"
)

// TestArchive: the bytes depend on names, texts and modes alone.
func TestArchive(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	pack := func(order ...string) []byte {
		dir := t.TempDir()
		for i, name := range order {
			path := filepath.Join(dir, name)
			if err := writeFile(path, []byte(name), 0o755); err != nil {
				t.Fatal(err)
			}
			then := at.Add(time.Duration(i) * time.Hour)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
		}
		members, err := membersBelow(dir, "x/", func(name string) bool { return name != "left/out" })
		if err != nil {
			t.Fatal(err)
		}
		b, err := archive(members, at, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	one, other := pack("a", "b/c", "left/out"), pack("b/c", "a")
	if !bytes.Equal(one, other) {
		t.Error("the same files in another order and of another time make another archive")
	}
	if bytes.Equal(one, pack("a", "b/d")) {
		t.Error("another file makes the same archive")
	}
}

// TestSameTree: a difference is found, whichever side it is on.
func TestSameTree(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		t.Helper()
		if err := writeFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(a, "x/y", "1")
	put(b, "x/y", "1")
	if err := sameTree(a, b); err != nil {
		t.Error(err)
	}
	put(b, "x/z", "1")
	if sameTree(a, b) == nil || sameTree(b, a) == nil {
		t.Error("a file that only one has is not missed")
	}
	put(a, "x/z", "2")
	if sameTree(a, b) == nil {
		t.Error("a file that differs is not told")
	}
}

func TestLicenceOf(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free\nof charge, to any person obtaining a copy": "MIT",
		"Apache License\n   Version 2.0, January 2004":                                  "Apache-2.0",
		"Redistributions in binary form must reproduce … Neither the name of":           "BSD-3-Clause",
		"Redistributions in binary form must reproduce the above":                       "BSD-2-Clause",
		"All rights reserved": "",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestParsePlatforms(t *testing.T) {
	if all, err := parsePlatforms(""); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	if one, err := parsePlatforms("linux-arm64"); err != nil || len(one) != 1 || one[0].arch != "arm64" {
		t.Errorf("%v, %v", one, err)
	}
	if _, err := parsePlatforms("plan9-386"); err == nil {
		t.Error("plan9-386 is made")
	}
}

// TestLaunchers: in an installation with programs for several platforms, hooks.json and bin/keepsake start
// those of this machine, wherever they lie. From the second call on no program is run to find them.
func TestLaunchers(t *testing.T) {
	here := platform{runtime.GOOS, runtime.GOARCH}.String()
	var file struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(hooks.JSON, &file); err != nil {
		t.Fatal(err)
	}
	const program = "#!/bin/sh\nread line\necho \"$0 $* $line\"\nexit 90\n"
	for name, folder := range map[string]string{
		"git": "bin/" + here, "npm": "node_modules/" + npmName + "-" + here + "/bin",
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "with space")
			for _, p := range []string{"keepsake", "hooks/pretooluse", "hooks/event"} {
				for _, in := range []string{folder, "bin/other-cpu"} {
					text := program
					if in != folder {
						text = "no program"
					}
					if err := writeFile(filepath.Join(root, in, p), []byte(text), 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			for script, text := range launchers() {
				if err := writeFile(filepath.Join(root, "bin", script), text, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			run := func(argv ...string) string {
				cmd := exec.Command(argv[0], argv[1:]...)
				cmd.Env = []string{"PATH=/nonexistent"}
				cmd.Stdin = strings.NewReader("the event\n")
				out, _ := cmd.CombinedOutput() // of a command line that ends as the program does
				return strings.TrimSpace(string(out))
			}
			for round, event := range []string{"PreToolUse", "SessionStart", "PreToolUse"} {
				line := file.Hooks[event][0].Hooks[0].Command
				line = strings.ReplaceAll(line, "${CLAUDE_PLUGIN_ROOT}", root)
				got := run("/bin/sh", "-c", line)
				called, args := hooks.Call(event)
				if event == "PreToolUse" {
					args = []string{"90"}
				}
				if !strings.HasSuffix(got, "/hooks/"+called+" "+strings.Join(args, " ")+" the event") {
					t.Errorf("%s: %s", event, got)
				}
				if round == 1 { // what finds the programs is not needed any more
					if err := os.Remove(filepath.Join(root, "bin", "platform")); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := run(filepath.Join(root, "bin", "keepsake"), "doctor"); !strings.HasSuffix(got,
				"/keepsake doctor the event") {
				t.Errorf("keepsake: %s", got)
			}
		})
	}
}

// TestNoProgramsForThisMachine: the gate stops a write to a palace, and the launchers say why they start
// nothing.
func TestNoProgramsForThisMachine(t *testing.T) {
	bin := t.TempDir()
	for script, text := range launchers() {
		if err := writeFile(filepath.Join(bin, script), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(filepath.Join(bin, "keepsake"), "doctor").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no programs for this machine") {
		t.Errorf("%v: %s", err, out)
	}
}
