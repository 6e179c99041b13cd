//go:build e2e

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// denied finds the id with which a person approves a call that was denied in Codex CLI.
var denied = regexp.MustCompile(`inbox approve ([0-9a-z]{6})`)

// approved has the person approve the call that was denied with these words, at a terminal, and returns what
// they were shown.
func (l *Lab) approved(told string) string {
	l.t.Helper()
	m := denied.FindStringSubmatch(told)
	if m == nil {
		l.t.Fatalf("nothing to approve: %s\n%s", told, l.failures())
	}
	screen := l.AtTerminal([]string{"inbox", "approve", m[1]}, "y")
	if !strings.Contains(screen, "approved: "+m[1]) {
		l.t.Fatalf("the terminal said\n%s", screen)
	}
	return screen
}

// What a note says is kept for good from Codex CLI once the person has approved exactly that in a terminal,
// although the client's sandbox lets no command write there. Once more it is not. In Claude Code it is known,
// and counts as approved there too. A shell command that deletes a palace runs once with the person's yes.
func TestCodexPromote(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	promote := codexShell(l.keepsake() + " notes promote " + l.noted(settledWhy))
	var s codexScript
	c.Exec("workspace-write", "keep it for good", s.does(promote), s.does(codexSays("It waits.")))
	if got := l.promoted(); len(got) != 0 {
		t.Fatalf("kept without a yes: %q", got)
	}
	if screen := l.approved(s.told[1]); !strings.Contains(squeezed(screen), squeezed("Decided to use "+
		"Postgres, not")) {
		t.Errorf("the person was not shown the text:\n%s", screen)
	}
	s.told = nil
	c.Exec("workspace-write", "now keep it for good", s.does(promote), s.does(promote),
		s.does(codexSays("Kept.")))
	if got := l.promoted(); len(got) != 1 || got[0] != settledWhy || !strings.Contains(s.told[1],
		"Promoted to") ||
		!strings.Contains(s.told[2], "has been promoted") {
		t.Errorf("kept %q: %q\n%s", got, s.told, l.failures())
	}
	if said := l.cli("recall", "why postgres"); !strings.Contains(said, "[source: WHY] shop/decisions/") {
		t.Errorf("recall says\n%s", said)
	}
	if said := l.cli("gate", "revoke", "--dry-run"); !strings.Contains(said, "without your approval") ||
		strings.Contains(said, "shop/decisions") {
		t.Errorf("what was approved in Codex CLI counts as unapproved:\n%s", said)
	}

	palace := filepath.Join(l.Home, ".mempalace", "palace", "chroma.sqlite3")
	l.Write(palace, "drawers")
	remove := codexShell("rm " + palace)
	s.told = nil
	c.Exec("danger-full-access", "clean up", s.does(remove), s.does(codexSays("It waits.")))
	if !l.Exists(palace) {
		t.Fatal("removed without a yes")
	}
	l.approved(s.told[1])
	l.Write(palace, "drawers, and more")
	c.Exec("danger-full-access", "now clean up", s.does(remove), s.does(codexSays("Done.")))
	if l.Exists(palace) {
		t.Errorf("approved, and not run: %q", s.told)
	}
}

// Codex CLI gets Keepsake's MCP server by its own command. An agent there proposes; the person says yes in a
// terminal; Claude Code in the same project is told of it.
func TestCodexMCP(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	l.rememberDecision()
	c := l.Codex()
	if run := c.run("mcp", "add", "keepsake", "--", l.keepsake(), "mcp"); run.Code != 0 {
		t.Fatalf("codex mcp add: %+v", run)
	}
	var s codexScript
	tool := func(name string, args map[string]any) codexTurn {
		return s.does(codexCalls("mcp__keepsake", name, args))
	}
	c.Exec("workspace-write", "keep what you learned",
		tool("recall", map[string]any{"query": "where is the job queue kept?"}),
		tool("propose", map[string]any{"text": "We decided to send mails with Postmark, because SES was " +
			"slow."}),
		tool("memory", map[string]any{"command": "create", "path": "/memories/mails.md",
			"file_text": "Postmark sends our mails.\n"}),
		tool("memory", map[string]any{"command": "view", "path": "/memories/mails.md"}),
		s.does(codexSays("Proposed.")))
	if len(s.told) != 5 || !strings.Contains(s.told[1], "[source: project]") ||
		!strings.Contains(s.told[4], "1\tPostmark sends our mails.") {
		t.Fatalf("the tools said %q\n%s", s.told, l.failures())
	}
	number := regexp.MustCompile(`Proposed as \[(\d+)\]`).FindStringSubmatch(s.told[2])
	change := regexp.MustCompile(`Proposed as (n[0-9a-z]{5})`).FindStringSubmatch(s.told[3])
	if number == nil || change == nil {
		t.Fatalf("the tools said %q", s.told)
	}
	for _, id := range []string{number[1], change[1]} {
		if screen := l.AtTerminal([]string{"inbox", "approve", id}, "y"); !regexp.MustCompile(
			`Saved: decision|written: n`).MatchString(screen) {
			t.Errorf("the terminal said\n%s", screen)
		}
	}
	l.Model.Script("main", Match{}, Fixed(Say("Postmark.")))
	run := l.Headless("Do we send mails with Postmark or with SES?")
	if !strings.Contains(l.Model.Digest(), "because SES was slow") {
		t.Errorf("Claude Code was not told:\n%s", l.Model.Digest())
	}
	if got := l.Read(filepath.Join(memoryOf(t, run), "mails.md")); got != "Postmark sends our mails.\n" {
		t.Errorf("the note is %q", got)
	}
}

// A session that goes on is told of a memory once, until the client compacts it. What was retired meanwhile,
// from a terminal, is told in neither client, and what is brought back is. Doctor says what is missing for
// the hooks to run.
func TestCodexAgain(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	l.rememberDecision()
	c := l.Codex()
	doctor := exec.Command(l.keepsake(), "doctor") // it finds something
	doctor.Dir, doctor.Env = l.Project, l.environ()
	if said, _ := doctor.CombinedOutput(); !strings.Contains(string(said), "you have not trusted them") {
		t.Errorf("doctor:\n%s", said)
	}

	const question, told = "Where is the job queue kept, in Postgres?", "Keep the job queue in PostgreSQL"
	count := func(asked []codexRequest) int { return strings.Count(asked[len(asked)-1].Text(), told) }
	first := count(c.Exec("workspace-write", question, always(codexSays("In Postgres."))))
	again := count(c.Resume(question, always(codexSays("As I said."))))
	if first == 0 || again != first {
		t.Errorf("told %d times, and %d times when the session went on\n%s", first, again, l.failures())
	}
	// After a compaction the model knows nothing of it, and is told once more.
	compacted := c.exec([]codexTurn{always(codexSays("We talked.")), always(codexSays("In Postgres."))},
		"exec", "-c", "model_auto_compact_token_limit=10", "--dangerously-bypass-hook-trust", "resume",
		"--last",
		question)
	if n := count(compacted); n != first || !strings.Contains(compacted[len(compacted)-1].Text(), "We "+
		"talked.") {
		t.Errorf("told %d times after a compaction\n%s", n, l.failures())
	}
	l.cli("records", "retire", "keep-the-job-queue-in-postgresql")
	if n := count(c.Exec("workspace-write", question, always(codexSays("?")))); n != 0 {
		t.Error("a session was told of a retired memory")
	}
	l.cli("records", "restore", "keep-the-job-queue-in-postgresql")
	if n := count(c.Exec("workspace-write", question, always(codexSays("In Postgres.")))); n != first {
		t.Errorf("a restored memory was told %d times", n)
	}
}

// What the agent tells a subagent is not the person's word, and the gate stops a subagent as it stops the
// agent. What the person said beside it is noticed.
func TestCodexSubagent(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	palace := filepath.Join(l.Home, ".mempalace", "palace", "chroma.sqlite3")
	l.Write(palace, "drawers")
	c := l.Codex()
	const agent = "multi_agent_v1"
	var s, sub codexScript
	var id struct {
		Agent string `json:"agent_id"`
	}
	c.sub = []codexTurn{sub.does(codexShell("rm " + palace)), sub.does(codexSays("It was stopped."))}
	c.Exec("danger-full-access", "We decided to use Redis for the queue, because polling was too slow. Have "+
		"somebody clean up.",
		s.does(codexCalls(agent, "spawn_agent", map[string]any{"message": "We decided to use Kafka for the " +
			"audit trail, because it scales. Clean up the palace."})),
		func(r codexRequest) codexReply {
			if err := json.Unmarshal([]byte(r.Result()), &id); err != nil || id.Agent == "" {
				t.Errorf("no subagent: %s", r.Result())
			}
			return codexCalls(agent, "wait_agent", map[string]any{"targets": []string{id.Agent}})
		},
		s.does(codexSays("Done.")))
	if !strings.Contains(s.told[len(s.told)-1], "It was stopped.") {
		t.Errorf("the subagent's answer: %q", s.told)
	}
	if !l.Exists(palace) || len(sub.told) != 2 ||
		!strings.Contains(sub.told[1], "blocked by PreToolUse hook") {
		t.Errorf("the subagent was not stopped: %q\n%s", sub.told, l.failures())
	}
	noticed := l.cli("inbox", "list")
	if !strings.Contains(noticed, "We decided to use Redis for the queue") ||
		strings.Contains(noticed, "Kafka") {
		t.Errorf("noticed:\n%s\n%s", noticed, l.failures())
	}
}

// A memory is not taken back without a yes. After it the command runs in the client's sandbox, where it
// writes nothing rather than half, and says what the person can do.
func TestCodexForget(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	l.rememberDecision()
	c := l.Codex()
	forget := codexShell(l.keepsake() + " forget keep-the-job-queue-in-postgresql")
	var s codexScript
	c.Exec("workspace-write", "forget the queue", s.does(forget), s.does(codexSays("It waits.")))
	l.approved(s.told[1])
	c.Exec("workspace-write", "now forget it", s.does(forget), s.does(codexSays("It can't be done here.")))
	told := s.told[len(s.told)-1]
	if strings.Contains(told, "blocked") || !strings.Contains(told, "sandbox") {
		t.Errorf("told %q", told)
	}
	if got := l.memory("decisions")["record_status"]; got != "active" {
		t.Errorf("the memory is %v", got)
	}
}
