package memory

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocs holds the pages that list the fields to the table: a drafter that is told other names drafts in
// vain.
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
		var fields, drafted []string
		for _, f := range Fields(c) {
			name := "`" + f.Name + "`"
			if f.Required {
				name += "*"
			}
			kind, draftedKind := "", "" // the second where the pages differ
			switch f.Kind {
			case Enum:
				kind = " (`" + strings.Join(f.Enum, "`, `") + "`)"
			case Flag:
				kind = " (true or false)"
			case List:
				kind, draftedKind = " []"+strings.Repeat("+", f.Min), " []"
			case Alternatives:
				kind, draftedKind = " [`{option*, rejected_reason*}`]", " [`{option, rejected_reason}`]"
			case Examples:
				kind = " `{prefer [], avoid []}`"
			}
			if f.Name == "expires" {
				draftedKind = " (a condition, or `none`)"
			}
			fields, drafted = append(fields, name+kind), append(drafted, name+cmp.Or(draftedKind, kind))
		}
		for page, row := range map[string]string{
			string(formats): fmt.Sprintf("| %s | `%s` | %s |\n", c, c.Folder(), strings.Join(fields, ", ")),
			string(drafter): fmt.Sprintf("| %s | %s |\n", c, strings.Join(drafted, ", ")),
		} {
			if !strings.Contains(page, row) {
				t.Errorf("docs/formats.md or agents/drafter.md lacks the row\n%s", row)
			}
		}
	}
}
