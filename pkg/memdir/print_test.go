package memdir_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/memdir"
)

// TestIndexLine prints lines that are read as what they were made of.
func TestIndexLine(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, p := range memdir.Profiles() {
		for _, c := range []struct{ title, target, hook, want string }{
			{"Job queue", "project_queue.md", "why jobs are kept in PostgreSQL", "why jobs are kept in PostgreSQL"},
			{"A [b] *c* | d", "a/b c (1).md", "x | y", "x | y"},
			{"Long", "long.md", long, ""},
		} {
			line := memdir.IndexLine(p, c.title, c.target, c.hook, "2026-11-20")
			if n := utf8.RuneCountInString(line); n > 200 {
				t.Errorf("%s: %d characters: %s", p.Name, n, line)
			}
			text := line + "\n"
			if p.Form == memdir.Table {
				text = "| file | what | updated |\n| --- | --- | --- |\n" + text
				c.want = strings.ReplaceAll(c.want, "|", "/") + " 2026-11-20"
			}
			refs := memdir.Parse([]byte(text)).Refs()
			if strings.Contains(c.target, " ") && p.Form == memdir.Keyword {
				continue // a path in backticks has no escape
			}
			if len(refs) != 1 || refs[0].Target != c.target || refs[0].Form != p.Form || c.hook != long && refs[0].Hook != c.want {
				t.Errorf("%s: %s is read as %+v", p.Name, line, refs)
			}
		}
	}
}

// TestScalar prints values that are read as they were.
func TestScalar(t *testing.T) {
	for _, s := range []string{"plain words", "a: b", "a #b", "[x] y", "yes", "- x", "ends:", `say "hi": now`, "it's: so", "* x", "", "@home"} {
		h := memdir.Parse([]byte("---\nkey: " + memdir.Scalar(s) + "\n---\n")).Head
		got, _ := h.Get("key")
		if got != s || len(h.Faults) > 0 {
			t.Errorf("%q is printed as %s and read as %q %v", s, memdir.Scalar(s), got, h.Faults)
		}
	}
}
