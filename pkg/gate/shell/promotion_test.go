package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/gate/rules"
)

// promoting is the made-up machine with a program that would write this.
func promoting(p rules.Promotion, err error) Call {
	c := world()
	p.Program = "/opt/keepsake/bin/keepsake"
	c.Promotion = func(args []string) (rules.Promotion, error) {
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
		d      rules.Decision
		person bool
	}{
		bin + " promote s1abcd":                                {rules.Ask, true},
		bin + " promote s1abcd s2abcd c3abcd":                  {rules.Ask, true},
		"keepsake promote s1abcd":                              {rules.Ask, true},
		"./bin/keepsake promote s1abcd":                        {rules.Ask, true},
		"'" + bin + "' promote \"s1abcd\"":                     {rules.Ask, true},
		bin + " save --tier why 'It'\\''s settled'":            {rules.Ask, true},
		bin + " save --tier why \"Use \\$HOME: it's settled\"": {rules.Ask, true},
		bin + " save --tier why 'two\nlines'":                  {rules.Ask, true},
		bin + " save --tier why -- '--approval is a word'":     {rules.Ask, true},
		bin + " save --tier why $'bell\\a'":                    {rules.Ask, true},
		bin + " promote s1abcd;":                               {rules.Ask, true},

		bin + " promote --help":                      {rules.Pass, false},
		bin + " promote --dry-run s1abcd":            {rules.Pass, false},
		bin + " save --tier why --dry-run x":         {rules.Pass, false},
		bin + " promote s1abcd --dry-run=false":      {rules.Ask, true},
		bin + " promote --dry-run --no-dry-run s1":   {rules.Ask, true},
		bin + " save --tier why -- x --dry-run":      {rules.Ask, true},
		bin + " promote s1abcd --approval ABC":       {rules.Deny, false},
		bin + " promote --approval=ABC s1abcd":       {rules.Deny, false},
		bin + " save --tier why --approval ABC x":    {rules.Deny, false},
		"sh -c '" + bin + " promote --approval A s'": {rules.Deny, false},

		"cd /tmp && " + bin + " promote s1abcd":          {rules.Deny, false},
		bin + " promote s1abcd && ls":                    {rules.Deny, false},
		bin + " promote s1abcd | cat":                    {rules.Deny, false},
		bin + " promote s1abcd > out.txt":                {rules.Deny, false},
		bin + " promote s1abcd &":                        {rules.Deny, false},
		"! " + bin + " promote s1abcd":                   {rules.Deny, false},
		"X=1 " + bin + " promote s1abcd":                 {rules.Deny, false},
		"env " + bin + " promote s1abcd":                 {rules.Deny, false},
		"sudo " + bin + " promote s1abcd":                {rules.Deny, false},
		"time " + bin + " promote s1abcd":                {rules.Deny, false},
		"sh -c '" + bin + " promote s1abcd'":             {rules.Deny, false},
		"eval '" + bin + " promote s1abcd'":              {rules.Deny, false},
		"(" + bin + " promote s1abcd)":                   {rules.Deny, false},
		"alias k=keepsake\nk promote s1abcd":             {rules.Deny, false},
		"echo s1abcd | xargs " + bin + " promote":        {rules.Deny, false},
		bin + " promote $ID":                             {rules.Deny, false},
		bin + " promote $(cat ids)":                      {rules.Deny, false},
		bin + " save --tier why \"$(cat notes.md)\"":     {rules.Deny, false},
		bin + " save --tier why \"$TEXT\"":               {rules.Deny, false},
		bin + " promote s1abcd # the person agreed":      {rules.Deny, false},
		bin + " promote s{1,2}abcd":                      {rules.Deny, false},
		"keepsake promote s1abcd\nkeepsake promote s2":   {rules.Deny, false},
		"printf '%s\\n' y | " + bin + " promote s1abcd":  {rules.Deny, false},
		"script -c '" + bin + " promote s1abcd' out.log": {rules.Deny, false},
	} {
		for _, mode := range []string{"default", "acceptEdits", "plan", "dontAsk", "bypassPermissions",
			"auto"} {
			for _, dialog := range []bool{true, false} {
				c := promoting(rules.Promotion{Digest: "d", To: "MemPalace"}, nil)
				c.Tool, c.Args, c.Mode, c.Dialog = "Bash", mustJSON(t, map[string]any{"command": command}),
					mode, dialog
				v := Judge(c)
				d := want.d
				if d == rules.Ask && (!dialog || mode == "bypassPermissions" || mode == "auto") {
					d = rules.Deny // with the ways to approve it
				}
				if v.Decision != d || v.Person != want.person || (v.Promotion != nil) != want.person {
					t.Errorf("%q, %s, dialog %v: %s, person %v, promotion %v; want %s, %v", command, mode,
						dialog, v.Decision, v.Person, v.Promotion != nil, d, want.person)
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
		c.Promotion = func(args []string) (rules.Promotion, error) {
			got = args
			return rules.Promotion{Words: args}, nil
		}
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]any{"command": command})
		if v := Judge(c); v.Decision != rules.Ask || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q, want %q", command, v.Decision, got, want)
		}
	}
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
		p              rules.Promotion
		err            error
	}{
		{"one line", "keepsake promote s1abcd",
			rules.Promotion{To: to, Words: of("Decided to use Postgres.")}, nil},
		{"Keepsake's own drawers", "keepsake promote s1abcd",
			rules.Promotion{To: "Keepsake's own drawers", Words: of("x")}, nil},
		{"two drawers", "keepsake promote s1abcd s2abcd",
			rules.Promotion{To: "MemPalace, 2 drawers", Words: append(of("x"), "--text=y")}, nil},
		{"as many lines as the dialog shows", "keepsake promote s1abcd",
			rules.Promotion{To: to, Words: of(lines(8))}, nil},
		{"more", "keepsake promote s1abcd", rules.Promotion{To: to, Words: of(lines(40))}, nil},
		{"near to one", "keepsake promote s1abcd",
			rules.Promotion{To: to, Words: of("x"), Near: []string{"app/decisions/a"},
				Titles: []string{"Use Postgres"}}, nil},
		{"near to many, a secret, an override", "keepsake promote s1abcd",
			rules.Promotion{To: to, Words: of("a \u202eb"),
				Titles:  []string{"Use\x1b[1m Postgres", strings.Repeat("long ", 40), "c", "d"},
				Secrets: []string{"AWS key"}}, nil},
		{"not compared", "keepsake promote s1abcd",
			rules.Promotion{To: to, Words: of("x"), Unknown: "mempalace took too long"}, nil},
		{"an address of any kind", "keepsake promote s1abcd",
			rules.Promotion{To: to, Where: "wing " + strings.Repeat("w", 120) + ", room a\u202eb",
				Words: of("x")}, nil},
		{"an unknown id", "keepsake promote s1abcd", rules.Promotion{},
			errors.New("no note and no candidate has the id s1abcd\nhint: x")},
		{"in another command", "cd x && keepsake promote s1abcd", rules.Promotion{}, nil},
		{"with an approval", "keepsake promote s1abcd --approval ABC", rules.Promotion{}, nil},
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
		fmt.Fprintf(&b, "## %s\n\n%s: %s\n\n%s: %s\n\n", tc.about, ask.Decision, ask.Reason, deny.Decision,
			deny.Reason)
	}
	golden(t, "promotion.golden", b.String())
}
