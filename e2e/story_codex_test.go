//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// newest is the newest Claude Code of the suite.
func newest(t *testing.T) Client {
	v := versions[len(versions)-1]
	return Client{Version: v, Path: clientPath(t, v)}
}

// What a person says in Codex CLI is noticed at the end of the turn, and nothing that was put beside it. The
// agent saves it by a command in the client's sandbox. The next session there is told of it, and so is Claude
// Code in the same project. Without the plugin nothing is told, and the memory stays.
func TestCodexMemory(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	l.Write(filepath.Join(l.Project, "AGENTS.md"), "We decided to use Kafka for the audit trail.\n")

	l.note("Open question: does the nightly export still run?")
	first := c.Exec("workspace-write",
		"We decided to use Redis for the queue, because polling Postgres was too slow.",
		always(codexShell("cat AGENTS.md; echo 'We decided to use Avro for events.'")),
		always(codexSays("Redis it is.")))
	if !strings.Contains(first[0].Text(), "does the nightly export still run") {
		t.Errorf("the session was not told where the work stands:\n%s", first[0].Text())
	}
	noticed := l.cli("inbox", "list")
	if !strings.Contains(noticed, "We decided to use Redis for the queue") ||
		strings.Contains(noticed, "Kafka") || strings.Contains(noticed, "Avro") {
		t.Fatalf("noticed:\n%s\n%s", noticed, l.failures())
	}
	number := regexp.MustCompile(`\d+`).FindString(noticed)

	saved := c.Exec("workspace-write", "save what you noticed", always(codexShell(l.keepsake()+" remember '"+
		`[{"covers":[`+number+`],"category":"decision","title":"Redis for the queue","content":{`+
		`"decision":"Use Redis for the queue","context":"The job queue","rationale":["polling was too slow"]}}]'`)),
		always(codexSays("Saved.")))
	if len(l.Files(filepath.Join(l.Project, ".claude", "memory", "decisions"))) != 1 {
		t.Fatalf("nothing was saved: %s\n%s", saved[len(saved)-1].Result(), l.failures())
	}

	const told = "Use Redis for the queue"
	asked := c.Exec("read-only", "Which queue did we choose, Redis or Postgres?", always(codexSays("Redis.")))
	if text := asked[0].Text(); !strings.Contains(text, told) {
		t.Errorf("a new session was not told:\n%s", text)
	}
	l.Model.Script("main", Match{}, Fixed(Say("Redis.")))
	l.Headless("Which queue did we choose, Redis or Postgres?")
	if !strings.Contains(l.Model.Digest(), told) {
		t.Errorf("Claude Code was not told:\n%s", l.Model.Digest())
	}

	if run := c.run("plugin", "remove", "keepsake@keepsake"); run.Code != 0 {
		t.Errorf("uninstall: %+v", run)
	}
	asked = c.Exec("read-only", "Which queue did we choose, Redis or Postgres?", always(codexSays("?")))
	if strings.Contains(asked[0].Text(), told) {
		t.Errorf("told without the plugin:\n%s", asked[0].Text())
	}
	if l.memory("decisions")["title"] != "Redis for the queue" {
		t.Error("the memory did not outlive the plugin")
	}
}

// In the terminal the person trusts the hooks once, and their words count as theirs. At the end of the turn
// the agent is told what to keep, saves it by a command, and no more is said.
func TestCodexTerminal(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	c := l.Codex()
	var form string
	c.Script(
		func(r codexRequest) codexReply { form = r.Text(); return codexSays("Redis it is.") },
		func(r codexRequest) codexReply {
			if !strings.Contains(r.Text(), `keepsake: keep [1] decision "We decided to use Redis`) {
				t.Errorf("the agent was not told what to keep:\n%s", r.Text())
			}
			return codexShell(l.keepsake() + ` remember '[{"covers":[1],"category":"decision",` +
				`"title":"Redis for the queue","content":{"decision":"Use Redis for the queue",` +
				`"context":"The job queue","rationale":["polling was too slow"]}}]'`)
		},
		always(codexSays("Saved it.")))
	term := c.Terminal()
	term.Type("We decided to use Redis for the queue, because polling was too slow.")
	term.Wait("Saved it.")
	term.Key("C-c")
	term.Key("C-c")
	if !strings.Contains(form, "<keepsake-form>") {
		t.Errorf("the agent does not know how to save:\n%s", form)
	}
	said := l.cli("recall", "which queue did we choose, Redis or Postgres?")
	if l.memory("decisions")["title"] != "Redis for the queue" ||
		strings.Contains(said, "said by the agent") {
		t.Errorf("saved as\n%s\n%s", said, l.failures())
	}
	if doctor := l.cli("doctor"); !strings.Contains(doctor, "its hooks are trusted") {
		t.Errorf("doctor:\n%s", doctor)
	}
}

// Codex CLI has no dialog for hooks: what the gate would ask is denied there, with the command by which a
// person at a terminal approves exactly this call. Nothing but the gate stands in the way.
func TestCodexGate(t *testing.T) {
	t.Parallel()
	l := NewLab(t, newest(t))
	l.InstallKeepsake()
	palace := filepath.Join(l.Home, ".mempalace", "palace")
	l.Write(filepath.Join(palace, "chroma.sqlite3"), "drawers")
	c := l.Codex()
	add := func(name string) codexReply {
		return codexPatch("*** Begin Patch\n*** Add File: " + name + "\n+kept for good\n*** End Patch\n")
	}
	kept := filepath.Join(palace, "kept.txt")
	both := "*** Begin Patch\n*** Add File: notes.txt\n+fine\n*** Update File: " +
		filepath.Join(palace, "chroma.sqlite3") + "\n@@\n-drawers\n+none\n*** End Patch\n"

	var results []string
	step := func(r codexReply) codexTurn {
		return func(req codexRequest) codexReply {
			results = append(results, req.Result())
			return r
		}
	}
	c.Exec("danger-full-access", "keep it", step(add(kept)), step(codexPatch(both)),
		step(codexShell("apply_patch <<'EOF'\n"+both+"EOF")),
		step(codexShell("cd "+palace+" && rm chroma.sqlite3")),
		step(codexCalls("mcp__mempalace", "mempalace_add_drawer",
			map[string]any{"content": "kept for good"})),
		step(codexCalls("mcp__mempalace", "mempalace_search", map[string]any{"query": "queues"})),
		step(add("mine.txt")), step(codexSays("I could not.")))
	for i, what := range []string{"a file added", "a file changed", "a patch in a command", "a file removed",
		"an MCP tool that writes"} {
		if i+1 >= len(results) || !strings.Contains(results[i+1], "blocked by PreToolUse hook") ||
			!regexp.MustCompile(`inbox approve [0-9a-z]{6}`).MatchString(results[i+1]) {
			t.Errorf("%s: %q", what, results[min(i+1, len(results)-1)])
		}
	}
	if len(results) != 8 || strings.Contains(results[6], "blocked") ||
		strings.Contains(results[7], "blocked") {
		t.Errorf("what writes nothing for good was stopped: %q", results)
	}
	log := l.Read(filepath.Join(l.Root, "codex-palace.log"))
	if l.Exists(kept) || l.Read(filepath.Join(palace, "chroma.sqlite3")) != "drawers" ||
		l.Exists(filepath.Join(l.Project, "notes.txt")) || !l.Exists(filepath.Join(l.Project, "mine.txt")) ||
		strings.Contains(log, "mempalace_add_drawer ") {
		t.Errorf("written all the same: %s\n%s", l.Files(palace), log)
	}

	id := regexp.MustCompile(`inbox approve ([0-9a-z]{6})`).FindStringSubmatch(results[1])[1]
	screen := l.AtTerminal([]string{"inbox", "approve", id}, "y")
	if !strings.Contains(screen, "approved: "+id) {
		t.Fatalf("the terminal said\n%s", screen)
	}
	results = nil
	c.Exec("danger-full-access", "now keep it", step(add(kept)), step(add(kept)), step(codexSays("Kept.")))
	if !l.Exists(kept) || len(results) != 3 || strings.Contains(results[1], "blocked") ||
		!strings.Contains(results[2], "blocked") {
		t.Errorf("approved once: %q", results)
	}
}
