package markdown_test

import (
	"testing"

	"keepsake/pkg/markdown"
)

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"## Port to C# ##":              "Port to C#",
		"# C#":                          "C#",
		"- [ ] **use** [C#](c.md)":      "use C#",
		"#42 is fixed":                  "#42 is fixed",
		"- #42 is fixed":                "#42 is fixed",
		"> quoted `code`":               "quoted code",
		"### ![Map](map.png) of it ###": "Map of it",
	} {
		if got := markdown.PlainText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
