package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// One answer for each call, until the input ends.
func TestJudge(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	q := func(tool, args string, dialog bool) string {
		b, err := json.Marshal(rules.Question{Event: rules.Event{Tool: tool, Args: []byte(args), Cwd: "/"},
			Dialog: dialog})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write := q("mcp__m__mempalace_add_drawer", `{"content":"x"}`, true)
	for name, tt := range map[string]struct {
		in   string
		want []string // decisions
		err  string
	}{
		"nothing": {"", nil, ""},
		"two": {write + "\n" + q("Bash", `{"command":"ls"}`, true), []string{"ask", "pass"},
			""},
		"no dialog": {q("mcp__m__mempalace_add_drawer", `{"content":"x"}`, false), []string{"deny"},
			""},
		"no call in it":      {"{}", []string{"pass"}, ""},
		"no JSON":            {write + "x", []string{"ask"}, "read a question: invalid character"},
		"cut short":          {write + write[:20], []string{"ask"}, "unexpected EOF"},
		"longer than may be": {`{"tool_name": "` + strings.Repeat("x", maxCall), nil, "unexpected EOF"},
	} {
		var out bytes.Buffer
		err := judgeCalls(strings.NewReader(tt.in), &out)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v, want %q", name, err, tt.err)
		}
		answers := json.NewDecoder(&out)
		for _, d := range tt.want {
			var a rules.Answer
			if err := answers.Decode(&a); err != nil || a.Decision != d {
				t.Errorf("%s: %v, %+v, want %s", name, err, a, d)
			}
		}
		if answers.More() {
			t.Errorf("%s: more answers than calls", name)
		}
	}
}
