//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	whereQueue, queueGone = "Where is the job queue kept?", "No, PostgreSQL is gone since spring."
	usedAndCorrected      = "Followed by: 1 use of its words by the agent, 1 correction by you"
)

// checkUses asserts what keepsake show says of the decision.
func checkUses(t *testing.T, l *Lab, given, followed string) {
	t.Helper()
	said := l.cli("show", "keep-the-job-queue-in-postgresql", "--uses")
	for _, want := range []string{given, followed} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s\n%s", want, said, l.Model.Digest())
		}
	}
}

// A memory comes with a prompt, the agent uses it, and the person corrects the agent: each is counted once.
// In another session a file has the same words, and what the agent then says does not count as a use.
func TestWhatFollowedIsCounted(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberDecision()
		notes := filepath.Join(l.Project, "notes.txt")
		if err := os.WriteFile(notes, []byte("PostgreSQL has the rows of jobs.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		read := false
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			tail := r.Tail()
			switch {
			case r.LastCall().Name == "Read":
				return Say("The notes name PostgreSQL and its rows.")
			case strings.Contains(tail, whereQueue) && read:
				return Call("Read", map[string]any{"file_path": notes})
			case strings.Contains(tail, whereQueue):
				return Say("In PostgreSQL, as was decided.")
			case strings.Contains(tail, queueGone):
				return Say("I see.")
			}
			return Say("I do not know what to say to that.")
		})
		term := l.Terminal("--permission-mode", "default")
		term.Send(whereQueue)
		term.Wait("as was decided")
		term.Send(queueGone)
		term.Wait("I see")
		term.Quit()
		checkUses(t, l, "Given: 1 time with a prompt", usedAndCorrected)

		read = true
		run := l.Headless(whereQueue)
		if run.Code != 0 || !strings.Contains(run.Result().Result, "notes name") {
			t.Fatalf("exit %d, %q\n%s", run.Code, run.Result().Result, l.Model.Digest())
		}
		checkUses(t, l, "Given: 2 times with a prompt", usedAndCorrected)
	})
}

// In Codex CLI the same is counted.
func TestCodexCountsWhatFollowed(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	l.rememberDecision()
	c := l.Codex()
	c.Exec("workspace-write", whereQueue, always(codexSays("In PostgreSQL, as was decided.")))
	c.Resume(queueGone, always(codexSays("I see.")))
	checkUses(t, l, "Given: 1 time with a prompt", usedAndCorrected)
}
