package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

func TestCells(t *testing.T) {
	for row, want := range map[string][]string{
		"| a | b |":                {"a", "b"},
		"a | b":                    {"a", "b"},
		"  | a || c |  ":           {"a", "", "c"},
		`| [x](x.md) | this\|that`: {"[x](x.md)", `this\|that`},
		"|":                        {""},
		"":                         {""},
	} {
		var got []string
		for _, c := range markdown.Cells(row) {
			got = append(got, c.Text)
			if strings.TrimSpace(row[c.From:c.To]) != c.Text {
				t.Errorf("%q: %q is not at %d:%d", row, c.Text, c.From, c.To)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", row, got, want)
		}
	}
}
