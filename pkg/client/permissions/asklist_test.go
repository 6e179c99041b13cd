package permissions

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"
)

func TestAddRules(t *testing.T) {
	rules := []string{"mcp__m__a", "mcp__m__b"}
	for name, tt := range map[string]struct{ text, want string }{
		"no file": {"",
			"{\n  \"permissions\": {\n    \"ask\": [\n      \"mcp__m__a\",\n      \"mcp__m__b\"\n    ]\n  " +
				"}\n}\n"},
		"other keys": {"{\n\t\"model\": \"opus\"\n}",
			"{\n\t\"model\": \"opus\",\n\t\"permissions\": {\n\t\t\"ask\": " +
				"[\n\t\t\t\"mcp__m__a\",\n\t\t\t\"mcp__m__b\"\n\t\t]\n\t}\n}"},
		"permissions": {"{\n  \"permissions\": {\n    \"allow\": [ \"Bash(ls)\" ]\n  },\n  \"x\": 1\n}\n",
			"{\n  \"permissions\": {\n    \"allow\": [ \"Bash(ls)\" ],\n    \"ask\": [\n      " +
				"\"mcp__m__a\",\n      \"mcp__m__b\"\n    ]\n  },\n  \"x\": 1\n}\n"},
		"ask": {"{\n  \"permissions\": {\n    \"ask\": [\n      \"Bash(rm *)\"\n    ]\n  }\n}\n",
			"{\n  \"permissions\": {\n    \"ask\": [\n      \"Bash(rm *)\",\n      \"mcp__m__a\",\n      " +
				"\"mcp__m__b\"\n    ]\n  }\n}\n"},
		"empty ask": {"{\n  \"permissions\": {\n    \"ask\": []\n  }\n}\n",
			"{\n  \"permissions\": {\n    \"ask\": [\n      \"mcp__m__a\",\n      \"mcp__m__b\"\n    ]\n  " +
				"}\n}\n"},
		"one there": {`{"permissions":{"ask":["mcp__m__b"]}}`,
			`{"permissions":{"ask":["mcp__m__b", "mcp__m__a"]}}`},
		"one line": {`{"permissions":{}, "x":"\u00e9"}`,
			`{"permissions":{"ask": ["mcp__m__a", "mcp__m__b"]}, "x":"\u00e9"}`},
		"inline list": {"{\n  \"permissions\": {\"ask\": [\"Edit\"]}\n}",
			"{\n  \"permissions\": {\"ask\": [\"Edit\", \"mcp__m__a\", \"mcp__m__b\"]}\n}"},
		"marked": {"\ufeff{\n  \"x\": 1\n}\n",
			"\ufeff{\n  \"x\": 1,\n  \"permissions\": {\n    \"ask\": [\n      \"mcp__m__a\",\n      " +
				"\"mcp__m__b\"\n    ]\n  }\n}\n"},
		"all there": {`{"permissions":{"ask":["mcp__m__b","mcp__m__a"]}}`,
			`{"permissions":{"ask":["mcp__m__b","mcp__m__a"]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, added, err := Add(tt.text, rules)
			if err != nil || got != tt.want {
				t.Fatalf("got\n%s\n%v, want\n%s", got, err, tt.want)
			}
			back, dropped, err := Drop(got, added)
			if err != nil || !slices.Equal(dropped, added) {
				t.Errorf("dropped %v of %v, %v", dropped, added, err)
			}
			if tt.text != "" && name != "empty ask" && name != "one line" && back != tt.text {
				t.Errorf("taken out again:\n%s\nwas\n%s", back, tt.text)
			}
		})
	}
}

func TestUnsafeSettings(t *testing.T) {
	for _, text := range []string{"{", "[]", "null", `{"a":1} x`, "// comment\n{}", `{"permissions":[]}`,
		`{"permissions":{"ask":{}}}`, `{"permissions":{"ask":"Bash"}}`, `{"permissions":{},"permissions":{}}`,
		"\ufeff\ufeff{}", "{}\ufeff"} {
		if got, _, err := Add(text, []string{"r"}); !errors.Is(err, ErrSettings) {
			t.Errorf("%s became %s, %v", text, got, err)
		}
		if got, _, err := Drop(text, []string{"r"}); !errors.Is(err, ErrSettings) {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
}

// Whatever settings say, adding and taking out again leaves their meaning as it was,
// and what else stands there byte for byte.
func TestAddAndDrop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ws func() string
		if rapid.Bool().Draw(t, "spaces") {
			ws = func() string {
				return rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "\t"}).Draw(t, "space")
			}
		} else {
			ws = func() string { return "" }
		}
		list := func(items []string) string {
			return "[" + ws() + strings.Join(items, ws()+","+ws()) + ws() + "]"
		}
		var members, perms []string
		if rapid.Bool().Draw(t, "before") {
			members = append(members, `"a"`+ws()+":"+ws()+`{"b": [1, "x"]}`)
		}
		if rapid.Bool().Draw(t, "allow") {
			perms = append(perms, `"allow":`+ws()+list([]string{`"Bash(ls)"`}))
		}
		own := rapid.SampledFrom([][]string{nil, {`"Edit"`}, {`"Edit"`, `"mcp__x"`}}).Draw(t, "ask")
		if own != nil {
			perms = append(perms, `"ask":`+ws()+list(own))
		}
		if perms != nil {
			members = append(members, `"permissions":{`+ws()+strings.Join(perms, ws()+","+ws())+ws()+"}")
		}
		if rapid.Bool().Draw(t, "behind") {
			members = append(members, `"z": "\ud83d\ude00"`)
		}
		text := "{" + ws() + strings.Join(members, ws()+","+ws()) + ws() + "}"
		rules := []string{"mcp__m__a", "mcp__m__b", "mcp__m__c"}
		with, added, err := Add(text, rules)
		if err != nil || !gjson.Valid(with) || !slices.Equal(added, rules) {
			t.Fatalf("%s became %s, added %v, %v", text, with, added, err)
		}
		for _, path := range []string{"a", "permissions.allow", "z"} {
			if gjson.Get(with, path).Raw != gjson.Get(text, path).Raw {
				t.Fatalf("%s changed: %s became %s", path, text, with)
			}
		}
		if n := gjson.Get(with, "permissions.ask.#").Int(); n != int64(len(own)+3) {
			t.Fatalf("%d rules to ask in %s", n, with)
		}
		back, dropped, err := Drop(with, added)
		if err != nil || len(dropped) != 3 || !gjson.Valid(back) {
			t.Fatalf("dropped %v, %v: %s", dropped, err, back)
		}
		if gjson.Get(back, "@ugly").Raw != gjson.Get(text, "@ugly").Raw {
			t.Fatalf("%s\nbecame %s\nand then %s", text, with, back)
		}
	})
}

func FuzzSettings(f *testing.F) {
	for _, s := range []string{"", "{}", `{"permissions":{"ask":["a" , "b"]}}`,
		"{\n\t\"permissions\" : {\n\t}\n}", `{"permissions":{"ask":[1,{"ask":[]}]},"x":"}"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		with, added, err := Add(text, []string{"mcp__m__a"})
		if err != nil {
			return
		}
		if !gjson.Valid(with) {
			t.Fatalf("%q became %q", text, with)
		}
		if back, dropped, err := Drop(with, added); err != nil || !gjson.Valid(back) ||
			len(dropped) != len(added) {
			t.Fatalf("%q became %q, then %q: %v", text, with, back, err)
		}
		boxed, c, err := AddSandbox(text, []string{"/a"})
		if err != nil {
			return
		}
		if back, err := DropSandbox(boxed, c); err != nil || !gjson.Valid(boxed) || !gjson.Valid(back) {
			t.Fatalf("%q became %q, then %q: %v", text, boxed, back, err)
		}
	})
}
