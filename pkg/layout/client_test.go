package layout

import "testing"

func TestClient(t *testing.T) {
	for in, want := range map[string]string{
		"/h/.claude/projects/-p/s.jsonl": "/h/.claude",
		"/h/x/projects/-p/s.jsonl":       "/h/x",
		"/h/.claude/s.jsonl":             "",
		"projects/-p/s.jsonl":            "",
		"":                               "",
		"/projects/-p/s.jsonl":           "/",
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
