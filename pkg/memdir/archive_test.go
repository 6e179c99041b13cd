package memdir_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/memdir"
)

// TestFormatLong formats directories whose topic files are too long.
func TestFormatLong(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := memdir.Dir{Now: now,
			Files: []memdir.File{{Path: "MEMORY.md",
				Bytes: []byte("| File | What it has | Last Updated |\n| --- | --- | --- |\n|" +
					" [journal](journal.md) | what broke and why | 2026-10-04 |\n"),
				Modified: now.AddDate(0, 0, -10)}}}
		for _, name := range []string{"journal.md", "deep/journal.md", "notes.md",
			"archive/journal-archive-2025.md"} {
			if name == "journal.md" || rapid.Bool().Draw(t, name) {
				d.Files = append(d.Files,
					memdir.File{Path: name, Bytes: long(t, name), Modified: now.AddDate(0, 0, -10)})
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
		b.WriteString("---\nlast_updated: 2026-10-04\ntopics: [x]\nname: n\ndescription: what this one is " +
			"about\ntype: project\n---\n# Journal\n")
	}
	n := 0
	for range rapid.IntRange(1, 30).Draw(t, "parts of "+name) {
		n++
		date := fmt.Sprintf("202%d-%02d-%02d", rapid.IntRange(4, 6).Draw(t, "year"), 1+n%12, 1+n%28)
		of := fmt.Sprintf("%s part %d", strings.NewReplacer("/", " ", ".", " ").Replace(name), n)
		b.WriteString(rapid.SampledFrom([]string{
			"## [" + date + "] Entry " + of + "\n", "## " + date + ": entry " + of + "\n\n", "## Topic of " +
				of + "\n\n", "# Title of " + of + "\n", "Setext of " + of + "\n---\n",
			"- " + date + ": item " + of + "\n", "- [" + date + "] item " + of + "\n  goes on in " + of +
				"\n", "- " + date + " item with code of " + of + "\n```\ncode of " + of + "\n```\n",
			"- **" + date + "** item " + of + "\n\n  - below it " + of + "\n", "Paragraph of " + of + "\n",
			"---\n", "\n", "<!-- a comment of " + of + " -->\n", "```\n# no heading " + of + "\n",
			"- item without a date " + of + "\n", "See [x](journal.md) for " + of + "\n",
			"## Status of " + of + " ✅\n", "Status: done\n", "Status: ✅\n", "**Status:** in progress 🔄\n",
			"status: not done\n", "Key points: what " + of + " came to\n", "Follow-up:\n- [ ] ask about " +
				of + "\n", "→ Details: docs/x.md\n", "## [" + date + "] Done " + of + "\nStatus: ✅ done\n",
		}).Draw(t, "part"))
		for i := range rapid.SampledFrom([]int{0, 0, 1, 3, 12, 60, 160}).Draw(t, "lines") {
			said := []string{"", " came", " must stay"}[rapid.IntRange(0, 2).Draw(t, "said")]
			fmt.Fprintf(&b, "- line %d of %s%s\n", i, of, said)
		}
	}
	return []byte(strings.ReplaceAll(b.String(), "\n", eol))
}

// TestFormatArchives has the archive and the summary of a journal that is too long.
func TestFormatArchives(t *testing.T) {
	text := "---\nlast_updated: 2026-10-04\ntopics: [bugs]\n---\n\n# Debug journal\n"
	for i := range 40 {
		text += fmt.Sprintf("\n## [202%d-%02d-11] Fault %d of the importer\n\n- it stood still\n- and was "+
			"started again\n", 5+i/20, 1+i%12, i)
	}
	p, _ := memdir.Named("table")
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md",
			Bytes: []byte("| File | What it has | Last Updated |\n| --- | --- | --- |\n|" +
				" [debug-journal](debug-journal.md) | what broke and why | 2026-10-04 |\n")},
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
	want := "## Archived: 2025\n- 13 entries, 2025-01-11 to 2025-07-11\n- About: Fault 0 of the importer; " +
		"Fault 1 of the importer; Fault 2 of the importer; Fault 3 of the importer; Fault 4 of the " +
		"importer; Fault 5 of the importer; Fault 6 of the importer; Fault 12 of the importer; …\n- Whole: " +
		"[debug-journal-archive-2025](archive/debug-journal-archive-2025.md)\n"
	if !strings.HasSuffix(file("debug-journal.md"), want) {
		t.Errorf("ends in %q", file("debug-journal.md")[len(file("debug-journal.md"))-400:])
	}
	if a := file("archive/debug-journal-archive-2025.md"); !strings.HasPrefix(a,
		"# debug-journal-archive-2025\n\nFrom debug-journal.md, word for word.\n\n## [2025-01-11] Fault 0 "+
			"of the importer\n\n- it stood still\n") {
		t.Errorf("archived %q", a[:200])
	}
}

// TestUpkeepAny puts away what is due: no statement is lost, no index gets worse
// and no file longer than it may be, and the second time nothing is to be done.
func TestUpkeepAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		index := "- [Journal](journal.md) — what broke and why\n- [The day](2026-11-01.md) — what happened " +
			"on that day\n"
		d := memdir.Dir{Now: now,
			Files: []memdir.File{{Path: "MEMORY.md", Bytes: []byte(index), Modified: now}}}
		for _, name := range []string{"journal.md", "deep/notes.md", "2026-11-01.md", "2026-11-19.md",
			"2025-01-02.md", "archive/2026-11/2026-11-01.md", "archive/journal-archive-2025.md",
			"user/events/2026-05-x.md", "memory/INDEX.md", "memory/2026-11-02.md"} {
			if rapid.Bool().Draw(t, name) {
				d.Files = append(d.Files,
					memdir.File{Path: name, Bytes: long(t, name), Modified: now.AddDate(0, 0, -10)})
			}
		}
		if i := slices.IndexFunc(d.Files, func(f memdir.File) bool {
			return f.Path == "deep/notes.md"
		}); i >= 0 && rapid.Bool().Draw(t, "done") {
			d.Files[i].Bytes = append([]byte("---\nstatus: done\nname: n\n---\n"),
				bytes.ReplaceAll(d.Files[i].Bytes, []byte("---\n"), nil)...)
		}
		slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
		p := rapid.SampledFrom(memdir.Profiles()).Draw(t, "profile")
		k := memdir.Upkeep(d, p)
		if err := k.Plan.Validate(); err != nil {
			t.Fatalf("%v", err)
		}
		after := applied(t, d, k.Plan)
		says(t, d, after)
		held(t, d, after)
		if again := memdir.Upkeep(after, p); len(again.Plan.Edits) > 0 {
			t.Errorf("a second time: %s\n%s\n%s", list(again.Plan), dump(after),
				dump(applied(t, after, again.Plan)))
		}
		count := func(d memdir.Dir) map[string]int {
			n := map[string]int{}
			for _, f := range memdir.Lint(d, p) {
				n[f.Rule]++
			}
			return n
		}
		was, is := count(d), count(after)
		for _, rule := range []string{"pointer-dangling", "orphan", "head-broken", "head-key", "head-missing",
			"index-cut", "topic-long"} {
			if is[rule] > was[rule] {
				t.Errorf("%s: %d, %d before\n%s", rule, is[rule], was[rule], dump(after))
			}
		}
	})
}

// TestUpkeep has what becomes of topics that are done, and of those that look it.
func TestUpkeep(t *testing.T) {
	const details = "- it stood still\n- the queue was full\n- the consumer had died\n- it was started " +
		"again\n- and watched for a day\n- no message was lost\n"
	for _, c := range []struct{ name, topic, want, archive string }{
		{"done",
			"## [2026-05-02] The queue\nStatus: ✅ done\nKey points: the consumer dies on a bad message.\n" +
				details + "Follow-up:\n- [ ] tell Ada\n\n## [2026-05-03] Next\ntext\n",
			"## [2026-05-02] The queue\nStatus: ✅ done\nKey points: the consumer dies on a bad " +
				"message.\n\nFollow-up:\n- [ ] tell Ada\n\n→ Details: " +
				"[t-archive-2026](archive/t-archive-2026.md)\n\n## [2026-05-03] Next\ntext\n",
			"# t-archive-2026\n\nFrom t.md, word for word.\n\n## [2026-05-02] The queue\nStatus: ✅ " +
				"done\nKey points: the consumer dies on a bad message.\n" + details +
				"Follow-up:\n- [ ] tell Ada\n"},
		{"mark", "## [2025-05-02] The queue ✅\n\n" + details,
			"## [2025-05-02] The queue ✅\nStatus: done ✅\nKey points: it stood still\n→ Details: " +
				"[t-archive-2025](archive/t-archive-2025.md)\n",
			"# t-archive-2025\n\nFrom t.md, word for word.\n\n## [2025-05-02] The queue ✅\n\n" + details},
		{"file",
			"---\nstatus: done\nlast_updated: 2025-03-01\n---\n# The move\n\nWe moved to Go. It took a " +
				"month.\n\n" + details + "\n## Why\n\nSpeed.\n",
			"---\nstatus: done\nlast_updated: 2025-03-01\n---\n# The move\n\nStatus: done ✅\n\nWe moved to " +
				"Go. It took a month.\n\n## Why\n\nSpeed.\n\n→ Details: " +
				"[t-archive-2025](archive/t-archive-2025.md)\n",
			"# t-archive-2025\n\nFrom t.md, word for word.\n\n## [2025-03-01] The move\n\n# The move\n\nWe " +
				"moved to Go. It took a month.\n\n" + details + "\n## Why\n\nSpeed.\n"},
		{"in progress", "## [2026-05-02] The queue ✅\nStatus: 🔄 in progress\n" + details, "", ""},
		{"not quite", "## [2026-05-02] The queue\nStatus: done except the docs\n" + details, "", ""},
		{"short already",
			"## [2026-05-02] The queue\nStatus: done\nKey points: it stood still\nand was started " +
				"again\nDecision: none\nFollow-up: none\n→ Details: x.md\n", "", ""},
		{"no shorter",
			"## [2026-05-02] The queue\nStatus: done\nDecision: a limit\nand a second one\nand a " +
				"third\nFollow-up: none\nit stood still\n", "", ""},
		{"no topic", "## The queue\nStatus: done\n" + details, "", ""},
		{"code", "## [2026-05-02] The queue\n```\nStatus: done\n```\n" + details, "", ""},
	} {
		p, _ := memdir.Named("table")
		d := memdir.Dir{Now: now, Files: []memdir.File{{Path: "t.md", Bytes: []byte(c.topic)}}}
		k := memdir.Upkeep(d, p)
		after := applied(t, d, k.Plan)
		if c.want == "" {
			if len(k.Acts) > 0 || len(k.Plan.Edits) > 0 {
				t.Errorf("%s: %v", c.name, k.Acts)
			}
			continue
		}
		if len(k.Acts) != 1 || len(after.Files) != 2 {
			t.Fatalf("%s: %v", c.name, k.Acts)
		}
		if got := string(after.Files[1].Bytes); got != c.want {
			t.Errorf("%s: left\n%s", c.name, got)
		}
		if got := string(after.Files[0].Bytes); got != c.archive {
			t.Errorf("%s: archived\n%s", c.name, got)
		}
	}
}

// TestUpkeepLinks has where the links of what is put away lead, and those to it.
func TestUpkeepLinks(t *testing.T) {
	files := map[string]string{
		"MEMORY.md": "- [Journal](journal.md) — what broke and why\n- [Notes](deep/notes.md) — of the " +
			"importer\n- [The day](2026-11-01.md) — what happened\n",
		"2026-11-01.md": "- see [the journal](journal.md#queue), [a page](https://x.y/journal.md) and ![a " +
			"picture](a.png)\n",
		"deep/notes.md": "The day is [told](../2026-11-01.md), and [told](2026-11-01.md) again.\n\n## " +
			"[2026-05-02] The feed ✅\n- one came\n- two came\n- three came\n- four came\n" +
			"- five came by [the other](other.md)\n- six came by [the journal](journal.md)\n",
		"deep/other.md": "---\nname: other\ndescription: how the feed was read before\ntype: " +
			"reference\n---\n\nBy hand.\n",
		"journal.md": "---\nname: journal\ndescription: what broke in the importer\ntype: " +
			"reference\n---\n\nNothing.\n",
	}
	for _, name := range []string{"agent/cases/outage.md", "user/events/2026-11-outage.md",
		"archive/2026-10/2026-10-01.md", "blackboard/projects/shop.md", "2026-11-20.md", "2026-11-02.md"} {
		up := strings.Repeat("../", strings.Count(name, "/"))
		files[name] = "It was [that day](" + up + "2026-11-01.md#night), not `[x](2026-11-01.md)`.\n\n" +
			"[d]: " + up + "2026-11-01.md\n"
	}
	d := memdir.Dir{Now: now}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d.Files = append(d.Files, memdir.File{Path: name, Bytes: []byte(files[name]), Modified: now})
	}
	p, _ := memdir.Named("pointer")
	after := applied(t, d, memdir.Upkeep(d, p).Plan)
	for name, want := range map[string]string{
		"archive/2026-11/2026-11-01.md": "[the journal](../../journal.md#queue), [a " +
			"page](https://x.y/journal.md) and ![a picture](../../a.png)\n",
		"archive/deep-notes-archive-2026.md": "- five came by [the other](../deep/other.md)\n- six " +
			"came by [the " +
			"journal](../journal.md)\n",
		"deep/notes.md": "is [told](../archive/2026-11/2026-11-01.md), and " +
			"[told](archive/2026-11/2026-11-01.md) again.\n",
		"agent/cases/outage.md": "It was [that day](../../archive/2026-11/2026-11-01.md#night), not " +
			"`[x](2026-11-01.md)`.\n\n[d]: ../../archive/2026-11/2026-11-01.md\n",
		"user/events/2026-11-outage.md": "[that day](../../archive/2026-11/2026-11-01.md#night)",
		"archive/2026-10/2026-10-01.md": "[that day](../2026-11/2026-11-01.md#night)",
		"blackboard/projects/shop.md":   "[that day](../../archive/2026-11/2026-11-01.md#night)",
		"2026-11-20.md":                 "[that day](archive/2026-11/2026-11-01.md#night)",
		"archive/2026-11/2026-11-02.md": "[that day](2026-11-01.md#night)",
		// only what went away led there
		"MEMORY.md": "- [Other](deep/other.md) — how the feed was read before\n",
	} {
		i := slices.IndexFunc(after.Files, func(f memdir.File) bool { return f.Path == name })
		if i < 0 || !strings.Contains(string(after.Files[i].Bytes), want) {
			t.Errorf("%s is not with %q in\n%s", name, want, dump(after))
		}
	}
}

// TestDue has which logs are due by their names alone.
func TestDue(t *testing.T) {
	got := memdir.Due([]string{"2026-11-12.md", "2026-11-13.md", "2026-11-12-x.md", "logs/2026-01-01.md",
		"archive/2026-01/2026-01-01.md", "MEMORY.md"}, now)
	if fmt.Sprint(got) != "[2026-11-12.md]" {
		t.Error(got)
	}
	if got := memdir.Due([]string{"memory/2026-11-02.md", "memory/INDEX.md", "MEMORY.md"},
		now); len(got) != 1 {
		t.Error(got)
	}
}

// TestUpkeepBeforeSetext has a heading that is underlined right below a topic that is
// done: what stays of the topic doesn't swallow it.
func TestUpkeepBeforeSetext(t *testing.T) {
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: memdir.Index, Bytes: []byte("- [Journal](journal.md) — what broke and why\n")},
		{Path: "journal.md", Modified: now,
			Bytes: []byte("## [2024-02-14] Queue\nStatus: ✅ done\n\nFollow-up: ask Ada\nabout the " +
				"size\n\n- one came\n- two came\n- three came\n- four came\n---\nNext topic\n---\n- a line " +
				"of the next topic\n")},
	}}
	p, _ := memdir.Named("pointer")
	k := memdir.Upkeep(d, p)
	after := applied(t, d, k.Plan)
	if len(k.Acts) != 1 || len(memdir.Upkeep(after, p).Acts) != 0 {
		t.Errorf("%v, and a second time %v\n%s", k.Acts, memdir.Upkeep(after, p).Acts, dump(after))
	}
}

// TestUpkeepDefinitions has definitions of links in the section that is archived, and outside of it. Both
// sides keep those that they use, written from where they stand.
func TestUpkeepDefinitions(t *testing.T) {
	const done = "## [2026-01-02] Move the queue\n\nStatus: done\n\nAda led it with [the guide][a].\n" +
		"Two went.\nThree went by [the way][o].\nFour went [below](#below).\nFive went.\nSix went.\n\n" +
		"[a]: docs/guide.md \"how\"\n[b]: other.md\n\n"
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md",
			Bytes: []byte("- [Queue](queue.md) — how jobs wait\n- [Other](other.md) — what else\n")},
		{Path: "other.md", Bytes: []byte("Else.\n")},
		{Path: "queue.md", Bytes: []byte(done + "## Below\n\nMore in [b].\n\n[o]: ../out.md\n")}}}
	p, _ := memdir.Named("pointer")
	got := map[string]string{}
	for _, e := range memdir.Upkeep(d, p).Plan.Edits {
		got[e.Path] = string(e.After)
	}
	archive := got["archive/queue-archive-2026.md"]
	for _, want := range []string{"[a]: ../docs/guide.md \"how\"\n", "[b]: ../other.md\n",
		"[o]: ../../out.md\n",
		"[below](../queue.md#below)"} {
		if !strings.Contains(archive, want) {
			t.Errorf("the archive lacks %q:\n%s", want, archive)
		}
	}
	if topic := got["queue.md"]; !strings.Contains(topic, "\n[b]: other.md\n") ||
		strings.Contains(topic, "[a]:") {
		t.Errorf("the topic file:\n%s", topic)
	}
}
