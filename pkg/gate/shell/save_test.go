package shell

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
)

// TestSaves lists the verbs that the gate runs outside of the client's sandbox. Before one is added somebody
// has to see that it takes no path to write to, and nothing that it starts.
func TestSaves(t *testing.T) {
	var saves []string
	for _, v := range verbs.All() {
		if v.Saves() {
			saves = append(saves, v.Name)
		}
	}
	want := []string{"remember", "notes save", "notes handoff promote", "md tidy sheet", "md tidy plan",
		"md note", "md lesson add", "records triage", "records draft", "records plan", "records apply",
		"records commit", "records index rebuild", "project set", "project progress", "project conclude",
		"project topic", "project open", "project close", "guard propose"}
	if !slices.Equal(saves, want) {
		t.Errorf("%q", saves)
	}
}

// TestSave: a verdict has a save only where the gate itself allows one plain command.
func TestSave(t *testing.T) {
	const own = "/opt/keepsake/bin/keepsake "
	type save = rules.Command
	for command, want := range map[string]*save{
		own + "remember 'a b' c":             {Args: []string{"remember", "a b", "c"}},
		own + "remember <<'E'\nit's $x\nE\n": {Args: []string{"remember"}, Stdin: "it's $x\n"},
		own + "notes save x":                 {Args: []string{"notes", "save", "x"}},
		own + "note 'x y'":                   {Args: []string{"note", "x y"}, Alone: true},
		own + "records commit":               {Args: []string{"records", "commit"}},
		own + "tidy":                         {Args: []string{"tidy"}, Alone: true},
		// what only reads stays inside, as does what is asked about, and what the gate does not allow
		own + "list": nil, own + "recall x": nil, own + "md fix": nil, own + "gc --dry-run": nil,
		own + "forget x": nil, own + "promote s1": nil, own + "notes save --tier why x": nil,
		own + "approve x": nil, own + "review": nil, own + "config set capture.level low": nil,
		own + "gate install-lock": nil, own + "records import x": nil, own + "records export -o x": nil,
		own + "remember x; ls": nil, "cd x && " + own + "remember x": nil, own + "remember x > y": nil,
		own + "remember \"$x\"": nil, own + "remember x &": nil, "A=b " + own + "remember x": nil,
		own + "notes save x <<'E'\ny\nE\n": nil, own + "remember <<E\nx\nE\n": nil,
		own + "--project /p remember x": nil, own + "records commit --session s": nil,
		own + "md note --root x": nil, "keepsake remember x": nil, "./keepsake remember x": nil,
		"/other/bin/keepsake remember x": nil, own + "md lesson instinct --write i": nil,
	} {
		got := Judge(sample{Bash: command}.call(t))
		switch {
		case (got.Save == nil) != (want == nil):
			t.Errorf("%s: %+v", command, got)
		case want != nil && (!slices.Equal(got.Save.Args, want.Args) || got.Save.Stdin != want.Stdin ||
			got.Save.Alone != want.Alone):
			t.Errorf("%s: %+v", command, got.Save)
		}
		if want == nil {
			continue
		}
		for _, mode := range []string{planMode, ""} {
			c := sample{Bash: command}.call(t)
			c.Mode, c.Quiet = mode, mode == ""
			if v := Judge(c); v.Save != nil && !strings.HasSuffix(command, "tidy") {
				t.Errorf("%s in mode %q, or switched off: %+v", command, mode, v)
			}
		}
	}
}

// TestTakesWall: an agent that takes down the client's sandbox, or makes less read-only, is asked about; one
// that adds to it, or changes other settings, is not.
func TestTakesWall(t *testing.T) {
	const wall = `{"model":"opus","sandbox":{"enabled":true,"failIfUnavailable":true,` +
		`"allowUnsandboxedCommands":false,"filesystem":{"denyWrite":["/h/own","~/kept"]}}}`
	for _, tt := range []struct {
		before, old, new string
		want             bool
	}{
		{wall, `"enabled":true`, `"enabled":false`, true}, {wall, `"enabled":true,`, ``, true},
		{wall, `"allowUnsandboxedCommands":false,`, ``, true}, {wall, `"failIfUnavailable":true`, `"x":1`, true},
		{wall, `"/h/own",`, ``, true}, {wall, `"~/kept"`, `"~/other"`, true},
		{wall, `{"denyWrite"`, `{"allowWrite":["/"],"denyWrite"`, true},
		{wall, `{"denyWrite"`, `{"allowWrite":["/h/own/x"],"denyWrite"`, true},
		{wall, `"enabled":true`, `"enabled":true,"excludedCommands":["python3 *"]`, true},
		{wall, `"opus"`, `"sonnet"`, false}, {wall, `"~/kept"`, `"~/kept","/more"`, false},
		{wall, `"/h/own"`, `"/h"`, false}, {wall, `{"denyWrite"`, `{"allowWrite":["~/src"],"denyWrite"`, false},
		{`{"model":"opus"}`, `"opus"`, `"opus","sandbox":{"enabled":false}`, true},
		{`{"model":"opus"}`, `"opus"`, `"opus","sandbox":{"enabled":true}`, false},
	} {
		after := strings.Replace(tt.before, tt.old, tt.new, 1)
		for tool, args := range map[string]map[string]any{
			"Write": {"file_path": "/home/u/.claude/settings.json", "content": after},
			"Edit": {"file_path": "/home/u/.claude/settings.json", "old_string": tt.old,
				"new_string": tt.new},
		} {
			c := world()
			c.ClientDir, c.Tool, c.Args = "/home/u/.claude", tool, mustJSON(t, args)
			c.Script = func(string) ([]byte, bool) { return []byte(tt.before), true }
			v := Judge(c)
			if (v.Rule == "gate-settings") != tt.want || (v.Decision == rules.Ask) != tt.want {
				t.Errorf("%s of %s: %v by %q", tool, after, v.Decision, v.Rule)
			}
		}
	}
}
