package memdir_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/memdir"
)

// TestFormatLong formats directories whose topic files are too long.
func TestFormatLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := memdir.Dir{Now: now, Files: []memdir.File{{Path: "MEMORY.md", Bytes: []byte("| File | What it has | Last Updated |\n| --- | --- | --- |\n| [journal](journal.md) | what broke and why | 2026-10-04 |\n"), Modified: now.AddDate(0, 0, -10)}}}
		for _, name := range []string{"journal.md", "deep/journal.md", "notes.md", "archive/journal-archive-2025.md"} {
			if name == "journal.md" || rapid.Bool().Draw(t, name) {
				d.Files = append(d.Files, memdir.File{Path: name, Bytes: long(t, name), Modified: now.AddDate(0, 0, -10)})
			}
		}
		slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
		formats(t, d, rapid.SampledFrom(memdir.Profiles()).Draw(t, "profile"))
	})
}

// long is a file of parts of many lines.
func long(t *rapid.T, name string) []byte {
	eol := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "eol of "+name)
	var b strings.Builder
	if rapid.Bool().Draw(t, "head of "+name) {
		b.WriteString("---\nlast_updated: 2026-10-04\ntopics: [x]\nname: n\ndescription: what this one is about\ntype: project\n---\n# Journal\n")
	}
	n := 0
	for range rapid.IntRange(1, 30).Draw(t, "parts of "+name) {
		n++
		date := fmt.Sprintf("202%d-%02d-%02d", rapid.IntRange(4, 6).Draw(t, "year"), 1+n%12, 1+n%28)
		of := fmt.Sprintf("%s part %d", strings.NewReplacer("/", " ", ".", " ").Replace(name), n)
		b.WriteString(rapid.SampledFrom([]string{
			"## [" + date + "] Entry " + of + "\n", "## " + date + ": entry " + of + "\n\n", "## Topic of " + of + "\n\n", "# Title of " + of + "\n", "Setext of " + of + "\n---\n",
			"- " + date + ": item " + of + "\n", "- [" + date + "] item " + of + "\n  goes on in " + of + "\n", "- " + date + " item with code of " + of + "\n```\ncode of " + of + "\n```\n",
			"- **" + date + "** item " + of + "\n\n  - below it " + of + "\n", "Paragraph of " + of + "\n", "---\n", "\n", "<!-- a comment of " + of + " -->\n", "```\n# no heading " + of + "\n", "- item without a date " + of + "\n", "See [x](journal.md) for " + of + "\n",
			"## Status of " + of + " ✅\n", "Status: done\n", "Status: ✅\n", "Key points: what " + of + " came to\n", "Follow-up:\n- [ ] ask about " + of + "\n", "→ Details: docs/x.md\n", "## [" + date + "] Done " + of + "\nStatus: ✅ done\n",
		}).Draw(t, "part"))
		for i := range rapid.SampledFrom([]int{0, 0, 1, 3, 12, 60, 160}).Draw(t, "lines") {
			fmt.Fprintf(&b, "- line %d of %s\n", i, of)
		}
	}
	return []byte(strings.ReplaceAll(b.String(), "\n", eol))
}

// TestFormatArchives has the archive and the summary of a journal that is too long.
func TestFormatArchives(t *testing.T) {
	text := "---\nlast_updated: 2026-10-04\ntopics: [bugs]\n---\n\n# Debug journal\n"
	for i := range 40 {
		text += fmt.Sprintf("\n## [202%d-%02d-11] Fault %d of the importer\n\n- it stood still\n- and was started again\n", 5+i/20, 1+i%12, i)
	}
	p, _ := memdir.Named("table")
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Bytes: []byte("| File | What it has | Last Updated |\n| --- | --- | --- |\n| [debug-journal](debug-journal.md) | what broke and why | 2026-10-04 |\n")},
		{Path: "debug-journal.md", Bytes: []byte(text)},
	}}
	after := formats(t, d, p)
	file := func(name string) string {
		i := slices.IndexFunc(after.Files, func(f memdir.File) bool { return f.Path == name })
		if i < 0 {
			t.Fatalf("no %s in %s", name, dump(after))
		}
		return string(after.Files[i].Bytes)
	}
	if n := bytes.Count([]byte(file("debug-journal.md")), []byte("\n")); n > 150 || n < 140 {
		t.Errorf("%d lines are left", n)
	}
	want := "## Archived: 2025\n- 13 entries, 2025-01-11 to 2025-07-11\n- About: Fault 0 of the importer; Fault 1 of the importer; Fault 2 of the importer; Fault 3 of the importer; Fault 4 of the importer; Fault 5 of the importer; Fault 6 of the importer; Fault 12 of the importer; …\n- Whole: [debug-journal-archive-2025](archive/debug-journal-archive-2025.md)\n"
	if !strings.HasSuffix(file("debug-journal.md"), want) {
		t.Errorf("ends in %q", file("debug-journal.md")[len(file("debug-journal.md"))-400:])
	}
	if a := file("archive/debug-journal-archive-2025.md"); !strings.HasPrefix(a, "# debug-journal-archive-2025\n\nFrom debug-journal.md, word for word.\n\n## [2025-01-11] Fault 0 of the importer\n\n- it stood still\n") {
		t.Errorf("archived %q", a[:200])
	}
}
