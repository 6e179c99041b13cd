package erase

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/memory"
)

// token is a secret, put together here so that no file of this project has one.
var token = "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]

func TestCleaningOf(t *testing.T) {
	for _, tt := range []struct {
		how  cleaning
		path string
		want cleaning
		root string
	}{
		{byStore, "/r/decisions/x.json", byStore, "/r"},
		{byStore, "/r/memory-config.json", theirs, "/r"},
		{asText, "/r/project-x/sessions/s.json", asText, "/r"},
		{asText, "/r/notes/k/snapshots/ab", theirs, "/r"},
		{asText, "/r/notes/k/.history/x.json", byLog, "/r/notes/k"},
		{asText, "/r/.history.json", asText, "/r"},
		{anew, "/r/snapshots/x", anew, "/r"},
		{theirs, "/r/a.md", theirs, "/r"},
	} {
		how, root := cleaningOf(vault{root: "/r", how: tt.how}, tt.path)
		if how != tt.want || root != tt.root {
			t.Errorf("%s: %d in %s, want %d in %s", tt.path, how, root, tt.want, tt.root)
		}
	}
}

func TestRedactFile(t *testing.T) {
	for path, text := range map[string]string{
		"a.json":    `{"a": "` + token + `", "b": [1, 2]}`,
		"bad.json":  `{"a": "` + token,
		"a.jsonl":   `{"a": "` + token + "\"}\nno JSON " + token + "\n{}\n",
		"a.md":      "# Title\n\nThe token is " + token + ".\n",
		"ledger.1":  `{"why": "` + token + "\"}\n",
		"no secret": "nothing to take out\n",
	} {
		got := string(redactFile(path, []byte(text)))
		if strings.Contains(got, token) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: %q", path, got)
		}
		if again := string(redactFile(path, []byte(got))); again != got {
			t.Errorf("%s: the second time %q", path, again)
		}
	}
}

// TestRedactPackedGuards: the packed file of guards stays one that the gate reads, for the other rules.
func TestRedactPackedGuards(t *testing.T) {
	all := []guard.Rule{
		{Guard: memory.Guard{Command: []string{"npm"}, Does: memory.Deny}, Record: "preferences/a.json",
			Title: "Use pnpm", Words: "Never npm with " + token},
		{Guard: memory.Guard{Tool: "WebFetch", Does: memory.Ask}, Record: "preferences/b.json"},
	}
	got := redactFile("guards.packed", guard.Pack(all, "b"))
	clean, err := guard.Unpack(got)
	if err != nil || len(clean) != 2 || guard.Basis(got) != "b" || strings.Contains(string(got), token) ||
		clean[0].Key() != all[0].Key() {
		t.Errorf("%v, %v", clean, err)
	}
}

func TestSecretsInLog(t *testing.T) {
	got := secretsInLog(strings.Join([]string{
		"commit aaa", "diff --git a/x.json b/x.json", "--- /dev/null", "+++ b/x.json",
		"@@ -0,0 +1,2 @@", "+" + token, "+" + token, "-" + token,
		"commit bbb", "--- a/y.md", "+++ b/y.md", "+nothing", "+" + token, "",
	}, "\n"))
	if !slices.EqualFunc(got, []string{"aaa x.json", "bbb y.md"}, func(c Committed, want string) bool {
		return c.Commit+" "+c.Path == want && c.Kind != ""
	}) {
		t.Errorf("%+v", got)
	}
}
