package rules

import "testing"

// TestContent: what a list shows of a call is what it keeps, wherever its arguments have it.
func TestContent(t *testing.T) {
	promotion := Promotion{Program: "/opt/keepsake", Words: []string{"promote", "s4k2zq",
		"--text=It's Postgres.", "--text=One\x1b[0m more"}}
	for args, want := range map[string]string{
		`{"wing":"w","room":"r","content":"We use Postgres."}`:                      "We use Postgres.",
		`{"subject":"app","predicate":"uses","object":"Postgres","valid_from":"x"}`: "app uses Postgres",
		`{"agent_name":"a","entry":"Done today."}`:                                  "Done today.",
		`{"command":"mempalace mine .","description":"mine"}`:                       "mempalace mine .",
		`{"name":"mempalace_add_drawer","arguments":{"content":"Deep."}}`:           "Deep.",
		`{"file_path":"/p/x","old_string":"a","new_string":"b"}`:                    "b",
		`{"drawer_id":"d1"}`:             `{"drawer_id":"d1"}`,
		`{"content":""}`:                 `{"content":""}`,
		`{"content":7}`:                  `{"content":7}`,
		`["x"]`:                          `["x"]`,
		`broken`:                         "broken",
		``:                               "",
		string(promotion.Input("NONCE")): "It's Postgres.\nOne\\x1b[0m more",
		string(Promotion{Program: "/k", Words: []string{"promote", "--text=Plain"}}.Input("N")): "Plain",
	} {
		if got := Content([]byte(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// TestPlace: wing and room, or the file that would be changed.
func TestPlace(t *testing.T) {
	for args, want := range map[string]string{
		`{"wing":"projects","room":"app","content":"x"}`: "projects/app",
		`{"wing":"projects"}`:                            "projects",
		`{"file_path":"/p/x.md"}`:                        "/p/x.md",
		`{"drawer_id":"d1"}`:                             "d1",
		`{"command":"mempalace mine ."}`:                 "",
		`[`:                                              "",
	} {
		if got := Place([]byte(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	for tool, want := range map[string]string{"mcp__a__mempalace_add_drawer": "mempalace_add_drawer",
		"mcp__plugin_x_y__add": "add", "Bash": "Bash", "mcp__odd": "odd", "": ""} {
		if got := ShortTool(tool); got != want {
			t.Errorf("%q: %q, want %q", tool, got, want)
		}
	}
}

// TestWarnings: of a reason stays what is about this call alone.
func TestWarnings(t *testing.T) {
	rule := RulePalaceTool.Rule()
	for _, last := range []string{rule.Because, rule.Remedy} {
		reason := Reason([]string{"permanent memory write: add_drawer", "wing w, room r",
			"looks like it holds a secret: AWS key"}, last)
		if got := Warnings(rule.Name, reason, "w/r"); len(got) != 1 ||
			got[0] != "looks like it holds a secret: AWS key" {
			t.Errorf("%q", got)
		}
		if got := Warnings(rule.Name, reason, ""); len(got) != 2 || got[0] != "wing w, room r" {
			t.Errorf("%q", got)
		}
	}
	if got := Warnings("of another version", "first\nsecond\nhint: x", "second"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	if got := Warnings(rule.Name, "first\nholds 1 invisible character", "/a/file"); len(got) != 1 {
		t.Errorf("a warning in the line of the place is lost: %q", got)
	}
	if got := Warnings(rule.Name, "first", "w"); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestOthers: with the text and the place it is every argument; nothing that is shown elsewhere gets lost.
func TestOthers(t *testing.T) {
	for args, want := range map[string]string{
		`{"wing":"w","room":"r","content":"x","added_by":"me","n":{"a":1}}`: `{"added_by":"me","n":{"a":1}}`,
		`{"content":"x"}`:                             `{}`,
		`{"content":"x","text":"x"}`:                  `{"text":"x"}`,
		`{"subject":"a","predicate":"b"}`:             `{"subject":"a","predicate":"b"}`,
		`{"wing":"w","arguments":{"content":"deep"}}`: `{"wing":"w","arguments":{"content":"deep"}}`,
	} {
		if got := string(Others([]byte(args))); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
