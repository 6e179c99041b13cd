package memdir_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memdir"
)

// TestLimits has for each rule with a number the last directory that passes and
// the first that doesn't.
func TestLimits(t *testing.T) {
	section := "## a\n\n" + strings.Repeat("- one\n", 6) // one that is worth a file
	lines := func(n int) string { return strings.Repeat("# x\n", n) }
	index := func(text string) memdir.Dir {
		return memdir.Dir{Now: now, Files: []memdir.File{{Path: memdir.Index, Bytes: []byte(text)}}}
	}
	file := func(path, text string, modified time.Time) memdir.Dir {
		return memdir.Dir{Now: now,
			Files: []memdir.File{{Path: path, Bytes: []byte(text), Modified: modified}}}
	}
	head := "---\nname: a\ndescription: what a is about here\ntype: project\n---\n"
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	dated := func(days int) string {
		return "---\nlast_updated: " + ago(days).Format(time.DateOnly) + "\ntopics: [a]\n---\ntext\n"
	}
	hook := func(n int) string {
		return "- [T](a.md) — " + strings.Repeat("é", n-len("- [T](a.md) — ")+2) + "\n"
	}
	for _, c := range []struct {
		rule, profile string
		good, bad     memdir.Dir
	}{
		{"index-cut", "pointer", index(lines(200)), index(lines(201))},
		{"index-cut", "table", index(strings.Repeat("#\n", 49) + strings.Repeat("x", 25_000-98)),
			index(strings.Repeat("#\n", 49) + strings.Repeat("x", 25_001-98))},
		{"index-long", "density", index(lines(29)), index(lines(30))},
		{"index-long", "table", index(lines(49)), index(lines(50))},
		{"hook-long", "pointer", index(hook(200)), index(hook(201))},
		{"topic-long", "pointer", file("a.md", head+lines(195), now), file("a.md", head+lines(196), now)},
		{"topic-long", "table", file("a.md", lines(150), now), file("a.md", lines(151), now)},
		{"date-old", "pointer", file("a.md", head+"x", ago(90)), file("a.md", head+"x", ago(91))},
		{"date-old", "table", file("a.md", dated(90), now), file("a.md", dated(91), now)},
		{"date-old", "density", file("user/entities/a.md", "# A\n", ago(90)),
			file("user/entities/a.md", "# A\n", ago(91))},
		{"head-date", "table", file("a.md", dated(-1), now), file("a.md", dated(-2), now)},
		{"log-old", "density", file(ago(7).Format(time.DateOnly)+".md", "x", now),
			file(ago(8).Format(time.DateOnly)+".md", "x", now)},
		{"layer-long", "density", file("INDEX.md", strings.Repeat("word ", 1000), now),
			file("INDEX.md", strings.Repeat("word ", 1001), now)},
		{"topic-giant", "pointer", file("notes.md", strings.Repeat(section, 3), now),
			file("notes.md", strings.Repeat(section, 4), now)},
		{"topic-giant", "table", file("a.md", strings.Repeat("## a\n", 150), now),
			file("a.md", strings.Repeat("## a\n", 151), now)},
		{"append-only", "density", file("user/events/2026-05-a.md", "# A\n_Updated: 2026-06-30_\n", now),
			file("user/events/2026-05-a.md", "# A\n_Updated: 2026-07-01_\n", now)},
		{"append-only", "density",
			file("agent/cases/a.md", "# A\n_Updated: 2026-06-30_\n_Written by: scout 2026-06-30_\n", now),
			file("agent/cases/a.md", "# A\n_Updated: 2026-06-30_\n_Updated: 2026-07-01_\n", now)},
		{"date-relative", "pointer", file("2026-11-19.md", "It broke yesterday.\n", now),
			file("2026-11-19-a.md", "It broke yesterday.\n", now)},
	} {
		p, _ := memdir.Named(c.profile)
		for i, d := range []memdir.Dir{c.good, c.bad} {
			found := slices.ContainsFunc(memdir.Lint(d, p), func(f memdir.Finding) bool {
				return f.Rule == c.rule
			})
			if found != (i == 1) {
				t.Errorf("%s, %s: found is %v in %s", c.rule, c.profile, found,
					fmt.Sprintf("%.80q", d.Files[0].Bytes))
			}
		}
	}
}
