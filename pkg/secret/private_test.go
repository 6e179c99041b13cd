package secret

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPrivate(t *testing.T) {
	for in, want := range map[string]string{
		"nothing < here > at all":                      "nothing < here > at all",
		"a <private>b</private> c":                     "a  c",
		"a <PRIVATE>b</Private> c <private>d":          "a  c ",
		"<private>a<b></b></private>x":                 "x",
		"unclosed <private>to the end":                 "unclosed ",
		"put it between `<private>` and `</private>`":  "put it between `<private>` and `</private>`",
		"two <private>a</private><private>b</private>": "two ",
		"`<private>a</private>`":                       "``",
		"a <private >b</private\n> c":                  "a  c",
		"a <private b> c":                              "a <private b> c",
		"a <private":                                   "a <private",
		"<privately>no</privately>":                    "<privately>no</privately>",
	} {
		got, cut := WithoutPrivate(in)
		if got != want || cut != (in != want) {
			t.Errorf("%q: %q %v, want %q", in, got, cut, want)
		}
		if kinds := Kinds(in); cut != (len(kinds) == 1 && kinds[0] == "private text") {
			t.Errorf("%q: kinds %v", in, kinds)
		}
	}
	WithoutPrivate(strings.Repeat("<private> </", 1<<18))
	WithoutPrivate(strings.Repeat("`<private>`", 1<<18))
}

func TestRedactJSON(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3d", 9)
	for in, want := range map[string]string{
		`{"b": 1, "a": "x <y> & z"}`: `{"b": 1, "a": "x <y> & z"}`,
		`{"command": "curl -H 'X: ` + token +
			`' <a>", "n": 1e3}`: `{"command": "curl -H 'X: [redacted]' <a>", "n": 1e3}`,
		`{"password": "hunter2x", "user": "bob"}`:        `{"password": "[redacted]", "user": "bob"}`,
		`{"password": {"type": "string1"}}`:              `{"password": {"type": "string1"}}`,
		`["\u0067hp_` + token[4:] + `", "say \"hi\"\\"]`: `["[redacted]", "say \"hi\"\\"]`,
		`no JSON, ` + token:                              `"no JSON, [redacted]"`,
		`{"` + token + `": 1}`:                           `{"[redacted]": 1}`,
		`{"text": "first\nDB_PASSWORD=hunter2\nlast"}`:   `{"text": "first\nDB_PASSWORD=[redacted]\nlast"}`,
	} {
		if got := string(RedactJSON([]byte(in))); got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	f.Add([]byte(`{"password": "hunter2x", "a": ["ghp_"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out := RedactJSON(b); !json.Valid(out) {
			t.Fatalf("%q became %q", b, out)
		}
	})
}

func TestRedactValues(t *testing.T) {
	for _, c := range []struct {
		s, value, want string
	}{
		{"run x ghp_aB3d… now", "ghp_aB3daB3daB3d", "run x [redacted]… now"},
		{"key -----BEGIN KEY----- aB3d eE…", "-----BEGIN KEY-----\naB3d\neEfF", "key [redacted]…"},
		{"pw is hunter2.", "hunter2", "pw is [redacted]."},
		{"a ghp_x thing", "ghp_aB3daB3daB3d", "a ghp_x thing"},
		{"nothing", "", "nothing"},
	} {
		if got := RedactValues(c.s, []string{c.value}); got != c.want {
			t.Errorf("%q: %q, want %q", c.s, got, c.want)
		}
	}
}
