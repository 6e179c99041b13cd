package markdown_test

import (
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

func TestFrontmatter(t *testing.T) {
	head := "---\n# a comment\nname: \"a: b\"\ndescription: >\n  one\n  two\nmetadata:\n  node_type: " +
		"memory # why\n  type: user\ntopics:\n- x\n- 'y'\nmore: [a,\n  b]\nlong: begins\n  and goes " +
		"on\nempty:\n---\ntext"
	h := markdown.Parse([]byte(head)).Front
	if h.Lines != 18 || len(h.Faults) > 0 {
		t.Fatalf("%d lines, faults %v", h.Lines, h.Faults)
	}
	for key, want := range map[string]string{
		"name": "a: b", "description": "one two", "metadata.type": "user", "metadata.node_type": "memory",
		"topics": "x, y", "more": "[a, b]", "long": "begins and goes on", "empty": "",
	} {
		if got, _ := h.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for _, none := range []string{"", "text", "---\n\ntext\n", "--- \ntext", "-----\na: b\n-----",
		" ---\na: b\n---"} {
		if h := markdown.Parse([]byte(none)).Front; h.Lines != 0 || len(h.Faults) > 0 {
			t.Errorf("%q has frontmatter: %+v", none, h)
		}
	}
}

// TestScalar prints values that are read as they were.
func TestScalar(t *testing.T) {
	for s, want := range map[string]string{
		"plain words": "plain words", "a: b": `"a: b"`, "a #b": `"a #b"`, "[x] y": `"[x] y"`, "yes": `"yes"`,
		"- x": `"- x"`, "ends:": `"ends:"`, `say "hi": now`: `'say "hi": now'`, "it's: so": `"it's: so"`,
		"* x": `"* x"`, "": `""`, "@home": `"@home"`, "= x": `"= x"`, "2026": `"2026"`, "1.5e3": `"1.5e3"`,
		`C:\ is: x`: `'C:\ is: x'`, `a "b" c`: `a "b" c`,
	} {
		h := markdown.Parse([]byte("---\nkey: " + markdown.Scalar(s) + "\n---\n")).Front
		got, _ := h.Get("key")
		if got != s || len(h.Faults) > 0 || markdown.Scalar(s) != want {
			t.Errorf("%q is printed as %s and read as %q %v", s, markdown.Scalar(s), got, h.Faults)
		}
	}
}

func TestCutFrontmatter(t *testing.T) {
	for text, want := range map[string][2]string{
		"---\na: b\n---\nc\n":              {"a: b\n", "c\n"},
		"\ufeff--- \r\na: b\r\n---\t\r\nc": {"a: b\r\n", "c"},
		"---\n---\n---\n":                  {"", "---\n"},
		"---\na: b\n----\n---":             {"a: b\n----\n", ""},
		"---\na: b\n":                      {"", "---\na: b\n"},
		"----\na: b\n---\n":                {"", "----\na: b\n---\n"},
		"":                                 {"", ""},
	} {
		front, body, ok := markdown.CutFrontmatter(text)
		if front != want[0] || body != want[1] || ok != (body != text) {
			t.Errorf("%q: %q, %q, %t", text, front, body, ok)
		}
	}
}

// FuzzCutFrontmatter: what is cut off is what Parse takes for frontmatter.
func FuzzCutFrontmatter(f *testing.F) {
	for _, s := range []string{"", "---\n---", "---\na: b\n---\nc", "\ufeff---\r\n\r\n--- \r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		front, body, ok := markdown.CutFrontmatter(text)
		if !strings.HasSuffix(text, body) || !strings.Contains(text, front) || !ok && body != text {
			t.Fatalf("%q: %q, %q", text, front, body)
		}
		if n := strings.Count(front, "\n"); n < 100 && ok != (markdown.Parse([]byte(text)).Front.Lines > 0) {
			t.Fatalf("%q: %t", text, ok)
		}
	})
}
