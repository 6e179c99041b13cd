package memdir_test

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memdir"
)

// TestDatesAbsolute has lines that were committed on Tuesday, 2026-11-10, and what
// becomes of them. What may mean two days stays, and so does what is only meant.
func TestDatesAbsolute(t *testing.T) {
	written := time.Date(2026, 11, 10, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"Yesterday it broke.":                       "On 2026-11-09 it broke.",
		"We kept it today, until tomorrow.":         "We kept it on 2026-11-10, until 2026-11-11.",
		"Yesterday's build failed.":                 "2026-11-09's build failed.",
		"Broken since last week; due next month.":   "Broken since the week of 2026-11-02; due in 2026-12.",
		"It began last year and ends next quarter.": "It began in 2025 and ends in 2027-Q1.",
		"Seen last night, fixed this morning.": "Seen in the night to 2026-11-10, fixed on the " +
			"morning of 2026-11-10.",
		"Moved two days ago, planned 3 weeks ago.": "Moved on 2026-11-08, planned around 2026-10-20.",
		"It ran ten hours ago.":                    "It ran on 2026-11-09.",
		"Due by Thursday.":                         "Due by 2026-11-12.",
		"Broken since Monday.":                     "Broken since 2026-11-09.",
		"Look again next Monday.":                  "Look again on 2026-11-16.",
		// that of this week, or of the next
		"Look again next Friday.":                      "Look again next Friday.",
		"Look again last Monday.":                      "Look again last Monday.",
		"It broke last Friday.":                        "It broke on 2026-11-06.",
		"It was done by Thursday.":                     "It was done by Thursday.",
		"Due by Tuesday.":                              "Due by Tuesday.",
		"The demo is on Tuesday.":                      "The demo is on Tuesday.",
		"Next March it moves, last December it came.":  "In 2027-03 it moves, in 2025-12 it came.",
		"Slow since last March.":                       "Slow since last March.",
		"It was recently moved; next sprint it goes.":  "It was recently moved; next sprint it goes.",
		"- 2026-10-02: yesterday it hung":              "- 2026-10-02: on 2026-10-01 it hung",
		"## 2026-03-04 Move\n\nYesterday it moved.":    "## 2026-03-04 Move\n\nOn 2026-03-03 it moved.",
		"Yesterday it moved.\n\n_Updated: 2026-05-02_": "On 2026-05-01 it moved.\n\n_Updated: 2026-05-02_",
		"- 2026-10-02: maybe next week it goes":        "- 2026-10-02: maybe next week it goes",
		"The contract of 2024-03-01: Acme left it yesterday": "The contract of 2024-03-01: Acme left it on " +
			"2026-11-09",
		"- 2026-01-26: due 2026-02-10: send it tomorrow": "- 2026-01-26: due 2026-02-10: send it on " +
			"2026-01-27",
		"## 2025-12-02 plan\n\nWe ship tomorrow.": "## 2025-12-02 plan\n\nWe ship on 2026-11-11.",
		"Plan: release tomorrow.":                 "Plan: release tomorrow.",
		"Hmm, it hung yesterday.":                 "Hmm, it hung yesterday.",
		`He said "yesterday".`:                    `He said "yesterday".`,
		"Ada said \"it broke\nyesterday, and today\nit runs\". Yesterday it hung.": "Ada said \"it broke\n" +
			"yesterday, and today\nit runs\". On 2026-11-09 it hung.",
		"- Ada said “it broke\n  yesterday”.\n- It broke yesterday.": "- Ada said “it broke\n  " +
			"yesterday”.\n- It broke on 2026-11-09.",
		"> It broke\nyesterday, they say.":     "> It broke\nyesterday, they say.",
		"> It broke\n\nYesterday it ran.":      "> It broke\n\nOn 2026-11-09 it ran.",
		"The 5\" disk broke\nyesterday.":       "The 5\" disk broke\non 2026-11-09.",
		"It didn't run,\nyesterday it didn't.": "It didn't run,\non 2026-11-09 it didn't.",
		"Run `git log\n--since yesterday` when it broke today.": "Run `git log\n--since yesterday` when it " +
			"broke on 2026-11-10.",
	} {
		const head = "---\nname: a\ndescription: What a memory of days is about\ntype: user\n---\n\n"
		d := memdir.Dir{Now: now, Files: []memdir.File{
			{Path: memdir.Index, Bytes: []byte("- [A](a.md) — days of the importer\n")},
			{Path: "a.md", Bytes: []byte(head + text + "\n"), Modified: written.AddDate(0, 0, 3)},
		}}
		for range strings.Count(head+text, "\n") + 1 {
			d.Files[1].Written = append(d.Files[1].Written, written)
		}
		got := text
		for _, e := range memdir.Format(d, memdir.Profiles()[0]).Plan.Edits {
			got = strings.TrimSuffix(strings.TrimPrefix(string(e.After), head), "\n")
		}
		if got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}

	// Neither the time of the file nor its frontmatter says of which day a line is, nor does the entry above.
	for _, c := range []struct {
		file memdir.File
		want string
	}{
		{memdir.File{Written: []time.Time{written.AddDate(0, -1, 0)}, Modified: written}, "On 2026-10-09"},
		{memdir.File{Written: []time.Time{{}}, Modified: written}, "Yesterday"},
		{memdir.File{}, "Yesterday"},
		{memdir.File{Written: []time.Time{written}, Modified: written.AddDate(0, -3, 0)}, "Yesterday"},
		{memdir.File{Modified: written, Bytes: []byte("---\nlast_updated: 2026-11-10\n---\n# A\n\n" +
			"Yesterday it broke.\n")}, "Yesterday"},
		{memdir.File{Modified: written, Bytes: []byte("# A\n\n## 2026-11-10\n\nIt came.\n\n## Other\n\n" +
			"Yesterday it broke.\n")}, "Yesterday"},
		{memdir.File{Modified: written, Bytes: []byte("# A\n\nYesterday it broke.\n\nIt came.\n\n" +
			"_Updated: 2026-11-10_\n")}, "Yesterday"},
	} {
		c.file.Path = "user/profile.md"
		if c.file.Bytes == nil {
			c.file.Bytes = []byte("# A\nYesterday it broke.\n")
		}
		if len(c.file.Written) > 0 {
			c.file.Written = append([]time.Time{{}}, c.file.Written...)
		}
		p, _ := memdir.Named("density")
		got := string(c.file.Bytes)
		for _, e := range memdir.Format(memdir.Dir{Now: now, Files: []memdir.File{c.file}}, p).Plan.Edits {
			if e.Path == c.file.Path {
				got = string(e.After)
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestDaysToCome: a line is not of the day that it is about, a guess is of no day, and neither is what is so
// every day. The stamp right below a line counts more than the heading above it.
func TestDaysToCome(t *testing.T) {
	const release = "## Release on 2026-12-01\n\nYesterday we cut it."
	for _, c := range [][2]string{
		{"- 2026-12-24 is the deadline. Today we began."},
		{"- 2026-08-01: go live, agreed yesterday with Bob"},
		{"- 2099-05-04: moved yesterday"},
		{"- 2026-05-04: planned: cut over tomorrow"},
		{"- 2026-05-04: we want to cut over tomorrow"},
		{"- 2026-05-04: did it break yesterday?"},
		{"- 2026-05-04: the job deletes files older than yesterday"},
		{"- 2026-05-04: moved to heron yesterday", "- 2026-05-04: moved to heron on 2026-05-03"},
		{release},
		{release + "\n\n_Updated: 2026-05-06_", "On 2026-05-05 we cut it."},
	} {
		line, want := c[0], c[1]
		d := memdir.Dir{Now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), Files: []memdir.File{
			{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- [A](a.md) — what A is about\n")},
			{Path: "a.md", Modified: time.Date(2026, 5, 7, 9, 0, 0, 0, time.UTC),
				Bytes: []byte("---\nname: a\ndescription: What A is about\nmetadata:\n  type: project\n" +
					"---\n\n" + line + "\n")},
		}}
		got := ""
		for _, e := range memdir.Format(d, memdir.Detect(d.Files)).Plan.Edits {
			if e.Path == "a.md" {
				got = string(e.After)
			}
		}
		if (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s\n got %s", line, got)
		}
	}
}
