package layout

import (
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
