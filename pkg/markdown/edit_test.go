package markdown_test

import (
	"testing"

	"keepsake/pkg/markdown"
)

// TestInsert puts lines in as most of a file's lines end.
func TestInsert(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"", 0, "x\ny\n"}, {"a", 1, "a\nx\ny\n"}, {"a\r\nb", 2, "a\r\nb\r\nx\r\ny\r\n"},
		{"a\r\nb\nc\n", 1, "a\r\nx\ny\nb\nc\n"}, {"\ufeffa\n", 0, "\ufeffx\ny\na\n"},
	} {
		d := markdown.Parse([]byte(c.text))
		d.Insert(c.at, "x", "y")
		if got := string(d.Print()); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
