package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocs compares the pages that list the fields with the table; KEEPSAKE_GOLDEN=1 rewrites their rows.
func TestDocs(t *testing.T) {
	for path, row := range map[string]func(Category) string{
		"../../docs/formats.md": func(c Category) string {
			return fmt.Sprintf("| %s | `%s` | %s |\n", c, c.Folder(), fieldList(c, true))
		},
		"../../agents/drafter.md": func(c Category) string {
			return fmt.Sprintf("| %s | %s |\n", c, fieldList(c, false))
		},
	} {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		rows := 0
		for line := range strings.Lines(string(page)) {
			for _, c := range Categories() {
				if strings.HasPrefix(line, "| "+string(c)+" | `") {
					line = row(c)
					rows++
				}
			}
			want.WriteString(line)
		}
		if rows != len(Categories()) {
			t.Errorf("%s has %d rows of fields, want one for each category", path, rows)
		}
		if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
			if err := os.WriteFile(path, []byte(want.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want.String() != string(page) {
			t.Errorf("%s is not what memory.Fields says; KEEPSAKE_GOLDEN=1 rewrites it", path)
		}
	}
}

// fieldList prints the fields of a category; with stars in compound kinds too, and the least number of
// entries, if it is exact.
func fieldList(c Category, exact bool) string {
	var fields []string
	for _, f := range Fields(c) {
		name := "`" + f.Name + "`"
		if f.Required {
			name += "*"
		}
		switch f.Kind {
		case Enum:
			name += " (`" + strings.Join(f.Enum, "`, `") + "`)"
		case Flag:
			name += " (true or false)"
		case List:
			name += " []"
			if exact {
				name += strings.Repeat("+", f.Min)
			}
		case Alternatives:
			name += " [`{option, rejected_reason}`]"
			if exact {
				name = strings.NewReplacer("option", "option*", "reason}", "reason*}").Replace(name)
			}
		case Examples:
			name += " `{prefer [], avoid []}`"
		}
		fields = append(fields, name)
	}
	return strings.Join(fields, ", ")
}
