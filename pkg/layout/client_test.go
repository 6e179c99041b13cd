package layout

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestClient(t *testing.T) {
	for in, want := range map[string]string{
		"/h/.claude/projects/-p/s.jsonl": "/h/.claude",
		"/h/x/projects/-p/s.jsonl":       "/h/x",
		"/h/.claude/s.jsonl":             "",
		"projects/-p/s.jsonl":            "",
		"":                               "",
		"/projects/-p/s.jsonl":           "/",
		"/h/.codex/sessions/2026/11/28/rollout-2026-11-28T03-19-32-x.jsonl": "/h/.codex",
		"/h/.codex/archived_sessions/rollout-x.jsonl":                       "",
		"sessions/2026/11/28/rollout-x.jsonl":                               "",
	} {
		if got := Client(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Approvals(""); got != "" {
		t.Errorf("approvals of no client: %q", got)
	}
	t.Setenv("HOME", "/h")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	if got := Approvals(ClientHere()); got != "/h/.claude/keepsake/approvals" {
		t.Error(got)
	}
	t.Setenv("CLAUDE_CONFIG_DIR", "/c/")
	if got := ClientHere(); got != "/c" {
		t.Error(got)
	}
}

func TestClients(t *testing.T) {
	t.Setenv("HOME", "/h")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("CODEX_HOME", "")
	if got := ClientsHere(); !slices.Equal(got, []string{"/h/.claude", "/h/.codex"}) {
		t.Errorf("%q", got)
	}
	t.Setenv("CODEX_HOME", "/c/")
	want := []string{"/c/keepsake", "/h/.claude/keepsake", "/h/.codex/keepsake"}
	if got := Owns([]string{"/h"}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := ClientMemory("/h/.codex", "/p"); got != ClientMemory("/h/.claude", "/p") {
		t.Error(got)
	}
}

func TestCodexSession(t *testing.T) {
	const id = "0197e000-0000-7000-8000-000000000001"
	for name, want := range map[string]string{
		"/d/rollout-2026-11-28T03-19-32-" + id + ".jsonl": id,
		"rollout-2026-11-28T03-19-32-x.jsonl":             "x",
		"rollout-x.jsonl":                                 "x",
	} {
		if got := CodexSession(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestTranscriptsOf(t *testing.T) {
	client := t.TempDir()
	day := filepath.Join(client, "sessions", "2026", "11", "28")
	want := []string{filepath.Join(client, "projects", "-p", "a1.jsonl"),
		filepath.Join(day, "rollout-2026-11-28T03-19-32-a1.jsonl"),
		filepath.Join(client, "archived_sessions", "rollout-2026-11-27T03-19-32-a1.jsonl")}
	for _, path := range append(want, filepath.Join(day, "rollout-2026-11-28T03-19-32-ba1.jsonl")) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if got := TranscriptsOf(client, "a1"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := TranscriptsOf("", "a1"); got != nil {
		t.Errorf("of no client: %q", got)
	}
}

func TestInstructions(t *testing.T) {
	want := []string{"/p/CLAUDE.md", "/p/.claude/CLAUDE.md", "/p/CLAUDE.local.md"}
	if got := Instructions("/p"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Rules(ClientIn("/p")); got != "/p/.claude/rules" {
		t.Error(got)
	}
	if got := Rules(""); got != "" {
		t.Errorf("rules of no client: %q", got)
	}
}

func TestClientsBeside(t *testing.T) {
	for client, want := range map[string][]string{
		"/home/u/.claude": {"/home/u/.claude", "/home/u/.codex"},
		"/home/u/.codex":  {"/home/u/.claude", "/home/u/.codex"},
		"/srv/claude":     {"/srv/claude"}, "": nil,
	} {
		if got := ClientsBeside(client); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", client, got, want)
		}
	}
}
