//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A memory rests on a file. Another commit takes the file away: from the next session's first prompt on the
// model is told the memory with that, and blame names the commit. Once the file is back it is told as before.
func TestFailingCheck(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const prompt, told, flag = jobsAsked, jobsTold, jobsFlag
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberJobs()
		l.Model.Script("main", Match{}, Fixed(Say("In Redis.")), Fixed(Say("In Redis.")),
			Fixed(Say("In Redis.")))
		before := l.toldWith(prompt)
		if !strings.Contains(before, told) || strings.Contains(before, "its check fails") {
			t.Errorf("it is not told, or with a flag:\n%s", before)
		}

		l.Git(l.Project, "rm", "-q", "internal/queue/redis.go")
		l.Git(l.Project, "commit", "-q", "-m", "queue: drop Redis")
		after := l.toldWith(prompt)
		if !strings.Contains(after, told) || !strings.Contains(after, flag) {
			t.Errorf("it is not told with what fails:\n%s", after)
		}
		blame := exec.Command(filepath.Join(l.Plugin, "bin", "keepsake"), "records", "blame", "jobs-in-redis")
		blame.Dir, blame.Env = l.Project, l.environ()
		out, err := blame.CombinedOutput()
		if err != nil || !strings.Contains(string(out), `"queue: drop Redis", by Dev`) {
			t.Errorf("blame: %v\n%s", err, out)
		}

		l.Git(l.Project, "revert", "--no-edit", "HEAD")
		if again := l.toldWith(prompt); !strings.Contains(again, told) || strings.Contains(again,
			"its check fails") {
			t.Errorf("the file is back:\n%s", again)
		}
	})
}

// What a prompt asks, what the memory says of it, and with what it is told once its file is gone.
const (
	jobsAsked = "Where does the job queue keep its jobs?"
	jobsTold  = "Jobs are members of a Redis list"
	jobsFlag  = "[its check fails: internal/queue/redis.go is gone]"
)

// rememberJobs commits a file and remembers a decision that rests on it.
func (l *Lab) rememberJobs() {
	l.t.Helper()
	l.Write(filepath.Join(l.Project, "internal/queue/redis.go"), "package queue\n\nfunc Push() {}\n")
	l.Git(l.Project, "add", "internal")
	l.Git(l.Project, "commit", "-q", "-m", "queue: jobs in a Redis list")
	l.Remember("decisions/jobs-in-redis.json", map[string]any{
		"schema_version": "1.3", "category": "decision", "id": "jobs-in-redis",
		"title": "Keep the job queue in Redis", "record_status": "active",
		"created_at": "2026-10-18T10:00:00Z", "updated_at": "2026-10-18T10:00:00Z",
		"tags": []string{"job-queue"}, "times_updated": 0,
		"content": map[string]any{"status": "accepted", "context": "Where the job queue keeps its jobs",
			"decision": jobsTold, "rationale": []string{"it is fast"}},
		"verify": []string{"path_exists internal/queue/redis.go",
			"symbol_defined internal/queue/redis.go Push"},
	})
}

// The same in Codex CLI: a file is moved, the next session is told the memory with that, and once more
// without when the file is back. The agent finds the commit with a command in the client's sandbox.
func TestCodexFailingCheck(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	l.rememberJobs()
	told := func(when string, flagged bool) {
		t.Helper()
		text := c.Exec("read-only", jobsAsked, always(codexSays("In Redis.")))[0].Text()
		if !strings.Contains(text, jobsTold) || strings.Contains(text, jobsFlag) != flagged ||
			strings.Contains(text, "its check fails") != flagged {
			t.Errorf("%s, the memory is told with what fails: want %v\n%s\n%s", when, flagged, text,
				l.failures())
		}
	}
	told("as it was saved", false)
	l.Git(l.Project, "mv", "internal/queue/redis.go", "internal/queue/list.go")
	l.Git(l.Project, "commit", "-q", "-m", "queue: call it list")
	told("after the move", true)
	asked := c.Exec("workspace-write", "which commit broke it?",
		always(codexShell(l.keepsake()+" records blame jobs-in-redis")), always(codexSays("That one.")))
	if said := asked[len(asked)-1].Result(); !strings.Contains(said, `"queue: call it list", by Dev`) ||
		!strings.Contains(said, "it moved it to internal/queue/list.go") {
		t.Errorf("blame in the sandbox: %s\n%s", said, l.failures())
	}
	l.Git(l.Project, "revert", "--no-edit", "HEAD")
	told("once the file is back", false)
}

// toldWith opens a session with a prompt and returns what of the memories came with it.
func (l *Lab) toldWith(prompt string) string {
	l.t.Helper()
	before := len(l.Model.Requests())
	l.Headless(prompt)
	return recalled(l.Model.Await(prompt, func(r *Request) bool {
		return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
	}))
}
