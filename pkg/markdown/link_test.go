package markdown_test

import (
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

// TestReplaceTargetOfDefinition has the lines that links of the form [text][label] use.
func TestReplaceTargetOfDefinition(t *testing.T) {
	for text, want := range map[string]string{
		`[a]: b.md`:             `[a]: B.MD`,
		`  [b.md]: b.md "b.md"`: `  [b.md]: B.MD "b.md"`,
		`[a]: <b c.md>`:         `[a]: <b c.md>`, // no definition for LinkDefinition
		`[a]: <b.md>`:           `[a]: <B.MD>`,
		`[^1]: b.md`:            `[^1]: b.md`,
		`- [a]: x`:              `- [a]: x`,
	} {
		if got := markdown.ReplaceTargets(text, strings.ToUpper); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}

func TestParseLink(t *testing.T) {
	for text, want := range map[string][3]string{
		"[a](b.md) — c":         {"a", "b.md", " — c"},
		"**[a](b.md)**: c":      {"a", "b.md", ": c"},
		"[a [b]](c(1).md) d":    {"a [b]", "c(1).md", " d"},
		"[a](<b c.md> \"t\") d": {"a", "b c.md", " d"},
		`[a](b.md "t")`:         {"a", "b.md", ""},
		"[a]":                   {},
		"[a](b":                 {},
		"a [b](c)":              {},
	} {
		title, target, rest, ok := markdown.ParseLink(text)
		if [3]string{title, target, rest} != want || ok != (want[1] != "") {
			t.Errorf("%q: %q, %q, %q, %t", text, title, target, rest, ok)
		}
	}
}

func TestSplitTarget(t *testing.T) {
	for target, want := range map[string][2]string{
		"./a%20b.md#part": {"a b.md", "part"}, "c# tips.md": {"c# tips.md", ""}, `a\_b.md`: {"a_b.md", ""},
		"#x": {"", "x"},
	} {
		if path, anchor := markdown.SplitTarget(target); path != want[0] || anchor != want[1] {
			t.Errorf("%q: %q, %q", target, path, anchor)
		}
	}
}

func TestLinkDefinition(t *testing.T) {
	for line, want := range map[string][2]string{
		"[a]: b.md": {"a", "b.md"}, ` [a]: b.md "t"`: {"a", `b.md "t"`}, "[^1]: note": {}, "[a]: b c": {},
		"[a](b)": {}, "a": {},
	} {
		if label, target := markdown.LinkDefinition(line); label != want[0] || target != want[1] {
			t.Errorf("%q: %q, %q", line, label, target)
		}
	}
}

func TestReplaceTargets(t *testing.T) {
	got := markdown.ReplaceTargets("[a](b.md), `[c](d.md)` and [e](<f g.md>)", strings.ToUpper)
	if want := "[a](B.MD), `[c](d.md)` and [e](<F G.MD>)"; got != want {
		t.Errorf("%q", got)
	}
}

// FuzzLinks: targets that stay leave a text as it is, and what is read of a link stands in it.
func FuzzLinks(f *testing.F) {
	for _, s := range []string{"[a](b)", "`[a](b)` [c](<d e>)", "[[a]](b (c) \"d\")", "](", "[a]: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := markdown.ReplaceTargets(text, func(target string) string { return target }); got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
		title, target, rest, ok := markdown.ParseLink(text)
		label, to := markdown.LinkDefinition(text)
		for _, part := range []string{title, target, rest, label, to} {
			if !strings.Contains(text, part) || !ok && title+target+rest != "" {
				t.Fatalf("%q: %q", text, part)
			}
		}
		for _, c := range markdown.Cells(text) {
			if strings.TrimSpace(text[c.From:c.To]) != c.Text {
				t.Fatalf("%q: cell %+v", text, c)
			}
		}
	})
}
