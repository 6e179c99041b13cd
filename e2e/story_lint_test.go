//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// The agent keeps a note in the client's own memory, in the form that the client's instructions ask for, and
// looks at it with lint: nothing is found, nobody is asked. The next session loads its index. One careless
// line in it is then found.
func TestLintOfTheClientsMemory(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const topic = "---\nname: no-db-mocks\ndescription: Integration tests run against a real database, " +
			"never a mock\nmetadata:\n  type: feedback\n---\n\nIntegration tests use a real " +
			"PostgreSQL.\n\n**Why:** a mocked test passed while a migration broke production.\n\n**How to " +
			"apply:** start the container first.\n"
		const index = "- [No database mocks](no-db-mocks.md) — integration tests use a real PostgreSQL\n"
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir := ""
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			lint := l.keepsake() + " lint"
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, "Remember"):
				return Call("Write", map[string]any{"file_path": filepath.Join(dir, "no-db-mocks.md"),
					"content": topic}).
					And(Call("Write",
						map[string]any{"file_path": filepath.Join(dir, "MEMORY.md"), "content": index}))
			case last.Name == "Write":
				return Bash(lint)
			case last.Name == "" && strings.Contains(tail, "Look after"):
				return Bash("echo 'We agreed on it last week.' >>" + filepath.Join(dir, "MEMORY.md") +
					"; true")
			case strings.HasPrefix(last.Command(), "echo"):
				return Bash(lint)
			case strings.HasSuffix(last.Command(), " lint"):
				_, says, _ := strings.Cut(tail, "[result] ")
				return Say("It says: " + says)
			}
			return Say("Fine.")
		})

		var start struct {
			Paths struct{ Auto string } `json:"memory_paths"`
		}
		if err := json.Unmarshal([]byte(l.Headless("Hello.").Init().Raw), &start); err != nil ||
			start.Paths.Auto == "" {
			t.Fatalf("the client names no memory: %v", err)
		}
		dir = start.Paths.Auto

		run := l.Headless("Remember that integration tests use a real database.")
		if got := run.Result().Result; !strings.Contains(got, "2 files in order (profile pointer") {
			t.Errorf("lint says %q\n%s", got, l.Model.Digest())
		}
		run = l.Headless("Look after the memory.", "--permission-mode", "bypassPermissions")
		for _, want := range []string{"MEMORY.md:2: warning: 1 line of content", `"last week" is relative`} {
			if got := run.Result().Result; !strings.Contains(got, want) {
				t.Errorf("lint says %q, want %q\n%s", got, want, l.Model.Digest())
			}
		}
		if r := l.Model.Requests(); !strings.Contains(r[len(r)-1].First(), index) {
			t.Errorf("the client does not load what lint reads\n%s", r[len(r)-1].First())
		}
	})
}
