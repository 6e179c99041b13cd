package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocs compares the pages that list the fields with the table. agents/drafter.md says more about some of
// them, so only names and stars are looked for there.
func TestDocs(t *testing.T) {
	formats, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	drafter, err := os.ReadFile("../../agents/drafter.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Categories() {
		var fields []string
		drafted := "" // the row of the category
		for line := range strings.Lines(string(drafter)) {
			if strings.HasPrefix(line, "| "+string(c)+" |") {
				drafted = line
			}
		}
		for _, f := range Fields(c) {
			name := "`" + f.Name + "`"
			if f.Required {
				name += "*"
			}
			if !strings.Contains(drafted, name) || !f.Required && strings.Contains(drafted, name+"*") {
				t.Errorf("agents/drafter.md: %s has no %s", c, name)
			}
			switch f.Kind {
			case Enum:
				name += " (`" + strings.Join(f.Enum, "`, `") + "`)"
				if !strings.Contains(drafted, name) {
					t.Errorf("agents/drafter.md: %s has no %s", c, name)
				}
			case Flag:
				name += " (true or false)"
			case List:
				name += " []" + strings.Repeat("+", f.Min)
			case Alternatives:
				name += " [`{option*, rejected_reason*}`]"
			case Examples:
				name += " `{prefer [], avoid []}`"
			}
			fields = append(fields, name)
		}
		if row := fmt.Sprintf("| %s | `%s` | %s |\n", c, c.Folder(),
			strings.Join(fields, ", ")); !strings.Contains(string(formats), row) {
			t.Errorf("docs/formats.md lacks the row\n%s", row)
		}
	}
}
