package tiers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/scratch"
	"keepsake/pkg/search/records"
)

var noted = time.Date(2026, 4, 23, 10, 30, 0, 0, time.UTC)

// notes is a project's folder and its notes; what they warn of fails the test.
func notes(t *testing.T) Scratch {
	t.Helper()
	return Scratch{Root: t.TempDir(), Warn: func(err error) { t.Errorf("warned: %v", err) }}
}

func put(t *testing.T, root, name, text string) string {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, root, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestScratchSave(t *testing.T) {
	for name, tt := range map[string]struct{ before, text, after string }{
		"a new file": {"", "Decided to use Postgres.",
			"## 2026-04-23T10:30:00Z\nDecided to use Postgres.\n"},
		"below another": {"## 2026-01-01T00:00:00Z\na\n", "b",
			"## 2026-01-01T00:00:00Z\na\n\n## 2026-04-23T10:30:00Z\nb\n"},
		"without a line end": {"# By hand", "b", "# By hand\n\n## 2026-04-23T10:30:00Z\nb\n"},
		"CRLF stays":         {"# By hand\r\n", "a\r\nb", "# By hand\r\n\n## 2026-04-23T10:30:00Z\na\nb\n"},
		"a broken file":      {"\xff\x00\n\n", "b", "\xff\x00\n\n## 2026-04-23T10:30:00Z\nb\n"},
		"a secret": {"", "password=hunter2hunter2",
			"## 2026-04-23T10:30:00Z\npassword=[redacted]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := notes(t)
			if tt.before != "" {
				put(t, s.Root, scratch.Dir+"/general.md", tt.before)
			}
			saved, err := s.Save(t.Context(), tt.text, noted)
			if err != nil || saved.Topic != "general" || saved.Path != scratch.Dir+"/general.md" ||
				saved.At != "2026-04-23T10:30:00Z" {
				t.Fatalf("%+v, %v", saved, err)
			}
			if secret := name == "a secret"; secret != (len(saved.Secrets) > 0) {
				t.Errorf("secrets %v", saved.Secrets)
			}
			if got := get(t, s.Root, saved.Path); got != tt.after {
				t.Errorf("got  %q\nwant %q", got, tt.after)
			}
		})
	}
}

// TestScratchOwnIgnore: the notes stay out of commits, unless somebody decided
// otherwise.
func TestScratchOwnIgnore(t *testing.T) {
	s := notes(t)
	for range 2 {
		if _, err := s.Save(t.Context(), "a", noted); err != nil {
			t.Fatal(err)
		}
	}
	if got := get(t, s.Root, scratch.Dir+"/.gitignore"); !strings.HasSuffix(got, "\n*\n") {
		t.Errorf(".gitignore says %q", got)
	}
	put(t, s.Root, scratch.Dir+"/.gitignore", "")
	if _, err := s.Save(t.Context(), "a", noted); err != nil ||
		get(t, s.Root, scratch.Dir+"/.gitignore") != "" {
		t.Errorf("the person's own .gitignore was changed, or %v", err)
	}
}

func TestScratchTopic(t *testing.T) {
	s := notes(t)
	put(t, s.Root, "task_plan.md", "### Phase 2: Data model\n- **Status:** in_progress\n")
	if saved, err := s.Save(t.Context(), "a", noted); err != nil || saved.Topic != "phase-2-data-model" {
		t.Errorf("%+v, %v", saved, err)
	}
	// A plan that can't be read costs the topic, not the note.
	s = notes(t)
	var warned error
	s.Warn = func(err error) { warned = err }
	if err := syscall.Mkfifo(filepath.Join(s.Root, "task_plan.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if saved, err := s.Save(t.Context(), "a", noted); err != nil || saved.Topic != "general" ||
		warned == nil {
		t.Errorf("%+v, %v, warned %v", saved, err, warned)
	}
}

// TestScratchRefuses: nothing is written through a link, into a pipe or past the
// bounds, and what is there stays.
func TestScratchRefuses(t *testing.T) {
	elsewhere := t.TempDir()
	link := func(name string) func(*testing.T, string) {
		return func(t *testing.T, root string) {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			to := elsewhere
			if filepath.Ext(name) == ".md" {
				to = filepath.Join(elsewhere, "victim.md")
			}
			if err := os.Symlink(to, path); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := func(*testing.T, string) {}
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, root string)
		text    string
		want    string
	}{
		"a linked root folder": {link(".agents"), "a", "is no folder but a link"},
		"a linked folder":      {link(".agents/memory"), "a", "is no folder but a link"},
		"the folder linked":    {link(scratch.Dir), "a", "is no folder but a link"},
		"a linked file":        {link(scratch.Dir + "/general.md"), "a", "is no file but a link"},
		"a file for a folder": {func(t *testing.T, root string) {
			put(t, root, ".agents/memory", "x")
		}, "a", "is no folder but a file"},
		"a pipe": {func(t *testing.T, root string) {
			path := put(t, root, scratch.Dir+"/general.md", "")
			os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "a", "is no file but a pipe"},
		"a folder": {func(t *testing.T, root string) {
			put(t, root, scratch.Dir+"/general.md/x", "")
		}, "a", "is no file but a folder"},
		"a full file": {func(t *testing.T, root string) {
			put(t, root, scratch.Dir+"/general.md", strings.Repeat("x", scratch.MaxFile-10))
		}, "a", "is full"},
		"no text":  {nothing, " \n\x00", "nothing to save"},
		"too long": {nothing, strings.Repeat("x", scratch.MaxText+1), "a note has at most"},
	} {
		t.Run(name, func(t *testing.T) {
			s := notes(t)
			tt.prepare(t, s.Root)
			if _, err := s.Save(t.Context(), tt.text, noted); err == nil ||
				!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("got %v, want %q and a hint", err, tt.want)
			}
			if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
				t.Errorf("written elsewhere: %v, %v", left, err)
			}
		})
	}
}

// TestScratchSaveTogether has 32 processes save at once: every note is there,
// once and whole.
func TestScratchSaveTogether(t *testing.T) {
	const processes, each = 32, 5
	long := strings.Repeat("long ", 1000)
	if root := os.Getenv("KEEPSAKE_TEST_SAVE"); root != "" {
		for i := range each {
			if _, err := (Scratch{Root: root}).Save(t.Context(),
				fmt.Sprintf("%snote %s.%d", long, os.Getenv("KEEPSAKE_TEST_N"), i), noted); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	root := t.TempDir()
	var all []*exec.Cmd
	for n := range processes {
		cmd := exec.Command(os.Args[0], "-test.run=^TestScratchSaveTogether$")
		cmd.Env = append(os.Environ(), "KEEPSAKE_TEST_SAVE="+root, fmt.Sprint("KEEPSAKE_TEST_N=", n))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	var got, want []string
	for _, e := range scratch.Parse([]byte(get(t, root, scratch.Dir+"/general.md"))) {
		got = append(got, e.Text)
	}
	for n := range processes {
		for i := range each {
			want = append(want, fmt.Sprintf("%snote %d.%d", long, n, i))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d notes, want %d", len(got), len(want))
	}
}

func TestScratchFind(t *testing.T) {
	s := notes(t)
	if hits, err := s.Find(t.Context(), "postgres", 5); err != nil || len(hits) > 0 {
		t.Errorf("without notes: %v, %v", hits, err)
	}
	put(t, s.Root, scratch.Dir+"/a.md",
		"# Postgres by hand\n\n## 2026-01-01T00:00:00Z\nUse Postgres for jobs\n\n## "+
			"2026-01-02T00:00:00Z\nPostgres is slow\npassword=hunter2hunter2 for postgres jobs\n")
	put(t, s.Root, scratch.Dir+"/deep/b.md", "## 2026-01-03T00:00:00Z\nPostgres again\n")
	put(t, s.Root, scratch.Dir+"/c.txt", "postgres\n")
	line := func(hits []Hit) string {
		var b strings.Builder
		for _, h := range hits {
			fmt.Fprintf(&b, "%s %s:%d %s %q %.1f %v\n", h.Source, h.Path, h.Line, h.Date, h.Text, h.Score,
				h.Score < records.Floor)
		}
		return b.String()
	}
	for _, tt := range []struct {
		query string
		n     int
		want  string
	}{
		{"postgres jobs", 9, `scratch .agents/memory/scratch/a.md:4 2026-01-01T00:00:00Z "Use Postgres for jobs" 1.0 false
scratch .agents/memory/scratch/a.md:8 2026-01-02T00:00:00Z "password=[redacted] for postgres jobs" 1.0 false
scratch .agents/memory/scratch/deep/b.md:2 2026-01-03T00:00:00Z "Postgres again" 0.6 false
scratch .agents/memory/scratch/a.md:1  "# Postgres by hand" 0.6 false
`},
		{"postgres", 1,
			"scratch .agents/memory/scratch/a.md:7 2026-01-02T00:00:00Z \"Postgres is slow\" 1.0 false\n"},
		{"redis", 9, ""},
		{"?", 9, ""},
	} {
		if hits, err := s.Find(t.Context(), tt.query, tt.n); err != nil || line(hits) != tt.want {
			t.Errorf("%q: %v\ngot\n%s\nwant\n%s", tt.query, err, line(hits), tt.want)
		}
	}
	// One file that can't be read costs only itself, and is told.
	var warned []string
	s.Warn = func(err error) { warned = append(warned, err.Error()) }
	if err := syscall.Mkfifo(filepath.Join(s.Root, filepath.FromSlash(scratch.Dir), "pipe.md"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Find(t.Context(), "postgres", 9); err != nil || len(hits) != 4 || len(warned) != 1 ||
		!strings.Contains(warned[0], "pipe.md") {
		t.Errorf("%d hits, %v, warned %q", len(hits), err, warned)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Find(gone, "postgres", 9); err == nil {
		t.Error("went on after it was called off")
	}
}
