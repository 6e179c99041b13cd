package markdown_test

import (
	"testing"

	"keepsake/pkg/markdown"
)

func TestFrontmatter(t *testing.T) {
	head := "---\n# a comment\nname: \"a: b\"\ndescription: >\n  one\n  two\nmetadata:\n  node_type: memory # why\n  type: user\ntopics:\n- x\n- 'y'\nmore: [a,\n  b]\nlong: begins\n  and goes on\nempty:\n---\ntext"
	h := markdown.Parse([]byte(head)).Front
	if h.Lines != 18 || len(h.Faults) > 0 {
		t.Fatalf("%d lines, faults %v", h.Lines, h.Faults)
	}
	for key, want := range map[string]string{
		"name": "a: b", "description": "one two", "metadata.type": "user", "metadata.node_type": "memory", "topics": "x, y", "more": "[a, b]", "long": "begins and goes on", "empty": "",
	} {
		if got, _ := h.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for _, none := range []string{"", "text", "---\n\ntext\n", "--- \ntext", "-----\na: b\n-----", " ---\na: b\n---"} {
		if h := markdown.Parse([]byte(none)).Front; h.Lines != 0 || len(h.Faults) > 0 {
			t.Errorf("%q has frontmatter: %+v", none, h)
		}
	}
}

// TestScalar prints values that are read as they were.
func TestScalar(t *testing.T) {
	for _, s := range []string{"plain words", "a: b", "a #b", "[x] y", "yes", "- x", "ends:", `say "hi": now`, "it's: so", "* x", "", "@home"} {
		h := markdown.Parse([]byte("---\nkey: " + markdown.Scalar(s) + "\n---\n")).Front
		got, _ := h.Get("key")
		if got != s || len(h.Faults) > 0 {
			t.Errorf("%q is printed as %s and read as %q %v", s, markdown.Scalar(s), got, h.Faults)
		}
	}
}
