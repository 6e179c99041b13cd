package shell

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestPreview: what a person is told before they read the text of a write, as
// golden files.
func TestPreview(t *testing.T) {
	key := "AKIA" + strings.Repeat("Q7ZX", 4)
	drawer := func(content string) string {
		return string(mustJSON(t, map[string]string{"wing": "projects", "room": "app", "content": content}))
	}
	lines := func(n int) string { return strings.TrimSuffix(strings.Repeat("One line of text.\n", n), "\n") }
	var b strings.Builder
	for _, tc := range []struct {
		about, tool, args string
		near              []string
		err               error
	}{
		{"as many lines as the dialog shows", "mcp__mempalace__mempalace_add_drawer", drawer(lines(7)), nil,
			nil},
		{"one line more", "mcp__mempalace__mempalace_add_drawer", drawer(lines(8)), nil, nil},
		{"one long line", "mcp__mempalace__mempalace_add_drawer", drawer(strings.Repeat("word ", 200)), nil,
			nil},
		{"many lines through another tool", "mcp__hub__call_tool",
			`{"name":"mempalace_add_drawer","arguments":` + drawer(lines(40)) + `}`, nil, nil},
		{"many lines in one string", "mcp__mem__palace_exec",
			string(mustJSON(t, map[string]string{"dsl": "ADD DRAWER a/b '" + lines(30) + "'"})), nil, nil},
		{"a checkpoint of a session", "mcp__m__mempalace_checkpoint",
			`{"items":[{"wing":"w","room":"r","content":"a"},{"wing":"w","room":"r","content":"` + key +
				`"}]}`, nil, nil},
		{"a secret", "mcp__mempalace__mempalace_add_drawer", drawer("the key is " + key), nil, nil},
		{"a secret by its name", "mcp__mempalace__mempalace_kg_add",
			`{"subject":"app","predicate":"password","object":"x","db_password":"hunter2hunter2"}`, nil, nil},
		{"several secrets", "mcp__mempalace__mempalace_diary_write", `{"agent_name":"a","entry":"` + key +
			` ghp_` + strings.Repeat("a1B2", 9) + ` postgres://u:s3cretpw@h/db npm_` +
			strings.Repeat("a1B2", 9) + `"}`, nil, nil},
		{"colour", "mcp__mempalace__mempalace_add_drawer", drawer("a \x1b[31mred\x1b[0m word"), nil, nil},
		{"an override", "mcp__mempalace__mempalace_add_drawer", drawer("drop \u202eelbat\u202c"), nil, nil},
		{"zero width", "mcp__mempalace__mempalace_add_drawer", drawer("ze\u200bro"), nil, nil},
		{"tags", "mcp__mempalace__mempalace_add_drawer",
			drawer("a" + "\U000e0068\U000e0069\U000e0021\U000e007f"), nil, nil},
		{"ignorable and not assigned", "mcp__mempalace__mempalace_add_drawer",
			drawer("a\U000e00e0b\U000e01f0\u2065\ufff0"), nil,
			nil},
		{"secret and invisible", "mcp__mempalace__mempalace_add_drawer", drawer(key + " \u200b"), nil, nil},
		{"near to one", "mcp__mempalace__mempalace_add_drawer", drawer("We use Postgres for the jobs."),
			[]string{"Use Postgres"}, nil},
		{"near to many", "mcp__mempalace__mempalace_add_drawer", drawer("We use Postgres for the jobs."),
			[]string{"Use Postgres", "Jobs in \x1b[1mSQL", strings.Repeat("long title ", 20), "Fourth"}, nil},
		{"not compared", "mcp__mempalace__mempalace_add_drawer", drawer("We use Postgres for the jobs."), nil,
			errors.New("keepsake recall: exit status 1")},
		{"all at once", "mcp__mempalace__mempalace_add_drawer", drawer(lines(50) + key + "\u202e"),
			[]string{"Use Postgres"}, nil},
		{"a command", "Bash", string(mustJSON(t,
			map[string]string{"command": "mempalace-mcp <<'EOF'\n" + lines(20) + "\nEOF"})),
			[]string{"never asked"}, nil},
		{"a file of a palace", "Write",
			string(mustJSON(t, map[string]string{"file_path": "/home/u/.mempalace/identity.txt",
				"content": lines(12) + key})), nil, nil},
	} {
		c := world()
		c.Tool, c.Args, c.Near = tc.tool, []byte(tc.args), func(string) ([]string, error) {
			return tc.near, tc.err
		}
		ask := Judge(c)
		checkReason(t, ask.Reason)
		c.Dialog = false
		deny := Judge(c)
		checkReason(t, deny.Reason)
		fmt.Fprintf(&b, "## %s\n\n%s\n\n%s\n\n", tc.about, ask.Reason, deny.Reason)
	}
	golden(t, "preview.golden", b.String())
}

// TestNearText: what is compared with what is kept is the text, not where it goes.
func TestNearText(t *testing.T) {
	for args, want := range map[string]string{
		`{"wing":"projects","room":"app","content":"We use Postgres.","added_by":"me"}`:          "We use Postgres.",
		`{"subject":"keepsake","predicate":"is written in","object":"Go"}`:                       "keepsake is written in Go",
		`{"items":[{"wing":"w","content":"the first one"},{"room":"r","content":"the second"}]}`: "the first one the second",
		`{"wing":"w","content":"short"}`:                                                         "",
	} {
		c := world()
		asked := ""
		c.Tool, c.Args, c.Near = "mcp__m__mempalace_add_drawer", []byte(args),
			func(s string) ([]string, error) {
				asked = s
				return nil, nil
			}
		Judge(c)
		if asked != want {
			t.Errorf("%s: asked for %q, want %q", args, asked, want)
		}
	}
	c := world()
	c.Tool, c.Args = "mcp__m__mempalace_search", []byte(`{"query":"why do we use Postgres"}`)
	c.Near = func(string) ([]string, error) { t.Error("a read was compared"); return nil, nil }
	Judge(c)
}

func BenchmarkPreview(b *testing.B) {
	c := world()
	c.Tool = "mcp__m__mempalace_add_drawer"
	c.Args = mustJSON(b,
		map[string]string{"content": strings.Repeat("a line of text with a password: and 'quotes', 60 "+
			"bytes or so..\n", 16000)})
	for b.Loop() {
		Judge(c)
	}
}
