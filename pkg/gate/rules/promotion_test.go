package rules

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"keepsake/pkg/text"
)

// TestPromotionInput: a shell gives any words back unchanged, and nothing in the command is hidden.
func TestPromotionInput(t *testing.T) {
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "it's", "two\nlines", "a\tb", "$HOME `id` $(id) !! \\", "--text=a'b\nc", "--text=", "a=b",
		"bell\a\x1b[31m", "\u202eabc\u202c'\\", "ze\u200bro9f", "x\ufe0f", "‘“”’ é 日本", "~", "*", "{a,b}",
		"#", "\xe2\x80", "=ls",
	}))
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Map(word, func(w string) string {
			return strings.ReplaceAll(w, "\x00", "")
		}), 0, 4).Draw(t, "words")
		p := Promotion{Program: "/opt/my keepsake/bin/keepsake", Words: append([]string{"promote"}, words...)}
		var in struct{ Command string }
		if err := json.Unmarshal(p.Input("NONCE"), &in); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.ToValidUTF8(w, "") != w }) &&
			text.HasUnseen(in.Command) {
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
