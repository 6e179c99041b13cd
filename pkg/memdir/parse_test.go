package memdir_test

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
)

// FuzzPrint prints what it parsed, byte by byte, and lints it without a panic.
func FuzzPrint(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, p := range paths {
		s, b := load(&testing.T{}, p)
		f.Add(b)
		for _, file := range s.dir.Files {
			if len(file.Bytes) < 4096 {
				f.Add(file.Bytes)
			}
		}
	}
	for _, s := range []string{"", "\n", "\r\n", "a\rb\r\nc\n", "\ufeff", "---", "---\n---",
		"---\r\na: b\r\n---", "- [a](b.md", "- **a** → ", "|a.md|\n|-|", "> x\n===\n", "```\n",
		"\x00\xff\n\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := memdir.Parse(b).Print(); !bytes.Equal(got, b) {
			t.Fatalf("%q is printed as %q", b, got)
		}
		for _, p := range memdir.Profiles() {
			d := memdir.Dir{Now: now,
				Files: []memdir.File{{Path: memdir.Index, Bytes: b}, {Path: "a.md", Bytes: b},
					{Path: "user/events/2026-05-b.md", Bytes: b}}}
			memdir.Detect(d.Files)
			lines := bytes.Count(b, []byte("\n")) + 1
			for _, found := range memdir.Lint(d, p) {
				if found.Line < 0 || found.Line > max(lines, 1) {
					t.Fatalf("%s: line %d of %d: %s", found.Path, found.Line, lines, found.Why)
				}
			}
		}
	})
}

func TestRefs(t *testing.T) {
	for line, want := range map[string][]memdir.Ref{
		"- [Title](file.md) — hook": {{Title: "Title",
			Target: "file.md", Hook: "hook", Form: memdir.Link}},
		"* [T](./a/b.md#part): when": {{Title: "T",
			Target: "a/b.md", Anchor: "part", Hook: "when", Form: memdir.Link}},
		"- [T](<a b.md>) - x": {{Title: "T",
			Target: "a b.md", Hook: "x", Form: memdir.Link}},
		"- [T](a%20b.md \"title\")": {{Title: "T",
			Target: "a b.md", Form: memdir.Link}},
		"- **style**: short answers → `user/style.md`": {{Title: "style",
			Target: "user/style.md", Hook: "short answers", Form: memdir.Keyword}},
		"- **style:** short -> [s](user/style.md).": {{Title: "style",
			Target: "user/style.md", Hook: "short", Form: memdir.Keyword}},
		"- **all** one → `user/events/`": {{Title: "all",
			Target: "user/events/", Hook: "one", Form: memdir.Keyword}},
		"- see [a](a.md) and [b](b.md)": {{Title: "a",
			Target: "a.md"}, {Title: "b", Target: "b.md"}},
		"- notes.md: what was noted": {{Target: "notes.md",
			Hook: "what was noted"}},
		"- ask ada@example.com":                          nil,
		"- [site](https://example.com/a.md) — elsewhere": nil,
		"- [main](cmd/main.go) — code":                   nil,
		"- run `make *.md`":                              nil,
		"| [a](a.md) | hook | 2026-01-02 |": {{Title: "a",
			Target: "a.md", Hook: "hook 2026-01-02", Form: memdir.Table}},
		// content that mentions a file
		"- read `a.md` first":    nil,
		"- `a.md` has the rules": {{Target: "a.md"}},
		"- [[queue]] — where jobs are": {{Title: "queue",
			Target: "queue.md", Hook: "where jobs are"}},
		"- **a.md** - what it has": {{Target: "a.md",
			Hook: "what it has"}},
		"- **Shared**: `src/Shared/` is the package":                                nil,
		"- the lobby skips its own start where a match is under way, see [a](a.md)": nil,
		"see a.md": nil, // a paragraph is no index line
	} {
		got := memdir.Refs(memdir.Parse([]byte(line)))
		for i := range got {
			got[i].Line = 0
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", line, got, want)
		}
	}
}

// TestLarge lints large files, made of what could take a time
// that grows with its square. It would not end soon if one did.
func TestLarge(t *testing.T) {
	t.Parallel()
	size := 128 << 10
	if testing.Short() {
		size = 16 << 10
	}
	for _, piece := range []string{"[", "](", "- [a](", "`", "<", "'a ", "\"", "a\n", "|a\n", "|[a](a.md)|\n",
		"- a\n  b\n", "- [a](a.md) — b\n", "> a\n", "on monday ", "[a](b.md)\n", "last ", "---\n", "a:\n",
		"i. ", "\n- "} {
		b := bytes.Repeat([]byte(piece), size/len(piece))
		for _, p := range memdir.Profiles() {
			d := memdir.Dir{Now: now, Alike: alike.Notes,
				Files: []memdir.File{{Path: memdir.Index, Bytes: b}, {Path: "INDEX.md", Bytes: b},
					{Path: "a.md", Bytes: b},
					{Path: "b.md", Bytes: append([]byte("---\nname: b\n---\n"), b...)}}}
			if len(memdir.Lint(d, p)) == 0 {
				t.Errorf("%s: nothing found in %q", p.Name, piece)
			}
		}
	}
}
