package codex

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const several = `*** Begin Patch
*** Add File: docs/new.md
+# New
+
+text
*** Update File: main.go
*** Move to: cmd/main.go
@@ func main() {
 	a()
-	b()
+	c()
@@
-x
+y
*** End of File
*** Delete File: old.txt
*** End Patch
`

func TestParsePatch(t *testing.T) {
	want := []Change{
		{Kind: Add, Path: "docs/new.md", Text: "# New\n\ntext\n"},
		{Kind: Update, Path: "main.go", To: "cmd/main.go",
			Edit: []Edit{{"\ta()\n\tb()\n", "\ta()\n\tc()\n"}, {"x\n", "y\n"}}},
		{Kind: Delete, Path: "old.txt"},
	}
	for name, text := range map[string]string{
		"plain": several, "blank around": "\n\n " + several + "\n",
		"crlf":    strings.ReplaceAll(several, "\n", "\r\n"),
		"heredoc": "<<'EOF'\n" + several + "EOF\n",
	} {
		got, err := ParsePatch(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"empty":         "",
		"no file":       "*** Begin Patch\n*** End Patch",
		"no end":        "*** Begin Patch\n*** Delete File: a",
		"no name":       "*** Begin Patch\n*** Delete File: \n*** End Patch",
		"unknown head":  "*** Begin Patch\n*** Rename File: a\n*** End Patch",
		"loose line":    "*** Begin Patch\n*** Delete File: a\nrm b\n*** End Patch",
		"in an update":  "*** Begin Patch\n*** Update File: a\n@@\n-x\nfree\n*** End Patch",
		"indented head": "*** Begin Patch\n*** Update File: a\n *** Delete File: b\n*** End Patch",
		"moved away":    "*** Begin Patch\n*** Update File: a\n*** Move to: \n-x\n*** End Patch",
	} {
		if got, err := ParsePatch(text); !errors.Is(err, ErrPatch) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestCommand(t *testing.T) {
	for args, want := range map[string]string{
		`{"cmd":"ls -l"}`:                                "ls -l",
		`{"command":"ls"}`:                               "ls",
		`{"command":["bash","-lc","a && b"]}`:            "a && b",
		`{"command":["/bin/zsh","-c","a"]}`:              "a",
		`{"command":["git","commit","-m","it's"]}`:       `git commit -m 'it'\''s'`,
		`{"command":["echo","","$HOME"]}`:                `echo '' '$HOME'`,
		`{"command":7}`:                                  "",
		`{}`:                                             "",
		`{"command":["python3","-c","print('x')","-v"]}`: `python3 -c 'print('\''x'\'')' -v`,
	} {
		if got := Command([]byte(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestPatches(t *testing.T) {
	const body = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
	for command, want := range map[string]struct {
		text, dir string
		ok, named bool
	}{
		"apply_patch <<'EOF'\n" + body + "\nEOF":                {body, "", true, true},
		"applypatch <<EOF\n" + body + "\nEOF\n":                 {body, "", true, true},
		"cd sub/dir && apply_patch <<\"X\"\n" + body + "\nX":    {body, "sub/dir", true, true},
		"cd '/a b' && apply_patch <<'E'\n" + body + "\nE":       {body, "/a b", true, true},
		"cd $X && apply_patch <<'E'\n" + body + "\nE":           {"", "", false, true},
		"true; apply_patch <<'E'\n" + body + "\nE":              {"", "", false, true},
		"apply_patch '" + body + "'":                            {"", "", false, true},
		"apply_patch <<'E'\n" + body + "\nE\nrm b\nE":           {"", "", false, true},
		"cat > notes.md <<'E'\n" + body + "\nE":                 {"", "", false, false},
		"apply_patch --help":                                    {"", "", false, false},
		"cd a && cd b && apply_patch <<'E'\n" + body + "\nE":    {"", "a", false, true},
		"apply_patch <<'E' && rm -r x\n" + body + "\nE":         {"", "", false, true},
		"apply_patch <<'E'\n" + body + "\nE\napply_patch <<'E'": {"", "", false, true},
	} {
		text, dir, ok, named := Patches(command)
		if text != want.text || ok != want.ok || named != want.named || ok && dir != want.dir {
			t.Errorf("%q: %q %q %v %v", command, text, dir, ok, named)
		}
	}
}

// FuzzParsePatch: every file that a patch names in a line of its own is in the changes.
func FuzzParsePatch(f *testing.F) {
	f.Add(several)
	f.Add("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParsePatch(text)
		if err != nil {
			if all != nil {
				t.Errorf("changes beside an error: %+v", all)
			}
			return
		}
		var named []string
		for _, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "+") {
				continue
			}
			line = strings.TrimSpace(line)
			for _, head := range []string{addFile, update, remove, moveTo} {
				if name, ok := strings.CutPrefix(line, head); ok {
					named = append(named, strings.TrimSpace(name))
				}
			}
		}
		count := 0
		for _, c := range all {
			count++
			if c.To != "" {
				count++
			}
			if c.Path == "" {
				t.Errorf("a change without a file: %+v", c)
			}
		}
		if count != len(named) {
			t.Errorf("%d files named, %d changed: %q", len(named), count, text)
		}
	})
}
