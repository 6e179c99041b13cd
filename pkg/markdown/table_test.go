package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

func TestIsDelimiterRow(t *testing.T) {
	for row, want := range map[string]bool{
		"| --- | :-: |": true, "--|--": true, "|-|": true, " |:-|": true, "---": false, "- | -": false,
		"| a |": false,
		"||":    false, "": false,
	} {
		if got := markdown.IsDelimiterRow(row); got != want {
			t.Errorf("%q: %t", row, got)
		}
	}
}

func TestItemText(t *testing.T) {
	for line, want := range map[string]string{
		"- a": "a", "*\ta ": "a", "  + a": "a", "12. a": "a", "3)\ta": "a", "1234567890. a": "", "-a": "",
		"- ":  "",
		"1.a": "", "": "", "a - b": "",
	} {
		got := markdown.ItemText(line)
		if at := markdown.ItemStart(line); got != want || !strings.HasPrefix(line[at:], got) ||
			(at > 0) != (want != "") {
			t.Errorf("%q: %q, which begins at %d", line, got, at)
		}
	}
}

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
