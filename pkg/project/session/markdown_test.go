package session

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// TestNotes: what is ours of a directory of memories lies in the state home, one place
// for one directory, whatever link leads there.
func TestNotes(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	top := t.TempDir()
	dir, linked := filepath.Join(top, "new", "memory"), filepath.Join(top, "linked")
	if err := s.Notes(dir).Apply(t.Context(),
		planOfOne(plan.Edit{Path: "a.md", Verb: plan.Create, After: []byte("a")})); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, linked); err != nil {
		t.Fatal(err)
	}
	if err := s.Notes(linked).Apply(t.Context(),
		planOfOne(plan.Edit{Path: "a.md", Verb: plan.Update, Before: plan.DigestOf([]byte("a")),
			After: []byte("b")})); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := s.Notes(dir).History(func(store.Applied) bool { n++; return true }, nil); err != nil || n != 2 {
		t.Errorf("%d plans, %v", n, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("not only a.md: %v, %v", entries, err)
	}
	if kept, err := filepath.Glob(filepath.Join(s.Dirs.State, "notes", "memory-*", ".history",
		"*.json")); err != nil || len(kept) != 2 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

func planOfOne(e plan.Edit) plan.Plan { return plan.Plan{Edits: []plan.Edit{e}} }

// TestMarkdown finds the line that answers, in whatever form the file is, and says
// what was left out.
func TestMarkdown(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for name, text := range map[string]string{
		"MEMORY.md": "# Memory\n\n- [Billing](billing.md) — how invoices are " +
			"retried\n- [Gone](gone.md) — the walrus protocol\n",
		"billing.md": "\xef\xbb\xbf---\r\nname: billing\r\ndescription: how invoices " +
			"are retried\r\ntype: project\r\nlast_updated: 2026-08-01\r\n---\r\n# Billing\r\n\r\n## " +
			"Retries\r\n\r\nAn invoice is retried 3 times.\r\n",
		"crane.md": "---\nname: crane\ndescription: where the crane stands\ntype: " +
			"reference\nlast_updated: 2026-11-01\n---\n",
		"user.md": "---\nname: user\ntype: user\n---\n\nPrefers short answers about " +
			"otters.\n",
		"okapi.md":         "Animals\n=======\n\nOkapi\n-----\n\nThe okapi sleeps at noon.\n",
		"2026-11-01.md":    "# Log\n\n- 09:00 fixed the heron\n",
		"archive/heron.md": "no frontmatter, on the old pelican\n",
		"zebrafish.md":     "\n\nnothing of that word in here\n",
		".learnings/LEARNINGS.md": "# Learnings\n\n## [2026-11-02] Count first\n\n- **Lesson**: the " +
			"pangolin is counted twice\n",
		".learnings/other.md":           "hidden walrus\n",
		"deep/er/and/deep/er/walrus.md": "walrus\n",
	} {
		path := filepath.Join(s.Config.Memdir.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644),
			os.Chtimes(path, now, now)); err != nil {
			t.Fatal(err)
		}
	}
	type answer struct {
		line          int
		heading, text string
		stale         bool
	}
	for q, want := range map[string]map[string]answer{
		"how often is an invoice retried": {"billing.md": {11, "Retries", "An invoice is retried 3 times.",
			true}},
		"crane":  {"crane.md": {3, "", "where the crane stands", false}},
		"otters": {"user.md": {6, "", "Prefers short answers about otters.", false}},
		"walrus": {"MEMORY.md": {4, "Memory",
			"[Gone](gone.md) — the walrus protocol", false}},
		"heron": {"2026-11-01.md": {3, "Log", "09:00 fixed the heron", false},
			"archive/heron.md": {1, "", "no frontmatter, on the old pelican", false}},
		"zebrafish": {"zebrafish.md": {3, "", "nothing of that word in here", true}},
		"pangolin": {".learnings/LEARNINGS.md": {5, "[2026-11-02] Count first",
			"**Lesson**: the pangolin is counted twice", false}},
		"retries":      {"billing.md": {11, "Retries", "An invoice is retried 3 times.", true}},
		"okapi sleeps": {"okapi.md": {7, "Okapi", "The okapi sleeps at noon.", true}},
		"quokka":       {},
	} {
		found, err := s.Markdown(q, 5, now, func(path, why string) { t.Errorf("left out %s: %s", path, why) })
		got := map[string]answer{}
		for _, p := range found {
			name, _ := filepath.Rel(s.Config.Memdir.Dir, p.Path)
			got[name] = answer{p.Line, p.Heading, p.Text, p.Stale}
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", q, got, err, want)
		}
	}
	found, err := s.Markdown("invoice otters crane heron", 2, now, nil)
	if err != nil || len(found) != 2 || found[0].Score < found[1].Score {
		t.Errorf("%v, %v", found, err)
	}
	if err := os.WriteFile(filepath.Join(s.Config.Memdir.Dir, "large.md"),
		[]byte(strings.Repeat("x", 600<<10)), 0o644); err != nil {
		t.Fatal(err)
	}
	var passed []string
	if _, err := s.Markdown("otters", 5, now, func(path, _ string) {
		passed = append(passed, filepath.Base(path))
	}); err != nil || !slices.Equal(passed, []string{"large.md"}) {
		t.Errorf("left out %v, %v", passed, err)
	}
	s.Config.Memdir.Dir = filepath.Join(s.Config.Memdir.Dir, "none")
	if found, err := s.Markdown("otters", 5, now, nil); err != nil || len(found) > 0 {
		t.Errorf("no directory: %v, %v", found, err)
	}
}

// TestMarkdownCurrentFirst: what is comes before what a log or an archive says was.
func TestMarkdownCurrentFirst(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	for name, text := range map[string]string{
		"archive/jobs-archive-2025.md": "# Jobs\n\nThe retry policy of jobs was five tries.\n",
		"2026-11-01.md":                "# 2026-11-01\n\n- 09:00 note: retry policy of jobs\n",
		"jobs.md":                      "# Jobs\n\n## Retry policy\n\nThree tries, then the job is dead.\n",
	} {
		path := filepath.Join(s.Config.Memdir.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.Markdown("retry policy of jobs", 2, time.Now(), nil)
	if err != nil || len(found) != 2 || found[0].Past || found[0].Line != 5 || !found[1].Past {
		t.Errorf("%+v, %v", found, err)
	}
}

// memories opens a session with a directory of Markdown memories.
func memories(t *testing.T, files map[string]string) *Session {
	t.Helper()
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(s.Config.Memdir.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestMarkdownReplaced: what a note replaced is never shown as if it held, nor with the date of its end.
func TestMarkdownReplaced(t *testing.T) {
	s := memories(t, map[string]string{
		"reference_orders.md": "---\nname: orders\ndescription: Where orders are kept\ntype: reference\n" +
			"---\n\nOrders are kept in MySQL\n\n_Updated: 2026-11-20_ (the new version is at the end)\n\n" +
			"**Why:** the cluster was there\n\n_Updated: 2026-03-04_\n\nInvoices are kept in S3\n\n" +
			"Orders are kept in PostgreSQL\n\n**Why:** MySQL lost rows\n\n_Updated: 2026-11-20_\n",
		"user/entities/tools.md": "# Tools\n\n- The linter is golint\n  _Updated: 2026-05-05_ " +
			"(the new version is at the end)\n  - with the strict rules\n- The " +
			"formatter is gofmt\n- The linter is staticcheck\n  _Updated: 2026-06-06_ (the new version " +
			"is at the end)\n\n_Updated: 2026-05-05_\n\n" +
			"- The linter is golangci\n\n_Updated: 2026-06-06_\n",
	})
	type answer struct {
		line                 int
		text, date, replaced string
	}
	for q, want := range map[string][]answer{
		"where are orders kept": {
			{17, "Orders are kept in PostgreSQL; **Why:** MySQL lost rows", "2026-11-20", ""},
		},
		"are orders kept in MySQL": {
			{19, "Orders are kept in PostgreSQL; **Why:** MySQL lost rows", "2026-11-20", ""},
			{7, "Orders are kept in MySQL; **Why:** the cluster was there", "2026-03-04",
				"2026-11-20 by: Orders are kept in PostgreSQL; **Why:** MySQL lost rows"},
		},
		"which linter": {{12, "The linter is golangci", "2026-06-06", ""}},
		"golint linter": {
			{12, "The linter is golangci", "2026-06-06", ""},
			{3, "The linter is golint; with the strict rules", "",
				"2026-05-05 by: The linter is golangci"},
		},
	} {
		found, err := s.Markdown(q, 5, time.Now(), func(path, why string) { t.Errorf("%s: %s", path, why) })
		var got []answer
		for _, p := range found {
			if p.Past != (p.Replaced != "") {
				t.Errorf("%s: %+v", q, p)
			}
			got = append(got, answer{p.Line, p.Text, p.Date, p.Replaced})
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", q, got, err, want)
		}
	}
}
