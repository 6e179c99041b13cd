package memdir_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
)

// TestFormatCorpus formats every directory of the corpus: what Lint calls fixable
// is mended, nothing is said any more that wasn't, nothing is lost, and the second
// time there is nothing to do.
func TestFormatCorpus(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range paths {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			s, _ := load(t, name)
			p, _ := memdir.Named(s.held)
			formats(t, s.dir, p)
			if r := memdir.Format(s.dir, p); s.clean && len(r.Plan.Edits) > 0 {
				t.Errorf("changes a directory that is in order: %v", r.Report)
			}
		})
	}
}

type fataler interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

// formats holds Format to what it promises.
func formats(t fataler, d memdir.Dir, p memdir.Profile) memdir.Dir {
	t.Helper()
	r := memdir.Format(d, p)
	if err := r.Plan.Validate(); err != nil {
		t.Fatalf("%v", err)
	}
	after := applied(t, d, r.Plan)
	for _, f := range memdir.Lint(after, p) {
		if f.Fixable {
			t.Errorf("still finds %s:%d: %s [%s]\n%s", f.Path, f.Line, f.Why, f.Rule, dump(after))
		}
	}
	if again := memdir.Format(after, p); len(again.Plan.Edits) > 0 {
		t.Errorf("formats a second time: %s\n%s\n%s", list(again.Plan), dump(after),
			dump(applied(t, after, again.Plan)))
	}
	fixable := 0
	for _, f := range memdir.Lint(d, p) {
		if f.Fixable {
			fixable++
		}
	}
	if fixable == 0 && len(r.Plan.Edits) > 0 {
		t.Errorf("changes what Lint doesn't call fixable: %s", list(r.Plan))
	}
	says(t, d, after)
	before := d
	// merged, and another one came in its place
	before.Files = slices.DeleteFunc(slices.Clone(d.Files), func(f memdir.File) bool {
		return slices.ContainsFunc(r.Report.Merged, func(m memdir.Merge) bool { return m.From == f.Path })
	})
	held(t, before, after)
	return after
}

// held says that files keep their line endings and byte order marks, and that what
// is no UTF-8 or written once is left alone.
func held(t fataler, before, after memdir.Dir) {
	t.Helper()
	for _, f := range before.Files {
		i := slices.IndexFunc(after.Files, func(g memdir.File) bool { return g.Path == f.Path })
		if i < 0 {
			if !utf8.Valid(f.Bytes) || strings.Contains(f.Path, "events/") ||
				strings.Contains(f.Path, "cases/") {
				t.Errorf("%s is gone", f.Path)
			}
			continue
		}
		g := after.Files[i]
		if bytes.Equal(f.Bytes, g.Bytes) {
			continue
		}
		if !utf8.Valid(f.Bytes) || (strings.Contains(f.Path, "user/events/") ||
			strings.Contains(f.Path, "agent/cases/")) && !memdir.SameText(f.Bytes, g.Bytes) {
			t.Errorf("%s has changed", f.Path)
		}
		if bytes.HasPrefix(f.Bytes, []byte("\ufeff")) != bytes.HasPrefix(g.Bytes, []byte("\ufeff")) {
			t.Errorf("%s: the byte order mark has changed", f.Path)
		}
		crlf, lf := bytes.Count(f.Bytes, []byte("\r\n")), bytes.Count(f.Bytes, []byte("\n"))
		if now := bytes.Count(g.Bytes, []byte("\r\n")); crlf == lf &&
			now != bytes.Count(g.Bytes, []byte("\n")) && lf > 0 || crlf == 0 && now > 0 {
			t.Errorf("%s: line endings have changed: %q", f.Path, g.Bytes)
		}
	}
}

func list(p plan.Plan) string {
	var out []string
	for _, e := range p.Edits {
		out = append(out, string(e.Verb)+" "+e.Path)
	}
	return strings.Join(out, ", ")
}

func dump(d memdir.Dir) string {
	var b strings.Builder
	for _, f := range d.Files {
		fmt.Fprintf(&b, "-- %s --\n%.3000s\n", f.Path, f.Bytes)
	}
	return b.String()
}

// applied is a directory after a plan.
func applied(t fataler, d memdir.Dir, p plan.Plan) memdir.Dir {
	t.Helper()
	out := d
	out.Files = slices.Clone(d.Files)
	for _, e := range p.Edits {
		i := slices.IndexFunc(out.Files, func(f memdir.File) bool { return f.Path == e.Path })
		var before []byte
		if i >= 0 {
			before = append([]byte{}, out.Files[i].Bytes...)
		}
		if plan.DigestOf(before) != e.Before {
			t.Fatalf("%s %s: the guard is not that of the file", e.Verb, e.Path)
		}
		switch {
		case e.Deletes():
			out.Files = slices.Delete(out.Files, i, i+1)
		case i < 0:
			out.Files = append(out.Files, memdir.File{Path: e.Path, Bytes: e.After})
			i = len(out.Files) - 1
			fallthrough
		default:
			out.Files[i].Bytes, out.Files[i].Written = e.After, nil
			if out.Files[i].Modified = e.Modified; e.Modified.IsZero() {
				out.Files[i].Modified = d.Now
			}
		}
	}
	slices.SortFunc(out.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// statements are the words of what each line of a file says, in small letters,
// apart at relative dates: items, paragraphs, rows, code and headings, titles and
// hooks of lines that lead to files, values of frontmatter. What tells nothing is
// none, nor is the head of a table that only leads to files.
func statements(f memdir.File) (out []string) {
	d := memdir.Parse(f.Bytes)
	index := path.Base(f.Path) == memdir.Index || path.Base(f.Path) == "INDEX.md"
	refs := map[int][]memdir.Ref{}
	if index {
		for _, r := range memdir.Refs(d) {
			refs[r.Line] = append(refs[r.Line], r)
		}
	}
	add := func(text string) {
		from := 0
		for _, s := range append(memdir.Spots(text), [2]int{len(text), len(text)}) {
			if w := words(text[from:s[0]]); w != "" && !memdir.Vague(w) {
				out = append(out, w)
			}
			from = s[1]
		}
	}
	for i, l := range d.Lines {
		if l.Kind == markdown.Row && index && headOfRoutes(d, i) {
			continue
		}
		switch rs := refs[i+1]; {
		case l.Kind == markdown.Front:
			key, value, _ := strings.Cut(l.Text, ":")
			if k := strings.TrimSpace(key); k != "last_updated" && k != "name" && k != "originSessionId" &&
				k != "type" {
				add(value)
			}
		case len(rs) == 1 && l.Kind == markdown.Row: // a date between two cells may change
			for cell := range strings.SplitSeq(l.Text, "|") {
				if w := words(cell); strings.Trim(cell, " *_`") != rs[0].Date && w != words(rs[0].Title) &&
					w != words(strings.TrimSuffix(path.Base(rs[0].Target), ".md")) &&
					w != words(rs[0].Target) {
					add(cell)
				}
			}
		case len(rs) == 1:
			hook := strings.ReplaceAll(rs[0].Hook, rs[0].Date, "")
			if words(hook) != words(rs[0].Title) &&
				words(hook) != words(strings.TrimSuffix(path.Base(rs[0].Target), ".md")) {
				add(hook)
			}
			if len(strings.Fields(rs[0].Title)) > 2 {
				add(rs[0].Title)
			}
		default:
			add(l.Text)
		}
	}
	return out
}

// headOfRoutes says that a row is one of the two at the top of a table that leads to
// files.
func headOfRoutes(d markdown.Doc, i int) bool {
	top := i
	for top > 0 && d.Lines[top-1].Kind == markdown.Row {
		top--
	}
	if i-top > 1 {
		return false
	}
	return slices.ContainsFunc(memdir.Refs(d), func(r memdir.Ref) bool {
		for j := top; j < len(d.Lines) && d.Lines[j].Kind == markdown.Row; j++ {
			if r.Line == j+1 {
				return true
			}
		}
		return false
	})
}

var target = regexp.MustCompile(`\]\([^)\n]*\)`)

// words are the words of a text, in small letters, with a blank between them.
func words(s string) string {
	s = target.ReplaceAllString(s, "]") // where a link leads may change
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ")
}

// says checks that every statement of a directory still stands somewhere in it. Most stand
// as they did, which costs one look.
func says(t fataler, before, after memdir.Dir) {
	t.Helper()
	var all strings.Builder
	same := map[string]bool{}
	for _, f := range after.Files {
		all.WriteString("\n" + words(string(f.Bytes)))
		for _, s := range statements(f) {
			same[s] = true
		}
	}
	for _, f := range before.Files {
		for _, s := range statements(f) {
			if !same[s] && !strings.Contains(all.String(), s) {
				t.Errorf("%s: lost %q\n%s", f.Path, s, dump(after))
			}
		}
	}
}

// TestFormatGolden has what Format writes for each directory of the corpus, the
// beginning of each file.
func TestFormatGolden(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("testdata/*.txtar")
	var got strings.Builder
	for _, name := range paths {
		s, _ := load(t, name)
		p, _ := memdir.Named(s.held)
		if strings.HasPrefix(filepath.Base(name), "huge") {
			continue
		}
		r := memdir.Format(s.dir, p)
		for _, e := range r.Plan.Edits {
			fmt.Fprintf(&got, "== %s: %s %s\n%s", strings.TrimSuffix(filepath.Base(name), ".txtar"), e.Verb,
				e.Path, bytes.ReplaceAll(e.After[:min(len(e.After), 1500)], []byte("\r\n"), []byte("␍\n")))
		}
	}
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile("testdata/format.golden", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/format.golden")
	if err != nil || got.String() != string(want) {
		t.Errorf("KEEPSAKE_GOLDEN=1 rewrites it (%v)\n%s", err, got.String())
	}
}

// TestFormatAny formats directories made of parts of files.
func TestFormatAny(t *testing.T) {
	t.Parallel()
	lines := rapid.SampledFrom([]string{
		"", "# Memory", "## Feedback", "## Build", "### Deeper", "Setext", "======", "---", "***",
		"Text that says what it is all about here.", "and goes on", "- [A](a.md) — what a is about",
		"- [B](b.md)", "- [Gone](gone.md) — a plan of the spring", "- [[a]] — wiki", "- `b.md` has rules",
		"* b.md: rules", "- **key**: one sentence → `user/profile.md`",
		"- **key**: gone → `agent/patterns/gone.md`",
		"| File | What | Last Updated |", "| --- | --- | --- |", "| [a](a.md) | about | 2026-10-01 |",
		"| x | y |", "a | b", "--|--", "- item one of the list that is long enough to count",
		"  - nested item", "  goes on", "    code", "```", "> quote", "<!-- comment -->", "<!-- open", "-->",
		"1. first step that is long enough to be told apart", "**Why:** because", "**How to apply:** so",
		"It was decided yesterday.", "- 2026-10-02: last week it broke", "See [b](b.md) for it.", "name: x",
		"description: y", "type: project", "Previously it was other.", "- [A](A.md) — other case",
		"- [Two](a.md), [B](b.md)", "  - [B](b.md) — below", "é ü 漢字 の説明", "- [a|b](b.md) — pipe | here",
		"\tx", "_Updated: 2026-05-02_", "- [User](user) — a folder", "- [Not](nothing) — no folder",
		"- [Odd](x[1].md) — brackets", "| [user](user) | folder | |",
	})
	file := rapid.Custom(func(t *rapid.T) []byte {
		eol := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}).Draw(t, "eol")
		text := strings.Join(rapid.SliceOfN(lines, 0, 14).Draw(t, "lines"), eol)
		switch rapid.IntRange(0, 5).Draw(t, "head") {
		case 0:
			text = "---" + eol + "name: n" + eol + "description: what this one is about" + eol +
				"type: user" + eol + "---" + eol + text
		case 1:
			text = "---" + eol + text
		case 2:
			text = "---" + eol + "last_updated: 2026-10-04" + eol + "topics: [x]" + eol + "---" + eol + text
		case 3:
			text += eol
		}
		if rapid.IntRange(0, 15).Draw(t, "bom") == 0 {
			text = "\ufeff" + text
		}
		return []byte(text)
	})
	names := []string{"MEMORY.md", "a.md", "b.md", "INDEX.md", "user/profile.md", "user/events/2026-05-x.md",
		"agent/patterns/p.md", "profile.md", "notes.md", "feedback_x.md", "x-archive-2025.md",
		"2026-11-01.md", "A.md", "lost-pointers.md", "build.md", "x[1].md", "y]z.MD"}
	rapid.Check(t, func(t *rapid.T) {
		d := memdir.Dir{Now: now}
		for _, n := range names {
			if rapid.IntRange(0, 2).Draw(t, n) == 0 || n == memdir.Index && rapid.Bool().Draw(t, "index") {
				d.Files = append(d.Files,
					memdir.File{Path: n, Bytes: file.Draw(t, "text of "+n), Modified: now.AddDate(0, 0, -10)})
			}
		}
		formats(t, d, rapid.SampledFrom(memdir.Profiles()).Draw(t, "profile"))
	})
}

// TestPointerKeepsAHash: the line that leads to a topic calls it what its heading does.
func TestPointerKeepsAHash(t *testing.T) {
	head := func(name string) string {
		return "---\nname: " + name + "\ndescription: how we write " + name + "\ntype: project\n---\n\n"
	}
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Bytes: []byte("- [Go](go.md) — how we write Go\n"), Modified: now},
		{Path: "csharp.md", Bytes: []byte(head("csharp") + "# C#\n\nRecords are sealed.\n"), Modified: now},
		{Path: "go.md", Bytes: []byte(head("go") + "Short names.\n"), Modified: now},
	}}
	p, _ := memdir.Named("pointer")
	for _, e := range memdir.Format(d, p).Plan.Edits {
		if e.Path == memdir.Index && strings.Contains(string(e.After), "[C#](csharp.md)") {
			return
		}
	}
	t.Errorf("%+v", memdir.Format(d, p))
}

// TestDescribesInTheEnd: neither a new file nor the line that leads to it repeats what another file says.
func TestDescribesInTheEnd(t *testing.T) {
	const said = "the importer retries at most five times a day"
	d := memdir.Dir{Now: now, Files: []memdir.File{{Path: "MEMORY.md", Modified: now, Bytes: []byte(
		"# Memory\n\n## Importer\n\n- " + said + "\n- the importer keeps its state in a bucket\n- one\n" +
			"- two\n- three\n- four\n\n## Queue\n\n- " + said + "\n- the queue has a limit of ten thousand " +
			"jobs\n- five\n- six\n- seven\n- eight\n")}}}
	p, _ := memdir.Named("pointer")
	for _, e := range memdir.Format(d, p).Plan.Edits {
		if e.Path != "importer.md" && strings.Contains(string(e.After), "] — "+said+"; the queue") ||
			e.Path == "queue.md" && strings.Contains(string(e.After), "description: "+said) {
			t.Errorf("%s: %s", e.Path, e.After)
		}
	}
}

// TestCopies: of two files with the same text, the one of the type that says more stays, with the name and
// the comments of the other, and is as old as the newer one.
func TestCopies(t *testing.T) {
	text := "\nIntegration tests run against a real database.\n\n**Why:** mocks hid it\n\n" +
		"**How to apply:** make db\n"
	head := func(name, typ, comment string) string {
		return "---\nname: " + name + "\ndescription: how integration tests run\n" + comment +
			"type: " + typ + "\n---\n"
	}
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Modified: now,
			Bytes: []byte("- [A](a.md) — how they run\n- [B](b.md) — again\n")},
		{Path: "a.md", Modified: now.AddDate(0, 0, -9), Bytes: []byte(head("rules of Dana", "reference",
			"# she said so in May\n") + text)},
		{Path: "b.md", Modified: now.AddDate(0, 0, -99), Bytes: []byte(head("tests", "feedback", "") + text)},
	}}
	p, _ := memdir.Named("pointer")
	r := memdir.Format(d, p)
	if len(r.Report.Merged) != 1 || r.Report.Merged[0] != (memdir.Merge{From: "a.md", To: "b.md"}) {
		t.Fatal(r.Report.Merged)
	}
	for _, e := range r.Plan.Edits {
		if e.Path == "b.md" && (!e.Modified.Equal(d.Files[1].Modified) ||
			!strings.Contains(string(e.After), "aliases: [rules of Dana]") ||
			!strings.Contains(string(e.After), "# she said so in May")) {
			t.Errorf("%v: %s", e.Modified, e.After)
		}
	}
}

// TestDuplicates: of a statement in two files, the first place in the order of MEMORY.md stays, also of seven
// short words; with another exception behind it both stay.
func TestDuplicates(t *testing.T) {
	head := "---\nname: n%s\ndescription: what holds for the part %s\ntype: reference\n---\n\n"
	file := func(name, text string) memdir.File {
		return memdir.File{Path: name + ".md", Modified: now,
			Bytes: []byte(strings.ReplaceAll(head, "%s", name) + text)}
	}
	const short, limit = "- we use go 1.26 on all of\n", "- 50 rps for every customer at night\n"
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Modified: now,
			Bytes: []byte("- [B](b.md) — the part b\n- [A](a.md) — the part a\n")},
		file("a", short+"- it is so\n"+limit+"- Except Acme\n"),
		file("b", short+limit+"- But not Bolt\n"),
	}}
	p, _ := memdir.Named("pointer")
	made := memdir.Format(d, p).Plan
	if got := list(made); got != "update a.md" {
		t.Fatal(got)
	}
	want := "- see [B](b.md)\n- it is so\n" + limit + "- Except Acme\n"
	if got := string(made.Edits[0].After); !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

// FuzzFormat formats a directory of any text without a panic, and finds nothing to
// do the second time.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"", "# a\n\ntext", "- [a](a.md) — x\n- [b](gone.md)\n",
		"| a | b |\n|--|--|\n| [a](a.md) | yesterday |\n", "---\nname: a\n",
		"- **a**: b → `a.md`\r\n\r\ntext", "<!--\n", "```\n- [a](a.md)\n", "\ufeff---\n---\n"} {
		f.Add([]byte(s), []byte(s))
	}
	f.Fuzz(func(t *testing.T, index, topic []byte) {
		for _, p := range memdir.Profiles() {
			d := memdir.Dir{Now: now, Files: []memdir.File{{Path: memdir.Index, Bytes: index, Modified: now},
				{Path: "a.md", Bytes: topic, Modified: now},
				{Path: "user/events/2026-05-b.md", Bytes: topic, Modified: now}}}
			r := memdir.Format(d, p)
			if err := r.Plan.Validate(); err != nil {
				t.Fatal(err)
			}
			after := applied(t, d, r.Plan)
			if again := memdir.Format(after, p); len(again.Plan.Edits) > 0 {
				t.Fatalf("%s: formats a second time: %s\n%s\n%s", p.Name, list(again.Plan), dump(after),
					dump(applied(t, after, again.Plan)))
			}
		}
	})
}
