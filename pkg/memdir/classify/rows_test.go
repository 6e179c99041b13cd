package classify

import (
	"testing"

	"keepsake/pkg/memdir"
)

// TestDateOfARow sets the date below its head, also behind a cell with a bar in it, and
// where the cell is empty.
func TestDateOfARow(t *testing.T) {
	const top = "| File | What it has | Last Updated |\n| --- | --- | --- |\n"
	for row, want := range map[string]string{
		"| [a](a.md) | this | 2026-01-02 |":       "| [a](a.md) | this | 2026-11-20 |",
		`| [a](a.md) | this\|that | 2026-01-02 |`: `| [a](a.md) | this\|that | 2026-11-20 |`,
		"| [a](a.md) | this | |":                  "| [a](a.md) | this | 2026-11-20 |",
		"[a](a.md) | this | **2026-01-02**":       "[a](a.md) | this | 2026-11-20",
		"| [a](a.md) | this |":                    "| [a](a.md) | this |",
	} {
		s := &sheet{doc: memdir.Parse([]byte(top + row + "\n"))}
		s.date(2, "2026-11-20")
		if got := string(s.doc.Print()); got != top+want+"\n" {
			t.Errorf("%q becomes %q", row, got)
		}
	}
}
