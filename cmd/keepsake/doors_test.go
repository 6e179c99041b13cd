package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/hooks"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/erase"
	"keepsake/pkg/project/session"
)

// said are sentences with a secret of each kind, and a piece of it that is to be in
// no file. They are put together at run time, so that no scanner takes this for a leak.
func saidSecrets() map[string]string {
	x := func(seed string, n int) string { return strings.Repeat(seed+"aB3dE6gH9k", n/10+1)[:n] }
	pem := func(seed, name, br string) string {
		return "-----BEGIN " + name + "-----" + br + x(seed, 64) + br + x("z", 20) + br + "-----END " +
			name + "-----"
	}
	return map[string]string{
		"the deploy token is ghp_" + x("q1", 36) +
			" for now": "ghp_" + x("q1", 36),
		"vault answers to hvs." + x("q2",
			40): x("q2", 40),
		"the key file is {\"private_key\": \"" + pem("q3", "PRIVATE "+"KEY", `\n`) +
			`"}`: x("q3", 64),
		"my key is " + pem("q4", "PGP "+"PRIVATE KEY BLOCK", "\n") +
			" keep it": x("q4", 64),
		"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n" + x("q5", 64) + "\nPrivate-MAC: " +
			strings.Repeat("ab12", 16): x("q5", 64),
		"run mysql -u root -pq6hunter2 app":                    "q6hunter2",
		"run sshpass -p q7hunter2 ssh bob@host":                "q7hunter2",
		"machine api.example.com login bob password q8hunter2": "q8hunter2",
		"the signing secret is q9vTq2LmZx71 since today":       "q9vTq2LmZx71",
		"das Admin-Passwort lautet qaSommer2024! seit heute":   "qaSommer2024!",
		"le mot de passe est qbsoleil42!":                      "qbsoleil42!",
		"la contraseña es qcverano2024":                        "qcverano2024",
		"postgres://app:qds3cr3tpw@db:5432/x":                  "qds3cr3tpw",
		"Authorization: Bearer eyJ" + x("qe", 20) + "." + x("qe", 30) + "." +
			x("qe", 40): x("qe", 30),
		"<private>qfheron buys the company on friday</private>": "qfheron",
	}
}

// TestNoDoorStoresASecret runs one secret of each kind through every door that stores,
// with the real hooks, and looks for it in every file of the home, the project, the
// runtime directory and the caches. The client's own transcript has what was said.
func TestNoDoorStoresASecret(t *testing.T) {
	plugin := buildPlugin(t)
	home, project := homeAndProject(t)
	base := filepath.Dir(home)
	transcript := filepath.Join(home, ".claude", "projects", "-app", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(transcript), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CLAUDE_PROJECT_DIR", project)
	t.Setenv("CLAUDE_PLUGIN_ROOT", plugin)
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	t.Setenv("CLAUDE_CODE_SESSION_ID", "s1")
	start := func(program, in string, args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(plugin, "bin", program), args...)
		cmd.Dir, cmd.Stdin = project, strings.NewReader(in)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	keepsake := func(args ...string) string { // some refuse some texts, which stores nothing
		out, errs, _ := auditing(project, "", nil, args...)
		return out + errs
	}
	hook := func(event string, more map[string]any) string {
		t.Helper()
		in := map[string]any{"hook_event_name": event, "session_id": "s1", "cwd": project,
			"transcript_path": transcript, "permission_mode": "default"}
		for k, v := range more {
			in[k] = v
		}
		b, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		program, args := hooks.Call(event)
		return start("hooks/"+program, string(b), args...)
	}
	say := func(kind, uuid string, content any) {
		t.Helper()
		b, err := json.Marshal(map[string]any{"type": kind, "uuid": uuid, "timestamp": "2026-11-20T09:00:00Z",
			"message": map[string]any{"id": uuid, "role": kind, "content": content}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.Write(append(b, '\n'))
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	hook("SessionStart", map[string]any{"source": "startup"})
	secrets := saidSecrets()
	// one order: what stands beside what is tried in secret's own tests
	all := slices.Sorted(maps.Keys(secrets))
	n := 0
	for _, text := range all {
		id := string(rune('a' + n))
		n++
		say("user", "u"+id, "We decided to use Postgres instead of Redis, because "+text+" must survive.")
		say("assistant", "a"+id, []any{map[string]any{"type": "text",
			"text": "The rule is: never use Redis, because " + text + "."}})
		hook("UserPromptSubmit", map[string]any{"prompt": "why Postgres? " + text})
		hook("PreToolUse", map[string]any{"tool_name": "mcp__mempalace__mempalace_add_drawer",
			"tool_use_id": "toolu_" + id, "tool_input": map[string]any{"wing": "w", "room": "r",
				"content": text}})
		hook("PreToolUse", map[string]any{"tool_name": "Bash", "tool_use_id": "toolub_" + id,
			"tool_input": map[string]any{"command": "mempalace add '" + text + "'"}})
		for _, args := range [][]string{
			{"save", text}, {"save", "--tier", "where", "retry logic: pkg/http.go " + text},
			{"note", "--kind", "reference", "Staging: " + text},
			{"lesson", "--trigger", text, "--lesson", text, "--next", text, "--kind", "gotcha"},
			{"project", "progress", text}, {"project", "open", text},
		} {
			keepsake(args...)
		}
	}
	hook("Stop", map[string]any{"last_assistant_message": "Done."})
	s, err := session.Open(session.Call{ID: "s1", Transcript: transcript, Cwd: project})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range all {
		draft, err := json.Marshal(map[string]any{"category": "decision", "new_info_summary": text,
			"intended_action": "create", "partial_content": map[string]any{
				"title": "Use Postgres for queue " + string(rune('a'+i)), "tags": []string{text},
				"related_files": []string{text}, "change_summary": text,
				"content": map[string]any{"status": "accepted", "context": text, "decision": text,
					"rationale": []string{text}},
			}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Desk.Put(stage.Context{Category: "decision", Score: 0.8, Excerpt: text,
			Snippets: []stage.Snippet{{Text: text}}}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Desk.Announce(stage.ParallelConfig{Enabled: true, DefaultModel: "haiku"},
			s.State.Seen); err != nil {
			t.Fatal(err)
		}
		if err := s.Desk.Write("intent-decision.json", draft); err != nil {
			t.Fatal(err)
		}
		if out := keepsake("commit", "--partial"); i == 0 && !strings.Contains(out, "Saved: decision") {
			t.Errorf("nothing was saved: %s", out)
		}
	}
	records, err := s.Store().Load()
	if err != nil || len(records.Records) < 10 {
		t.Fatalf("%d records, %v", len(records.Records), err)
	}
	for _, r := range records.Records[:1] {
		keepsake("retire", r.ID, "--reason", strings.Join(all, " "))
	}
	keepsake("handoff", "promote", "--resume", strings.Join(all, "\n"))
	keepsake("recall", strings.Join(all, "\n"))
	hook("PreCompact", map[string]any{"trigger": "manual",
		"custom_instructions": strings.Join(all, "\n")})
	hook("SessionEnd", map[string]any{"reason": "exit"})
	for _, part := range []string{"app/.claude/memory/.history", "app/.agents/memory/scratch",
		"home/.claude/keepsake/approvals", "home/.cache/keepsake", "home/.local/state/keepsake/notes"} {
		if _, err := os.Stat(filepath.Join(base, part)); err != nil {
			t.Errorf("the test did not reach %s", part)
		}
	}
	for text, value := range secrets {
		for _, path := range holding(t, base, value) {
			if !strings.HasSuffix(path, "projects/-app/s1.jsonl") {
				t.Errorf("%q is in %s", text, path)
			}
		}
	}
	// What was stored in their place is no secret to the next look.
	var again erase.Audit
	if err := json.Unmarshal([]byte(keepsake("audit", "--json")), &again); err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Found {
		b, _ := os.ReadFile(f.Path)
		t.Errorf("audit: %s:%d: %s: %.400s", f.Path, f.Line, f.Kind, strings.Split(string(b), "\n")[f.Line-1])
	}
}
