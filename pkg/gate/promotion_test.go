package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// promoting is the made-up machine with a program that would write this.
func promoting(p Promotion, err error) Call {
	c := world()
	p.Program = "/opt/keepsake/bin/keepsake"
	c.Promotion = func(args []string) (Promotion, error) {
		if p.Words == nil {
			p.Words = args
		}
		return p, err
	}
	return c
}

// TestPromotion: a promotion is put to a person when it is one plain command, and
// never allowed, however it is written.
func TestPromotion(t *testing.T) {
	const bin = "/opt/keepsake/bin/keepsake"
	for command, want := range map[string]struct {
		d      Decision
		person bool
	}{
		bin + " promote s1abcd":                                {Ask, true},
		bin + " promote s1abcd s2abcd c3abcd":                  {Ask, true},
		"keepsake promote s1abcd":                              {Ask, true},
		"./bin/keepsake promote s1abcd":                        {Ask, true},
		"'" + bin + "' promote \"s1abcd\"":                     {Ask, true},
		bin + " save --tier why 'It'\\''s settled'":            {Ask, true},
		bin + " save --tier why \"Use \\$HOME: it's settled\"": {Ask, true},
		bin + " save --tier why 'two\nlines'":                  {Ask, true},
		bin + " save --tier why -- '--approval is a word'":     {Ask, true},
		bin + " save --tier why $'bell\\a'":                    {Ask, true},
		bin + " promote s1abcd;":                               {Ask, true},

		bin + " promote --help":                      {Pass, false},
		bin + " promote --dry-run s1abcd":            {Pass, false},
		bin + " save --tier why --dry-run x":         {Pass, false},
		bin + " promote s1abcd --dry-run=false":      {Ask, true},
		bin + " promote --dry-run --no-dry-run s1":   {Ask, true},
		bin + " save --tier why -- x --dry-run":      {Ask, true},
		bin + " promote s1abcd --approval ABC":       {Deny, false},
		bin + " promote --approval=ABC s1abcd":       {Deny, false},
		bin + " save --tier why --approval ABC x":    {Deny, false},
		"sh -c '" + bin + " promote --approval A s'": {Deny, false},

		"cd /tmp && " + bin + " promote s1abcd":          {Deny, false},
		bin + " promote s1abcd && ls":                    {Deny, false},
		bin + " promote s1abcd | cat":                    {Deny, false},
		bin + " promote s1abcd > out.txt":                {Deny, false},
		bin + " promote s1abcd &":                        {Deny, false},
		"! " + bin + " promote s1abcd":                   {Deny, false},
		"X=1 " + bin + " promote s1abcd":                 {Deny, false},
		"env " + bin + " promote s1abcd":                 {Deny, false},
		"sudo " + bin + " promote s1abcd":                {Deny, false},
		"time " + bin + " promote s1abcd":                {Deny, false},
		"sh -c '" + bin + " promote s1abcd'":             {Deny, false},
		"eval '" + bin + " promote s1abcd'":              {Deny, false},
		"(" + bin + " promote s1abcd)":                   {Deny, false},
		"alias k=keepsake\nk promote s1abcd":             {Deny, false},
		"echo s1abcd | xargs " + bin + " promote":        {Deny, false},
		bin + " promote $ID":                             {Deny, false},
		bin + " promote $(cat ids)":                      {Deny, false},
		bin + " save --tier why \"$(cat notes.md)\"":     {Deny, false},
		bin + " save --tier why \"$TEXT\"":               {Deny, false},
		bin + " promote s1abcd # the person agreed":      {Deny, false},
		bin + " promote s{1,2}abcd":                      {Deny, false},
		"keepsake promote s1abcd\nkeepsake promote s2":   {Deny, false},
		"printf '%s\\n' y | " + bin + " promote s1abcd":  {Deny, false},
		"script -c '" + bin + " promote s1abcd' out.log": {Deny, false},
	} {
		for _, mode := range []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"} {
			for _, dialog := range []bool{true, false} {
				c := promoting(Promotion{Digest: "d", To: "MemPalace"}, nil)
				c.Tool, c.Args, c.Mode, c.Dialog = "Bash", mustJSON(t, map[string]any{"command": command}), mode, dialog
				v := Judge(c)
				d := want.d
				if d == Ask && (!dialog || mode == "bypassPermissions" || mode == "auto") {
					d = Deny // with the ways to approve it
				}
				if v.Decision != d || v.Person != want.person || (v.Promotion != nil) != want.person {
					t.Errorf("%q, %s, dialog %v: %s, person %v, promotion %v; want %s, %v", command, mode, dialog, v.Decision, v.Person, v.Promotion != nil, d, want.person)
				}
			}
		}
	}
}

// TestPromotionArgs: what the program is asked about is what the shell would have
// given it.
func TestPromotionArgs(t *testing.T) {
	for command, want := range map[string][]string{
		"keepsake promote s1abcd 's2abcd'":               {"promote", "s1abcd", "s2abcd"},
		"keepsake --project /p promote s1abcd":           {"--project", "/p", "promote", "s1abcd"},
		`keepsake save --tier why It\'s "so \"quoted\""`: {"save", "--tier", "why", "It's", `so "quoted"`},
		"keepsake save --tier=why 'two\nlines\\n'":       {"save", "--tier=why", "two\nlines\\n"},
		"keepsake save --tier why $'tab\\tand \\u00e9'":  {"save", "--tier", "why", "tab\tand é"},
	} {
		var got []string
		c := world()
		c.Promotion = func(args []string) (Promotion, error) {
			got = args
			return Promotion{Words: args}, nil
		}
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]any{"command": command})
		if v := Judge(c); v.Decision != Ask || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q, want %q", command, v.Decision, got, want)
		}
	}
}

// TestPromotionInput: whatever the words are, a shell gives them back, and nothing
// in the command hides.
func TestPromotionInput(t *testing.T) {
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "it's", "two\nlines", "a\tb", "$HOME `id` $(id) !! \\", "--text=a'b\nc", "--text=", "a=b", "bell\a\x1b[31m", "\u202eabc\u202c'\\", "ze\u200bro9f", "x\ufe0f", "‘“”’ é 日本", "~", "*", "{a,b}", "#", "\xe2\x80", "=ls",
	}))
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Map(word, func(w string) string { return strings.ReplaceAll(w, "\x00", "") }), 0, 4).Draw(t, "words")
		p := Promotion{Program: "/opt/my keepsake/bin/keepsake", Words: append([]string{"promote"}, words...)}
		var in struct{ Command string }
		if err := json.Unmarshal(p.Input("NONCE"), &in); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.ToValidUTF8(w, "") != w }) && hidden(in.Command) {
			t.Fatalf("%q hides something", in.Command)
		}
		f, err := syntax.NewParser().Parse(strings.NewReader(in.Command), "")
		if err != nil || len(f.Stmts) != 1 {
			t.Fatalf("%q: %v, %d commands", in.Command, err, len(f.Stmts))
		}
		got, err := expand.Fields(nil, f.Stmts[0].Cmd.(*syntax.CallExpr).Args...)
		if err != nil {
			t.Fatal(err)
		}
		want := append([]string{p.Program, "promote", "--approval", "NONCE"}, words...)
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\ngot  %q\nwant %q", in.Command, got, want)
		}
	})
}

// TestPromotionReasons: what a person is told of a promotion, as a golden file.
func TestPromotionReasons(t *testing.T) {
	const to = "MemPalace"
	lines := func(n int) string { return strings.TrimSuffix(strings.Repeat("One line of text.\n", n), "\n") }
	of := func(text string) []string {
		return []string{"promote", "--project=/home/u/app", "s1abcd", "--text=" + text}
	}
	var b strings.Builder
	for _, tc := range []struct {
		about, command string
		p              Promotion
		err            error
	}{
		{"one line", "keepsake promote s1abcd", Promotion{To: to, Words: of("Decided to use Postgres.")}, nil},
		{"Keepsake's own drawers", "keepsake promote s1abcd", Promotion{To: "Keepsake's own drawers", Words: of("x")}, nil},
		{"two drawers", "keepsake promote s1abcd s2abcd", Promotion{To: "MemPalace, 2 drawers", Words: append(of("x"), "--text=y")}, nil},
		{"as many lines as the dialog shows", "keepsake promote s1abcd", Promotion{To: to, Words: of(lines(8))}, nil},
		{"more", "keepsake promote s1abcd", Promotion{To: to, Words: of(lines(40))}, nil},
		{"near to one", "keepsake promote s1abcd", Promotion{To: to, Words: of("x"), Near: []string{"app/decisions/a"}, Titles: []string{"Use Postgres"}}, nil},
		{"near to many, a secret, an override", "keepsake promote s1abcd", Promotion{To: to, Words: of("a \u202eb"), Titles: []string{"Use\x1b[1m Postgres", strings.Repeat("long ", 40), "c", "d"}, Secrets: []string{"AWS key"}}, nil},
		{"not compared", "keepsake promote s1abcd", Promotion{To: to, Words: of("x"), Unknown: "mempalace took too long"}, nil},
		{"an address of any kind", "keepsake promote s1abcd", Promotion{To: to, Where: "wing " + strings.Repeat("w", 120) + ", room a\u202eb", Words: of("x")}, nil},
		{"an unknown id", "keepsake promote s1abcd", Promotion{}, errors.New("no note and no candidate has the id s1abcd\nhint: x")},
		{"in another command", "cd x && keepsake promote s1abcd", Promotion{}, nil},
		{"with an approval", "keepsake promote s1abcd --approval ABC", Promotion{}, nil},
	} {
		if tc.p.Where == "" {
			tc.p.Where = "wing app, room decisions"
		}
		c := promoting(tc.p, tc.err)
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]any{"command": tc.command})
		ask := Judge(c)
		checkReason(t, ask.Reason)
		c.Dialog = false
		deny := Judge(c)
		checkReason(t, deny.Reason)
		fmt.Fprintf(&b, "## %s\n\n%s: %s\n\n%s: %s\n\n", tc.about, ask.Decision, ask.Reason, deny.Decision, deny.Reason)
	}
	golden(t, "promotion.golden", b.String())
}
