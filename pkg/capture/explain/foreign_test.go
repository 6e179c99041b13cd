package explain

import (
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
)

// TestForeignLines: each line of a message begins with "=" if the person did not write it, with "-" if they
// did.
func TestForeignLines(t *testing.T) {
	for name, message := range map[string]string{
		"their own": "-we use pnpm\n-\n-never npm",
		"an error that is announced": "-it says:\n=Error: no such table jobs\n-\n" +
			"-so we migrate first",
		"announced with a small letter": "-rules:\n-use pnpm\n-test first",
		"announced over an empty line":  "-it says:\n-\n=Connection refused by the host\n-",
		"a shell": "-see\n=$ go test ./...\n=ok keepsake\n=Done in 3s\n-\n-why so " +
			"fast?",
		"a diff":                  "-look\n=@@ -1,2 +1,2 @@\n=+new line\n=old line\n-\n-fine?",
		"a tree":                  "-look\n=├── main.go\n=└── go.mod\n-",
		"a fence":                 "-run\n=```sh\n=make all\n=```\n-\n-it takes long",
		"an indented listing":     "-the stack\n=    at main.go line 12\n=and so on\n-\n-what now",
		"a screen with a margin":  "-I see\n=  v main  [4 checkpoints]\n=   v * keep it\n-\n-odd",
		"a list with a margin":    "-to do\n-  - keep it\n-  2. drop it\n-",
		"the client's own screen": "-I saw\n=❯ keep going\n=⏺ Done.\n-",
		"mostly signs":            "-what is\n={\"a\": [1, {}]}\n-",
		"a list of theirs":        "-three things\n-1. Use pnpm, it's faster.\n-2. No default exports",
	} {
		var said []string
		var want []bool
		for line := range strings.SplitSeq(message, "\n") {
			said, want = append(said, line[1:]), append(want, line[0] == '=')
		}
		got := foreignLines(passage{strings.Join(said, "\n"), score.Typed, finding.Typed})
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Errorf("%s: %q is foreign: %t", name, said[i], !want[i])
			}
		}
	}
	if foreignLines(passage{"$ go test\n> ok", score.Agent, finding.Agent}) != nil {
		t.Error("what the agent prints is its own")
	}
	if foreignLines(passage{"$ go test", score.Typed, finding.Typed}) != nil {
		t.Error("one line was typed")
	}
}
