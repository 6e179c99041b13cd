//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var howToFile = regexp.MustCompile(`SubagentStart hook additional context: [\s\S]*?(\S+/bin/keepsake md note --by general-purpose) 'the sentence'`)

// The client's own memory is in layers. The agent files a decision without a dialog; a subagent is told how
// to, files the cause of a bug, and the agent is told of it once. Indexes and logs are in step, and lint
// finds nothing.
func TestNotesInLayers(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("reviewer", Match{First: "Review the importer"}, func(r *Request) Reply {
			if r.LastCall().Name == "Bash" {
				return Say("Found the cause. " + r.Tail())
			}
			m := howToFile.FindStringSubmatch(r.Text() + r.System)
			if m == nil {
				return l.Model.GiveUp("the subagent is not told how to file: " + r.Text())
			}
			return Bash(m[1] + " 'Root cause of the import crash was a missing index on orders'")
		})
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, "Note it"):
				return Bash(l.keepsake() + " note 'We decided to keep jobs in PostgreSQL' --topic postgres")
			case last.Name == "" && strings.Contains(tail, "Have it reviewed"):
				return Call("Agent",
					map[string]any{"subagent_type": "general-purpose", "description": "Review",
						"prompt": "Review the importer.", "run_in_background": false})
			case last.Name == "" && strings.Contains(tail, "Look"):
				return Bash(l.keepsake() + " lint")
			}
			return Say("It says: " + r.Tail())
		})

		var start struct {
			Paths struct{ Auto string } `json:"memory_paths"`
		}
		if err := json.Unmarshal([]byte(l.Headless("Hello.").Init().Raw), &start); err != nil ||
			start.Paths.Auto == "" {
			t.Fatalf("the client names no memory: %v", err)
		}
		dir := start.Paths.Auto
		l.Write(filepath.Join(dir, "MEMORY.md"),
			"# Memory\n\n- **profile**: backend engineer in Lisbon who owns billing → `user/profile.md`\n")
		l.Write(filepath.Join(dir, "INDEX.md"),
			"# Overview\n\n| file | what it has |\n| --- | --- |\n| `user/profile.md` | who the user is |\n")
		l.Write(filepath.Join(dir, "user/profile.md"),
			"# Profile\n\n- Backend engineer in Lisbon; owns billing.\n\n_Updated: "+
				ago(20)[:len(time.DateOnly)]+"_\n")

		run := l.Headless("Note it: jobs stay in PostgreSQL.")
		if got := run.Result().Result; !regexp.MustCompile(`noted \(decision, by “decided”\) in a new file: user/events/\d{4}-\d\d-postgres\.md:3`).MatchString(got) {
			t.Errorf("the note says %q\n%s", got, l.Model.Digest())
		}
		run = l.Headless("Have it reviewed.")
		if got := run.Result().Result; !strings.Contains(got, "Subagent general-purpose filed memories") ||
			!strings.Contains(got, "agent/cases/root-cause-of-the-import-crash.md") {
			t.Errorf("of the subagent's note the agent hears %q\n%s", got, l.Model.Digest())
		}
		told := 0
		for _, r := range l.Model.Answered("main") {
			if strings.Contains(r.Tail(), "Subagent general-purpose filed memories") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the agent was told %d times\n%s", told, l.Model.Digest())
		}
		if got := l.Read(filepath.Join(dir,
			"agent/cases/root-cause-of-the-import-crash.md")); !strings.Contains(got,
			"_Written by: general-purpose ") {
			t.Errorf("the case is %q", got)
		}
		for name, want := range map[string]string{"MEMORY.md": "user/events/",
			"INDEX.md": "agent/cases/root-cause-of-the-import-crash.md"} {
			if got := l.Read(filepath.Join(dir, name)); !strings.Contains(got, want) {
				t.Errorf("%s is not in step:\n%s", name, got)
			}
		}
		if got := l.Headless("Look.").Result().Result; !strings.Contains(got,
			"files in order (profile density") {
			t.Errorf("lint says %q", got)
		}
	})
}
