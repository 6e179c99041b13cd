package checks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
)

func TestPropose(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nfunc Push() {}\n", "docs/b.md": "x",
		"a.zig": "pub fn push() void {}\n",
		"go.mod": "module m\n\ngo 1.26\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.6.0\n\ta.example/sync " +
			"v1.2.0\n" +
			"\tb.example/sync v1.3.0\n)\n",
		"package.json": `{"dependencies": {"react": "^18.2.0", "vite": "^0.4.1"}, "engines": {"node": ">=20"}}`} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for said, want := range map[string]string{
		"We use pgx v5.":                         "requires go.mod github.com/jackc/pgx/v5 5 below 6",
		"github.com/jackc/pgx/v5 v5.6.0 has it.": "requires go.mod github.com/jackc/pgx/v5 5.6.0 below 6",
		"React 18.2 or later, go 1.26 and node 20": "requires go.mod go 1.26|requires package.json node 20|" +
			"requires package.json react 18.2 below 19",
		"vite@0.4":                                          "requires package.json vite 0.4 below 0.5",
		"React version 18 renders it.":                      "requires package.json react 18 below 19",
		"We go from React 17 to React 18.":                  "", // two versions
		"React 17 renders it.":                              "", // it does not hold
		"React 18 seconds later, in a preact 18":            "",
		"sync 1.2 is ambiguous, and express 4 not required": "",
		"The go 1.26.1 is not here yet":                     "",
	} {
		lines, notes := Propose(dir, today, draft.Draft{Category: memory.Decision,
			Content: memory.Content{"decision": said}}, nil)
		if got := strings.Join(lines, "|"); got != want || len(notes) > 0 {
			t.Errorf("%s: %q, want %q; %q", said, got, want, notes)
		}
	}
	lines, notes := Propose(dir, today, draft.Draft{Category: memory.Decision, Checks: true,
		Verify: []string{"symbol_defined a.go Push", "symbol_defined a.go Pop", "path_exists docs"},
		RelatedFiles: []string{"./docs/b.md", "none.go", "../outside", "/etc/passwd", "https://a.example/x",
			"docs"}}, nil)
	if !slices.Equal(lines, []string{"symbol_defined a.go Push", "path_exists docs",
		"path_exists docs/b.md"}) ||
		len(notes) != 1 || !strings.Contains(notes[0],
		`"symbol_defined a.go Pop" is left out, since it does not hold now`) {
		t.Errorf("%q, %q", lines, notes)
	}
	for said, d := range map[string]draft.Draft{
		`verify: "symbol_defined a.zig push" is left out: what a.zig defines can't be told`: {Checks: true,
			Category: memory.Decision, Verify: []string{"symbol_defined a.zig push"}},
		`verify: expires "react 18": it ends at once, since package.json requires react 18.2.0`: {
			Category: memory.Constraint, Content: memory.Content{"expires": "react 18"}},
	} {
		if lines, notes := Propose(dir, today, d, nil); lines != nil || !slices.Equal(notes, []string{said}) {
			t.Errorf("%q, %q, want %s", lines, notes, said)
		}
	}
	if lines, notes := Propose(filepath.Join(dir, "none"), today, draft.Draft{Checks: true},
		nil); lines != nil ||
		len(notes) != 1 {
		t.Errorf("%q, %q", lines, notes)
	}
}
