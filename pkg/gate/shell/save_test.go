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
		"project topic", "project open", "project close"}
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
		own + "note 'x y'":                   {Args: []string{"note", "x y"}},
		own + "records commit":               {Args: []string{"records", "commit"}},
		own + "tidy":                         {Args: []string{"tidy"}},
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
		case want != nil && (!slices.Equal(got.Save.Args, want.Args) || got.Save.Stdin != want.Stdin):
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
