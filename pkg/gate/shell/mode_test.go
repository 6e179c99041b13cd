package shell

import (
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestModesThatAnswerThemselves: where the client may answer an ask without a
// person, the shell and the file tools are denied, as are the file tools before a
// write into a palace's files in every mode, and a person can still approve.
func TestModesThatAnswerThemselves(t *testing.T) {
	bash := func(command string) (string, []byte) {
		return "Bash", mustJSON(t, map[string]any{"command": command})
	}
	write := func(path string) (string, []byte) {
		return "Write", mustJSON(t, map[string]any{"file_path": path, "content": "x"})
	}
	mcp := func(string) (string, []byte) {
		return "mcp__mempalace__mempalace_add_drawer",
			mustJSON(t, map[string]any{"wing": "w", "room": "r", "content": "x"})
	}
	for _, tc := range []struct {
		name    string
		call    func(string) (string, []byte)
		subject string
		asks    rules.Decision // in the modes that put an ask to the person
		want    rules.Decision // in the modes that answer themselves
	}{
		{"a command", bash, "mempalace mine .", rules.Ask, rules.Deny},
		{"a command with a redirect", bash, "mempalace mine . > .claude/log", rules.Ask, rules.Deny},
		{"a palace's file", write, "/home/u/.mempalace/palace/x", rules.Deny, rules.Deny},
		{"a record", write, "/home/u/app/.claude/memory/decisions/x.json", rules.Ask, rules.Deny},
		{"an approval", write, "/home/u/.claude/keepsake/approvals/given/aaaaaa.json", rules.Ask, rules.Deny},
		{"a tool of MemPalace", mcp, "", rules.Ask, rules.Ask},
	} {
		for mode, want := range map[string]rules.Decision{
			"": tc.asks, "default": tc.asks, "acceptEdits": tc.asks, "plan": tc.asks, "dontAsk": tc.asks,
			"bypassPermissions": tc.want, "auto": tc.want, "invented": tc.want,
		} {
			c := world()
			c.ClientDir, c.Mode = "/home/u/.claude", mode
			c.Tool, c.Args = tc.call(tc.subject)
			if v := Judge(c); v.Decision != want || !v.Person {
				t.Errorf("%s in mode %q: %+v, want %v", tc.name, mode, v, want)
			}
		}
	}
}

// TestForgottenByAgents: what takes a memory away or brings one back is put to the person
// in every mode, whatever the settings say of the checkpoint.
func TestForgottenByAgents(t *testing.T) {
	for _, verb := range []string{
		"forget use-redis", "retire use-redis", "archive use-redis", "gc", "undo", "undo last",
		"restore use-redis", "unarchive use-redis",
	} {
		for mode, want := range map[string]rules.Decision{
			"": rules.Ask, "default": rules.Ask, "acceptEdits": rules.Ask,
			"plan":    rules.Ask,
			"dontAsk": rules.Ask, "auto": rules.Deny, "bypassPermissions": rules.Deny,
		} {
			c := world()
			c.Mode, c.Tool = mode, "Bash"
			c.Settings = func(string) rules.Decision { return rules.Pass }
			c.Args = mustJSON(t, map[string]any{"command": "/opt/keepsake/bin/keepsake " + verb})
			if v := Judge(c); v.Decision != want || !v.Person {
				t.Errorf("%s in mode %q: %+v, want %v", verb, mode, v, want)
			}
		}
	}
}
