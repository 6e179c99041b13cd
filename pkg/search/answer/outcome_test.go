package answer

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestBeginning: a prompt's beginning is one line of 80 characters, without what nobody is to read there.
func TestBeginning(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(
		"MIIEpAIBAAKCAQEA7bq3Zk9Xy2v4u8w1t0r5e6y7u8i9o0pAASDFGHJKLzxcvbnm\n", 400)
	for prompt, want := range map[string]string{
		"":                 "",
		" use\n\n\tpnpm ":  "use pnpm",
		"use\x1b[31m pnpm": "use [31m pnpm",
		"why <private>hunter2 is it</private>Redis?":                   "why Redis?",
		"why <PRIVATE>hunter2":                                         "why",
		strings.Repeat("x", 200) + "<private>y</private>":              strings.Repeat("x", 79) + "…",
		strings.Repeat("数", 81):                                        strings.Repeat("数", 79) + "…",
		strings.Repeat("数", 80):                                        strings.Repeat("数", 80),
		"password: hunter2hunter2 is wrong":                            "password: [redacted] is wrong",
		"token ghp_0123456789abcdefghijABCDEFGHIJ012345 is out " + key: "",
		"the key " + key:                                               "",
	} {
		got := beginning(prompt)
		if want == "" && prompt != "" {
			if strings.Contains(got, "MIIE") || strings.Contains(got, "ghp_0") {
				t.Errorf("%.30q: a secret is left: %q", prompt, got)
			}
		} else if got != want {
			t.Errorf("%.30q: %q, want %q", prompt, got, want)
		}
		if n := utf8.RuneCountInString(got); n > promptRunes {
			t.Errorf("%.30q: %d characters", prompt, n)
		}
	}
}

// TestReasons: each has words of its own.
func TestReasons(t *testing.T) {
	said := map[string]bool{}
	for _, r := range []Reason{BelowFloor, FarBelow, SaidBefore, SameAs, Superseded, Loaded, Off, HeldBack,
		LeftOut, NoRoom, Gone} {
		d := r.Display()
		if d == "" || strings.Contains(d, "_") || said[d] {
			t.Errorf("%s: %q", r, d)
		}
		said[d] = true
	}
	if got := Reason("of_tomorrow").Display(); got != "of_tomorrow" {
		t.Errorf("%q", got)
	}
}

// TestParseOutcomes: a line that is none costs only itself.
func TestParseOutcomes(t *testing.T) {
	const one = `{"time":"2026-11-20T09:00:00Z","session":"s1","prompt":"a","floor":0.6,` +
		`"came":[{"path":"decisions/a.json","title":"A","score":0.9}],"near":[]}` + "\n"
	for lines, want := range map[string][2]int{
		"":                         {0, 0},
		"\n\n":                     {0, 0},
		one:                        {1, 0},
		one + one:                  {2, 0},
		one + "{\n" + one:          {2, 1},
		one + `{"time":"2026`:      {1, 1},
		"{}\n" + one:               {1, 1},
		"[]\nnull\n":               {0, 2},
		`{"time":7}` + "\n" + one:  {1, 1},
		strings.TrimSpace(one):     {1, 0},
		one + `{"came":"x"}` + one: {1, 1},
	} {
		all, broken := parseOutcomes([]byte(lines))
		if len(all) != want[0] || broken != want[1] {
			t.Errorf("%q: %d, %d broken; want %v", lines, len(all), broken, want)
		}
		for _, o := range all {
			if o.Session != "s1" || len(o.Came) != 1 || o.Came[0].Score != 0.9 {
				t.Errorf("%q: %+v", lines, o)
			}
		}
	}
}

// FuzzOutcomes: whatever is in the file, each line is an outcome or counted, and an outcome is read as it
// was written.
func FuzzOutcomes(f *testing.F) {
	f.Add([]byte(`{"time":"2026-11-20T09:00:00Z","session":"s1","prompt":"a","floor":0.6,"came":[],"near":[{"why":"held"}]}`))
	f.Add([]byte("{\n\n{}"))
	f.Add([]byte(`{"time":"2026-11-20T09:00:00.123Z","came":null,"near":[{"path":"\u0000","score":1e9}],"skipped":"x"}` + "\n7"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, broken := parseOutcomes(b)
		lines := 0
		for line := range strings.Lines(string(b)) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if lines != len(all)+broken && utf8.Valid(b) {
			t.Fatalf("%d lines: %d and %d broken", lines, len(all), broken)
		}
		for _, o := range all {
			line, err := json.Marshal(o)
			if err != nil {
				continue // a year of five digits
			}
			again, broken := parseOutcomes(line)
			if broken > 0 || len(again) != 1 || !again[0].Time.Equal(o.Time) {
				t.Fatalf("%s: %+v", line, again)
			}
			again[0].Time, o.Time = time.Time{}, time.Time{}
			if !reflect.DeepEqual(again[0], o) {
				t.Fatalf("%+v, want %+v", again[0], o)
			}
		}
	})
}

// TestOneLineEach: an outcome is one line, whatever a title says.
func TestOneLineEach(t *testing.T) {
	o := Outcome{Time: time.Now(), Prompt: "a\nb\u2028c",
		Came: []Near{nearOf("a.json", "x\ny\x1b[0m", 0.51249)}}
	line, err := json.Marshal(o)
	if err != nil || slices.Contains(line, '\n') {
		t.Errorf("%q, %v", line, err)
	}
	if n := o.Came[0]; n.Title != "x y [0m" || n.Score != 0.512 {
		t.Errorf("%+v", n)
	}
}
