package markdown_test

import (
	"strings"
	"testing"

	"keepsake/pkg/markdown"
)

func TestParseHeading(t *testing.T) {
	for line, want := range map[string]struct {
		level int
		title string
	}{
		"# C#": {1, "C#"}, "## F# and C#": {2, "F# and C#"}, "# C #": {1, "C"}, "# C ##": {1, "C"},
		"## C#  ## ": {2, "C#"},
		"#":          {1, ""}, "# #": {1, ""}, "### ###": {3, ""}, "#\tx": {1, "x"}, "  ## x": {2, "x"},
		"###### x":         {6, "x"},
		"# #1 of the list": {1, "#1 of the list"}, `# C\#`: {1, `C\#`},
		"": {}, "#12": {}, "C#": {}, "####### x": {}, "x # y": {}, "#x #": {},
	} {
		if level, title := markdown.ParseHeading(line); level != want.level || title != want.title {
			t.Errorf("%q is %d %q, want %d %q", line, level, title, want.level, want.title)
		}
	}
	for line, want := range map[string]string{"# C#": "C#", " C# ": "C#", "#12": "#12"} {
		if got := markdown.Title(line); got != want {
			t.Errorf("%q says %q, want %q", line, got, want)
		}
	}
}

func FuzzParseHeading(f *testing.F) {
	f.Add("## C# ##")
	f.Fuzz(func(t *testing.T, line string) {
		level, title := markdown.ParseHeading(line)
		if level < 0 || level > 6 || strings.TrimSpace(title) != title || !strings.Contains(line, title) {
			t.Fatalf("%q: %d %q", line, level, title)
		}
	})
}
