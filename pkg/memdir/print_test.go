package memdir_test

import (
	"strings"
	"testing"

	"keepsake/pkg/memdir"
)

// TestIndexLine prints lines that are read as what they were made of.
func TestIndexLine(t *testing.T) {
	for _, form := range []memdir.Form{memdir.Link, memdir.Keyword} {
		for _, c := range []struct{ title, target, hook, wantTitle, wantHook string }{
			{"Job queue", "project_queue.md", "why jobs are kept in PostgreSQL", "Job queue",
				"why jobs are kept in PostgreSQL"},
			{"A [b] *c* | d", "a/bc.md", "see [x](y.md) → z | `y`", "A b c / d", "see x(y.md) → z / y"},
			{"Long", "long.md", strings.Repeat("word ", 60), "Long", strings.Repeat("word ", 20) + "word…"},
		} {
			line, ok := memdir.IndexLine(form, c.title, c.target, c.hook)
			refs := memdir.Refs(memdir.Parse([]byte(line + "\n")))
			if !ok || len(refs) != 1 || refs[0].Target != c.target || refs[0].Form != form ||
				refs[0].Title != c.wantTitle || refs[0].Hook != c.wantHook {
				t.Errorf("%v: %s is read as %+v", form, line, refs)
			}
		}
	}
	for target, shown := range map[string]string{"a b.md": "<a b.md>", "a b (1).md": "<a b (1).md>",
		"50%.md": "<50%25.md>"} {
		if line, ok := memdir.IndexLine(memdir.Link, "Queue", target, "why so"); !ok || line != "- [Queue]("+
			shown+") — why so" {
			t.Errorf("%s: %v: %s", target, ok, line)
		}
	}
	if line, ok := memdir.IndexLine(memdir.Table, "Queue", "a.md", "why so"); ok {
		t.Errorf("a list in a table: %s", line)
	}
}
