package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

var now = time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)

// dirOf is a directory of memories out of a txtar file.
func dirOf(t *testing.T, b []byte) (memdir.Dir, string) {
	t.Helper()
	a := txtar.Parse(b)
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	for _, f := range a.Files {
		if f.Name != "findings" && f.Name != "want" {
			d.Files = append(d.Files,
				memdir.File{Path: f.Name, Bytes: bytes.Clone(f.Data), Modified: now.AddDate(0, 0, -10)})
		}
	}
	slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return d, string(a.Comment)
}

func profile(t *testing.T, name string) memdir.Profile {
	t.Helper()
	p, ok := memdir.Named(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	return p
}

// apply does a plan and checks the guards of its edits.
func apply(t *testing.T, d memdir.Dir, r classify.Result) memdir.Dir {
	t.Helper()
	if err := r.Plan.Validate(); err != nil {
		t.Fatal(err)
	}
	d.Files = slices.Clone(d.Files)
	for _, e := range r.Plan.Edits {
		f := memdir.File{Path: e.Path, Bytes: e.After, Modified: d.Now}
		i := slices.IndexFunc(d.Files, func(f memdir.File) bool { return f.Path == e.Path })
		if (i < 0) != (e.Before == "") {
			t.Fatalf("%s: guard %q and the file is at %d", e.Path, e.Before, i)
		}
		if i >= 0 {
			d.Files[i] = f
		} else {
			d.Files = append(d.Files, f)
		}
	}
	slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return d
}

// said prints what changed: each file of the plan as it is then.
func said(r classify.Result, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", r.Did, r.Kind)
	if r.Told != "" {
		fmt.Fprintf(&b, " (by %q)", r.Told)
	}
	fmt.Fprintf(&b, ": %s:%d", r.Path, r.Line)
	if r.Near != "" {
		fmt.Fprintf(&b, ", near %s", r.Near)
	}
	if r.Wide != "" {
		fmt.Fprintf(&b, ", wide by %q", r.Wide)
	}
	b.WriteByte('\n')
	for _, p := range r.Cascade {
		fmt.Fprintf(&b, "also: %s:%d: %s\n", p.Path, p.Line, p.Text)
	}
	for _, f := range r.Over {
		fmt.Fprintf(&b, "over: %s %s\n", f.Path, f.Rule)
	}
	for _, e := range r.Plan.Edits {
		fmt.Fprintf(&b, "== %s %s\n%s", e.Verb, e.Path, e.After)
	}
	return b.String()
}

// TestNotes files the notes of testdata. The lines of a file's comment are
//
//	profile: NAME
//	crlf
//	note: TEXT, then --kind, --topic and so on behind it, each "; --flag value"
func TestNotes(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	if len(paths) == 0 {
		t.Fatal("no notes")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d, comment := dirOf(t, b)
			p := memdir.Detect(d.Files)
			var got strings.Builder
			for line := range strings.Lines(comment) {
				key, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
				switch key {
				case "profile":
					p = profile(t, rest)
				case "crlf":
					for i := range d.Files {
						d.Files[i].Bytes = bytes.ReplaceAll(d.Files[i].Bytes, []byte("\n"), []byte("\r\n"))
					}
				case "note":
					n := noteOf(t, rest)
					r, err := classify.File(d, p, n)
					fmt.Fprintf(&got, "# %s\n%s", rest, said(r, err))
					if err == nil {
						d = apply(t, d, r)
					}
				}
			}
			text := strings.ReplaceAll(got.String(), "\r", "␍")
			head, want, _ := bytes.Cut(b, []byte("-- want --\n"))
			if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
				want = []byte(text)
				if err := os.WriteFile(path, append(append(bytes.Clone(head), "-- want --\n"...), text...),
					0o644); err != nil {
					t.Fatal(err)
				}
			}
			if text != string(want) {
				t.Errorf("KEEPSAKE_GOLDEN=1 rewrites what is filed:\n%s", text)
			}
		})
	}
}

func noteOf(t *testing.T, s string) classify.Note {
	t.Helper()
	parts := strings.Split(s, "; --")
	n := classify.Note{Text: parts[0]}
	for _, f := range parts[1:] {
		name, value, _ := strings.Cut(f, " ")
		switch name {
		case "kind":
			n.Kind = classify.Kind(value)
		case "topic":
			n.Topic = value
		case "title":
			n.Title = value
		case "why":
			n.Why = value
		case "how":
			n.How = value
		case "by":
			n.By = value
		case "replaces":
			n.Replaces = value
		case "also":
			n.Also = true
		case "log":
			n.Log = true
		default:
			t.Fatalf("no flag %s", name)
		}
	}
	return n
}

// TestEveryKindIsClean files a note of every kind, twice and then its like, in each
// profile, into an empty directory and into every clean one of the corpus: lint finds
// nothing new, what was there stays, and the second time nothing is written.
func TestEveryKindIsClean(t *testing.T) {
	t.Parallel()
	kept, _ := filepath.Glob("../testdata/kept_*.txtar")
	if len(kept) < 20 {
		t.Fatalf("%d clean directories", len(kept))
	}
	type start struct {
		name string
		dir  memdir.Dir
		p    memdir.Profile
	}
	var starts []start
	for _, p := range memdir.Profiles() {
		starts = append(starts, start{"empty " + p.Name, memdir.Dir{Now: now, Alike: alike.Notes}, p})
	}
	for _, path := range kept {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, comment := dirOf(t, b)
		p := memdir.Detect(d.Files)
		for line := range strings.Lines(comment) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "profile: "); ok {
				p = profile(t, name)
			}
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "as: "); ok {
				p = profile(t, name)
			}
		}
		starts = append(starts, start{filepath.Base(path), d, p})
		d.Files = slices.Clone(d.Files)
		for i := range d.Files {
			d.Files[i].Bytes = append([]byte("\ufeff"),
				bytes.ReplaceAll(d.Files[i].Bytes, []byte("\n"), []byte("\r\n"))...)
		}
		starts = append(starts, start{filepath.Base(path) + " with CRLF and a mark", d, p})
	}
	texts := []string{
		"The importer of vendor feeds keeps one row for each order and drops the rest",
		"# Not a heading | but a `statement` with [brackets](x.md) and -> arrows → in it",
		"用户喜欢简短的回答并且不要表情符号",
	}
	for at, s := range starts {
		for k, kind := range classify.KindNames() {
			if strings.HasSuffix(s.name, " a mark") && k%3 != at/2%3 {
				continue // a third of the kinds in each of these, so that each is in a dozen of them
			}
			d := s.dir
			for i, text := range texts {
				n := classify.Note{Text: text, Kind: classify.Kind(kind),
					Why: []string{"orders were lost in spring", "sheets have odd names", "长文没有人读"}[i],
					How: "check the count of rows", By: "scout", Log: true}
				if kind == "entity" {
					n.Topic = "tools"
				}
				r, err := classify.File(d, s.p, n)
				if err != nil {
					t.Errorf("%s, %s, %d: %v", s.name, kind, i, err)
					continue
				}
				after := apply(t, d, r)
				fresh(t, s.name+", "+kind, s.p, d, after)
				if r.Did != classify.Replaced {
					keeps(t, s.name+", "+kind, d, after)
				}
				again, err := classify.File(after, s.p, n)
				if err != nil || again.Did != classify.Already || len(again.Plan.Edits) > 0 {
					t.Errorf("%s, %s, %d: filed again: %s %v", s.name, kind, i, said(again, err), err)
				}
				d = after
			}
		}
	}
}

// fresh says what lint finds that it didn't before.
func fresh(t *testing.T, name string, p memdir.Profile, before, after memdir.Dir) {
	t.Helper()
	was := map[string]int{}
	for _, f := range memdir.Lint(before, p) {
		was[f.Path+" "+f.Rule]++
	}
	for _, f := range memdir.Lint(after, p) {
		if was[f.Path+" "+f.Rule]--; was[f.Path+" "+f.Rule] < 0 {
			t.Errorf("%s: %s:%d: %s [%s]", name, f.Path, f.Line, f.Why, f.Rule)
		}
	}
}

// keeps says which lines were lost, but for a date in frontmatter or a row, and that
// every file has one sort of line ending and its mark.
func keeps(t *testing.T, name string, before, after memdir.Dir) {
	t.Helper()
	for _, f := range before.Files {
		i := slices.IndexFunc(after.Files, func(g memdir.File) bool { return g.Path == f.Path })
		if i < 0 {
			t.Errorf("%s: %s is gone", name, f.Path)
			continue
		}
		got := after.Files[i].Bytes
		if bytes.Count(f.Bytes, []byte("\r\n")) == bytes.Count(f.Bytes, []byte("\n")) &&
			bytes.Contains(f.Bytes, []byte("\r\n")) &&
			bytes.Count(got, []byte("\r\n")) != bytes.Count(got, []byte("\n")) {
			t.Errorf("%s: %s has two sorts of line endings", name, f.Path)
		}
		if bytes.HasPrefix(f.Bytes, []byte("\ufeff")) != bytes.HasPrefix(got, []byte("\ufeff")) {
			t.Errorf("%s: %s lost its mark", name, f.Path)
		}
		rest := strings.Split(string(got), "\n")
		for line := range strings.SplitSeq(string(f.Bytes), "\n") {
			at := slices.Index(rest, line)
			if at < 0 {
				if !strings.Contains(line, "2026-") &&
					strings.TrimRight(line,
						"\r") != strings.TrimRight(string(f.Bytes[max(0, len(f.Bytes)-len(line)):]), "\r") {
					t.Errorf("%s: %s lost %q", name, f.Path, line)
				}
				continue
			}
			rest = rest[at+1:]
		}
	}
}

// TestWrong has what a caller must say in another way.
func TestWrong(t *testing.T) {
	d := memdir.Dir{Now: now}
	for _, c := range []struct {
		n    classify.Note
		want string
	}{
		{classify.Note{Text: "We decided on it recently, in the afternoon", Kind: "entity", Topic: "tools"},
			`"recently" is relative`},
		{classify.Note{Text: "tabs"}, "too short"},
		{classify.Note{Text: strings.Repeat("word ", 900)}, "a note takes 4096"},
		{classify.Note{Text: "a \x1b[31mred word"}, "U+001B"},
		{classify.Note{Text: "a \u202eturned word"}, "U+202E"},
		{classify.Note{Text: "bytes \xff that are none"}, "no UTF-8"},
		{classify.Note{Text: "The sky over Lisbon"}, "no word of it says"},
		{classify.Note{Text: "We decided that the user prefers tabs"}, "decision (“decided”)"},
		{classify.Note{Text: "The build takes long", Kind: "gossip"}, `kind "gossip" is not known`},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "entity"}, "people, tools or projects"},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "profile", By: "two words"},
			"no name of an agent"},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "profile", Replaces: "nothing like it"},
			"no statement says"},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "profile", Topic: "..."}, "has no letters"},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "profile", Topic: "2026-11-20"},
			"an index or a log"},
		{classify.Note{Text: "Ada comes from Lisbon", Kind: "profile", Topic: "MEMORY.md"},
			"an index or a log"},
	} {
		_, err := classify.File(d, profile(t, "density"), c.n)
		var wrong *classify.Wrong
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) || wrong.Hint == "" {
			t.Errorf("%.40q: %v, want %s", c.n.Text, err, c.want)
		}
	}
	_, err := classify.File(d, profile(t, "pointer"),
		classify.Note{Text: "Use tabs in Go code", Kind: "feedback", Why: "gofmt"})
	if err == nil || !strings.Contains(err.Error(), "--how is missing") {
		t.Errorf("a rule without its application: %v", err)
	}
}

// TestCutShort: a note whose file is in place and the line that leads there not, since
// somebody else wrote the index meanwhile, gets that line when it is filed again.
func TestCutShort(t *testing.T) {
	for _, p := range memdir.Profiles() {
		d := memdir.Dir{Now: now, Alike: alike.Notes}
		n := classify.Note{Text: "We decided to keep jobs in PostgreSQL", Kind: "decision",
			Why: "they must survive a restart", How: "no second queue", Log: true}
		r, err := classify.File(d, p, n)
		if err != nil {
			t.Fatal(err)
		}
		whole := apply(t, d, r)
		cut := whole
		cut.Files = slices.Clone(whole.Files)
		for i, f := range cut.Files {
			if f.Path != r.Path {
				cut.Files[i].Bytes = []byte("# Memory\n")
			}
		}
		again, err := classify.File(cut, p, n)
		if err != nil || again.Did != classify.Already || len(again.Plan.Edits) == 0 ||
			again.Path != r.Path || again.Line != r.Line {
			t.Errorf("%s: %s %v", p.Name, said(again, err), err)
			continue
		}
		for _, f := range memdir.Lint(apply(t, cut, again), p) {
			if f.Rule == "orphan" {
				t.Errorf("%s: %s: %s", p.Name, f.Path, f.Why)
			}
		}
	}
}

// TestOneSlug: a statement goes into the file of its topic, however people or an older Keepsake wrote its
// name.
func TestOneSlug(t *testing.T) {
	d := memdir.Dir{Now: now, Files: []memdir.File{
		{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- [Office](łódź-office.md) — where the team sits\n")},
		{Path: "łódź-office.md", Bytes: []byte("---\nname: office\ndescription: where the team sits\n" +
			"metadata:\n  type: project\n---\n\n- The door code changes every month.\n")},
	}}
	for _, topic := range []string{"Łódź office", "lodz-office", "łódź-office.md"} {
		r, err := classify.File(d, memdir.Detect(d.Files), classify.Note{Kind: "decision", Topic: topic,
			Text: "We decided to rent the second floor of the office because the team has grown."})
		if err != nil || r.Path != "łódź-office.md" {
			t.Errorf("%s: in %s, %v", topic, r.Path, err)
		}
	}
	r, err := classify.File(memdir.Dir{Now: now}, memdir.Detect(nil), classify.Note{Kind: "decision",
		Title: "Łódź office", Text: "We decided to rent the second floor because the team has grown.",
		Why: "it grew", How: "go there"})
	if err != nil || !strings.Contains(r.Path, memory.Slug("Łódź office")) {
		t.Errorf("filed in %s, %v; want the slug of records, %s", r.Path, err, memory.Slug("Łódź office"))
	}
}
