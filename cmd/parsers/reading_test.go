package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/importer/reading"
)

// One answer for each text, until the input ends.
func TestReading(t *testing.T) {
	// - Always use tabs
	rules := `{"kind": "rules", "file": "CLAUDE.md", "bytes": "LSBBbHdheXMgdXNlIHRhYnMK"}`
	for name, tt := range map[string]struct {
		in   string
		want []int // offers of each
		err  string
	}{
		"nothing":            {"", nil, ""},
		"two":                {rules + "\n" + rules, []int{1, 1}, ""},
		"none in it":         {`{"kind": "note", "file": "x.md"}`, []int{0}, ""},
		"no JSON":            {rules + "x", []int{1}, "read a question: invalid character"},
		"cut short":          {rules + rules[:20], []int{1}, "unexpected EOF"},
		"longer than may be": {`{"file": "` + strings.Repeat("x", maxText), nil, "unexpected EOF"},
	} {
		var out bytes.Buffer
		err := readTexts(strings.NewReader(tt.in), &out)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v, want %q", name, err, tt.err)
		}
		answers := json.NewDecoder(&out)
		for _, n := range tt.want {
			var r exchange.Reading
			if err := answers.Decode(&r); err != nil || len(r.Offers) != n {
				t.Errorf("%s: %v, %+v, want %d", name, err, r, n)
			}
		}
		if answers.More() {
			t.Errorf("%s: more answers than texts", name)
		}
	}
}

// TestWithin: a text that nests too deep is passed, and the next one is read.
func TestWithin(t *testing.T) {
	bomb := exchange.Text{Kind: exchange.Rules, File: "bomb.md",
		Bytes: []byte(strings.Repeat("> ", 400_000) + "x\n")}
	if r := within(20*time.Millisecond, bomb, reading.Read); len(r.Offers) != 0 || len(r.Passed) != 1 ||
		!strings.Contains(r.Passed[0].Why, "takes too long") {
		t.Errorf("a bomb: %+v", r)
	}
	rules := exchange.Text{Kind: exchange.Rules, File: "CLAUDE.md", Bytes: []byte("- Always use tabs\n")}
	if r := within(time.Minute, rules, reading.Read); len(r.Offers) != 1 {
		t.Errorf("the next: %+v", r)
	}
}
