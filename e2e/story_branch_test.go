//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What is decided on a branch is brought back there, and nowhere else until the branch is merged. Then the
// person is asked once whether to keep it, and a yes makes it count everywhere.
func TestBranch(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		const asked = "Where does the job queue keep its jobs?"
		const known = "Jobs are rows of the PostgreSQL table jobs"
		l.Git(l.Project, "checkout", "-q", "-b", "feat/queue")
		l.converse(decided)
		if b, ok := l.memory("decisions")["branch"].(map[string]any); !ok || b["name"] != "feat/queue" ||
			b["head"] != b["base"] {
			t.Errorf("the decision's branch is %v", b)
		}
		l.asks(asked, known)

		l.Git(l.Project, "checkout", "-q", "main")
		if r := l.hears(asked); strings.Contains(recalled(r), known) {
			t.Errorf("main was told of a decision of feat/queue:\n%s", recalled(r))
		}
		if out := l.cli("recall", "job queue"); !strings.Contains(out,
			"made on branch feat/queue, which this checkout does not have") {
			t.Errorf("recall does not mark it:\n%s", out)
		}

		l.Git(l.Project, "checkout", "-q", "feat/queue")
		l.Write(filepath.Join(l.Project, "jobs.sql"), "create table jobs ();\n")
		l.Git(l.Project, "add", "jobs.sql")
		l.Git(l.Project, "commit", "-q", "-m", "shop: jobs are rows")
		l.Git(l.Project, "checkout", "-q", "main")
		l.Git(l.Project, "merge", "-q", "--squash", "feat/queue")
		l.Git(l.Project, "commit", "-q", "-m", "shop: the queue")
		l.Git(l.Project, "branch", "-q", "-D", "feat/queue")
		term := l.Terminal("--permission-mode", "default")
		term.Wait(`1\s+memory\s+came\s+with\s+the\s+merge\s+of\s+feat/queue:\s+keep\s+it\?`)
		term.Quit()
		l.asks(asked, known)

		id := regexp.MustCompile(`b[0-9a-z]{5}`).FindString(l.cli("inbox"))
		term = l.TerminalFor(140, 100, l.keepsake(), "inbox", "approve", id)
		term.Wait("Keep 1 memory")
		term.Key("-l", "y")
		term.Key("Enter")
		term.Wait("CLIENT-ENDED-")
		screen := term.History()
		term.close()
		if !regexp.MustCompile(`kept:\s+1\s+memory`).MatchString(screen) {
			t.Errorf("the memory was not kept\n%s", screen)
		}
		if b := l.memory("decisions")["branch"]; b != nil {
			t.Errorf("what the person kept is still bound to %v", b)
		}
		term = l.Terminal("--permission-mode", "default")
		term.Send("I am back.")
		term.Wait("I do not know what to say to that")
		if strings.Contains(term.History(), "came with the merge") {
			t.Errorf("asked again\n%s", term.History())
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// hears opens a session with one prompt and returns the request that it made.
func (l *Lab) hears(prompt string) *Request {
	l.t.Helper()
	before := len(l.Model.Requests())
	l.Headless(prompt)
	return l.Model.Await(prompt, func(r *Request) bool {
		return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
	})
}
