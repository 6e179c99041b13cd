package session_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/mempalace"
)

// counter puts a program where the session looks for the one that counts, which
// says that the palace's database holds these drawers.
func counter(t *testing.T, database string) (holds func(ids ...string)) {
	t.Helper()
	program := layout.Libexec("palace")
	answer := filepath.Join(t.TempDir(), "answer")
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(program, "#!/bin/sh\ncat >/dev/null\ncat '"+answer+"'\n", 0o700)
	t.Cleanup(func() { os.Remove(program) })
	return func(ids ...string) {
		c := mempalace.Count{Path: database, Rows: int64(len(ids)), Max: int64(len(ids))}
		for i, id := range ids {
			c.Last = append(c.Last, mempalace.Row{Row: int64(i + 1), ID: id})
		}
		b, err := json.Marshal([]mempalace.Count{c})
		if err != nil {
			t.Fatal(err)
		}
		write(answer, string(b), 0o600)
		write(database, strings.Repeat("x", 100+len(ids)), 0o600)
	}
}

// TestRulesOfTheGate: the audit calls rules as the gate does.
func TestRulesOfTheGate(t *testing.T) {
	want := []string{"gate-file", "gate-settings", "mempalace-later"} // as in audit.go
	for _, p := range rules.All() {
		for _, r := range p.Rules {
			if p.Name == rules.MemPalaceWrite {
				want = slices.DeleteFunc(want, func(name string) bool { return name == r.Name })
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("the gate has no rules %q", want)
	}
}

func TestAudit(t *testing.T) {
	home := t.TempDir()
	for name, dir := range map[string]string{"HOME": "", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_PROJECT_DIR": "project"} {
		t.Setenv(name, filepath.Join(home, dir))
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("MEMPALACE_PALACE_PATH", "")
	client := filepath.Join(home, ".claude")
	open := func() *session.Session {
		t.Helper()
		s, err := session.Open(session.Call{ID: "s1",
			Transcript: filepath.Join(client, "projects", "-p", "s1.jsonl"), Cwd: home})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	turn := func() string { t.Helper(); return open().Audit(t.Context(), mempalace.Turn) }

	if said := open().Audit(t.Context(), mempalace.Start); said != "" {
		t.Errorf("without a palace it said %q", said)
	}
	holds := counter(t, filepath.Join(home, ".config", "mempalace", "palace", "sqlite_exact.sqlite3"))
	holds("drawer_a")
	if said := turn(); said != "" {
		t.Errorf("of a palace first seen it said %q", said)
	}
	holds("drawer_a", "drawer_b")
	if said := turn(); !strings.Contains(said,
		"1 drawer appeared in the palace without an approval: drawer_b.") {
		t.Errorf("it said %q", said)
	}
	if said := turn(); said != "" {
		t.Errorf("it said again %q", said)
	}
	s := open()
	if told, err := journal.Failures(s.Ledger(), 9); err != nil || len(told) != 1 ||
		!strings.Contains(told[0].What, "drawer_b") {
		t.Errorf("the ledger has %+v, %v", told, err)
	}
	if n, _ := s.News(time.Now()); n.Failures != 0 {
		t.Errorf("it counts as %d failures", n.Failures)
	}

	// What a person said yes to is no surprise; a yes to something else, or to other
	// arguments than were used, is none.
	dir := filepath.Join(client, "keepsake", "approvals")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	settle := func(o approval.Outcome) {
		t.Helper()
		if o.Checkpoint == "" {
			o.Checkpoint = rules.MemPalaceWrite
		}
		if o.Result == "" {
			o.Result = approval.Stored
		}
		o.Time, o.ID = time.Now(), "abc123"
		line, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "settled.jsonl"), append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"drawer_a", "drawer_b"}
	for name, tt := range map[string]struct {
		outcome approval.Outcome
		quiet   bool
	}{
		"this id": {approval.Outcome{Tool: "mcp__m__mempalace_add_drawer",
			Stored: []string{"drawer_new"}}, true},
		"another id": {approval.Outcome{Tool: "mcp__m__mempalace_add_drawer",
			Stored: []string{"drawer_other"}}, false},
		"failed": {approval.Outcome{Tool: "mcp__m__mempalace_add_drawer",
			Result: approval.Failed}, false},
		"other arguments": {approval.Outcome{Tool: "mcp__m__mempalace_add_drawer",
			Stored: []string{"drawer_new"}, Result: approval.Changed}, false},
		"another checkpoint": {approval.Outcome{Tool: "Write", Checkpoint: "before_memory_write"}, false},
		"a command":          {approval.Outcome{Tool: "Bash", Rule: "mempalace-command"}, true},
		"settings":           {approval.Outcome{Tool: "Edit", Rule: "gate-settings"}, false},
		"a git hook":         {approval.Outcome{Tool: "Bash", Rule: "mempalace-later"}, false},
		"the gate's files":   {approval.Outcome{Tool: "Bash", Rule: "gate-file"}, false},
		"a fact that ended":  {approval.Outcome{Tool: "mcp__m__mempalace_kg_invalidate"}, false},
		"a drawer taken away": {approval.Outcome{Tool: "mcp__m__mempalace_delete_drawer",
			Stored: []string{"drawer_x"}}, false},
	} {
		holds(all...)
		turn()
		settle(tt.outcome)
		holds(append(slices.Clone(all), "drawer_new")...)
		if said := turn(); (said == "") != tt.quiet || !tt.quiet &&
			!strings.Contains(said, "1 drawer appeared in the palace without an approval: drawer_new.") {
			t.Errorf("%s: it said %q", name, said)
		}
		if err := os.Remove(filepath.Join(dir, "settled.jsonl")); err != nil {
			t.Fatal(err)
		}
	}
	holds(append(slices.Clone(all), "drawer_new")...)
	turn()
	settle(approval.Outcome{Tool: "mcp__m__mempalace_delete_drawer", Stored: []string{"drawer_new"}})
	holds(all...)
	if said := turn(); said != "" {
		t.Errorf("of what was deleted with a yes it said %q", said)
	}
	holds("drawer_a", "drawer_b", "drawer_c")

	// A palace that came after the session's start was empty before.
	if err := os.Remove(filepath.Join(client, "keepsake", "palace.json")); err != nil {
		t.Fatal(err)
	}
	if err := open().Update(func(st *stage.State) error { st.Looked = time.Now(); return nil }); err != nil {
		t.Fatal(err)
	}
	if said := turn(); !strings.Contains(said, "3 drawers appeared") {
		t.Errorf("it said %q", said)
	}

	// Without the program nothing is known, and the ledger says so.
	if err := os.Remove(layout.Libexec("palace")); err != nil {
		t.Fatal(err)
	}
	write := filepath.Join(home, ".config", "mempalace", "palace", "sqlite_exact.sqlite3")
	if err := os.WriteFile(write, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := turn(); said != "" {
		t.Errorf("it said %q", said)
	}
	if told, err := journal.Failures(s.Ledger(), 1); err != nil || len(told) != 1 ||
		!strings.Contains(told[0].Why, "libexec/palace") {
		t.Errorf("the ledger has %+v, %v", told, err)
	}
}

// TestApprovedInEitherClient counts what a person said yes to in Codex CLI for Claude Code as well: both
// write to the same palace.
func TestApprovedInEitherClient(t *testing.T) {
	home := t.TempDir()
	now := time.Now()
	for i, client := range []string{layout.ClientIn(home), layout.CodexIn(home)} {
		d := approval.Dir(layout.Approvals(client))
		g := approval.ByPerson("Bash", "w", "/p", now)
		o := approval.Outcome{Time: now.Add(-time.Duration(i) * time.Minute), Result: approval.Stored,
			Stored: []string{filepath.Base(client)}}
		if err := d.SettlePromotion(g, o); err != nil {
			t.Fatal(err)
		}
	}
	for _, client := range []string{layout.ClientIn(home), layout.CodexIn(home)} {
		yes, err := session.Approved(client, now.Add(-time.Hour))
		if err != nil || !slices.Equal(yes.IDs, []string{".codex", ".claude"}) {
			t.Errorf("%s: %q, %v", client, yes.IDs, err)
		}
	}
}
