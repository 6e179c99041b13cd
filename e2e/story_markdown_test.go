//go:build e2e

package e2e

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The agent asks what is remembered. No memory answers, so it gets the line of the client's own memory file
// that does, with its age. It files a note there. The person takes that back: the directory is what it was,
// byte for byte, and holds nothing of Keepsake's.
func TestMarkdownMemoriesAreAskedAndTakenBack(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, "staging"):
				return Bash(l.keepsake() + " recall staging cluster")
			case strings.Contains(last.Command(), " recall "):
				return Bash(l.keepsake() +
					" note --kind feedback 'Ask before a restart of staging' --why 'demos run there' --how " +
					"'ask in the channel'")
			case strings.Contains(last.Command(), " note "):
				return Say("Noted.")
			}
			return Say("Fine.")
		})
		dir := l.autoMemory()
		old := time.Now().AddDate(0, 0, -200).Format(time.DateOnly)
		l.Write(filepath.Join(dir, "MEMORY.md"),
			"- [Staging](staging.md) — how to reach the staging cluster\n")
		l.Write(filepath.Join(dir, "staging.md"),
			"---\r\nname: staging\r\ndescription: How to reach the staging cluster\r\ntype: "+
				"reference\r\nlast_updated: "+old+
				"\r\n---\r\n# Staging\r\n\r\nThe staging cluster is behind the VPN.\r\n")
		before := map[string]string{}
		for _, name := range l.Files(dir) {
			before[name] = l.Read(filepath.Join(dir, name))
		}

		run := l.Headless("How do I reach the staging cluster?")
		if got := run.Result().Result; got != "Noted." {
			t.Errorf("it came to %q\n%s", got, l.Model.Digest())
		}
		all := l.Model.Requests()
		last := all[len(all)-1].Text()
		for _, want := range []string{
			"[source: markdown] " + filepath.Join(dir, "staging.md") + ":9 (stale: last updated on " + old +
				", ", " days ago; check it)",
			"The staging cluster is behind the VPN.", "noted (feedback",
		} {
			if !strings.Contains(last, want) {
				t.Errorf("the agent was not told %q:\n%s", want, last)
			}
		}
		if len(l.PermissionRequests()) > 0 {
			t.Errorf("the person was asked: %v", l.PermissionRequests())
		}
		if len(l.Files(dir)) <= len(before) {
			t.Errorf("nothing was noted: %v", l.Files(dir))
		}

		l.Run(l.Project, l.keepsake(), "undo")
		after := map[string]string{}
		for _, name := range l.Files(dir) {
			after[name] = l.Read(filepath.Join(dir, name))
		}
		if !maps.Equal(before, after) {
			t.Errorf("taken back it is %q, it was %q", after, before)
		}
	})
}
