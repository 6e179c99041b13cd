package classify_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/search/alike"
)

// TestNotesStayClean files notes of any words and kinds one after the other: lint finds
// nothing but that something is long, every plan is valid, what was filed stands where
// the answer says, and no earlier statement of another file is lost.
func TestNotesStayClean(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom(strings.Fields("the importer Postgres decided prefers Redis orders index " +
		"crash tests Ada billing 用户 naïve `code` **bold** # - | [x](y.md) user/ notes.md -> → --- ``` <!-- " +
		"{a: [ \" ' : 2026-05-01 42 _it_ > ~~~ 1. * + \\ é ümlaut www.example.com"))
	kind := rapid.SampledFrom(classify.KindNames())
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(memdir.Profiles()).Draw(t, "profile")
		d := memdir.Dir{Now: now, Alike: alike.Notes}
		for range rapid.IntRange(1, 8).Draw(t, "notes") {
			n := classify.Note{
				Text: strings.Join(rapid.SliceOfN(word, 1, 14).Draw(t, "text"), " "),
				Kind: classify.Kind(kind.Draw(t, "kind")),
				Why:  strings.Join(rapid.SliceOfN(word, 1, 5).Draw(t, "why"), " "),
				How:  strings.Join(rapid.SliceOfN(word, 1, 5).Draw(t, "how"), " "),
				Log:  rapid.Bool().Draw(t, "log"),
			}
			if rapid.Bool().Draw(t, "titled") {
				n.Title = strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "title"), " ")
			}
			if rapid.Bool().Draw(t, "placed") {
				n.Topic = rapid.SampledFrom([]string{"tools", "people", "tech"}).Draw(t, "topic")
			}
			r, err := classify.File(d, p, n)
			var wrong *classify.Wrong
			switch {
			case errors.As(err, &wrong):
				continue // said, and nothing is written
			case err != nil:
				t.Fatalf("%q: %v", n.Text, err)
			}
			if err := r.Plan.Validate(); err != nil {
				t.Fatal(err)
			}
			after := d
			after.Files = slices.Clone(d.Files)
			for _, e := range r.Plan.Edits {
				put := false
				for i := range after.Files {
					if after.Files[i].Path == e.Path {
						after.Files[i].Bytes, put = e.After, true
					}
				}
				if !put {
					after.Files = append(after.Files,
						memdir.File{Path: e.Path, Bytes: e.After, Modified: now})
				}
			}
			for _, f := range memdir.Lint(after, p) {
				if !strings.HasSuffix(f.Rule, "-long") && f.Rule != "topic-giant" {
					t.Fatalf("%q as %s: %s:%d: %s [%s]", n.Text, n.Kind, f.Path, f.Line, f.Why, f.Rule)
				}
			}
			again, err := classify.File(after, p, n)
			if err != nil || again.Did != classify.Already {
				t.Fatalf("%q is filed again: %s %v", n.Text, again.Did, err)
			}
			d = after
		}
	})
}

// TestDatesOfTheClient: a note dates a file where the client does and writes no second date beside it. A file
// of which nobody knows the age stays so.
func TestDatesOfTheClient(t *testing.T) {
	p, _ := memdir.Named("table")
	for head, want := range map[string]string{
		"metadata:\n  last_updated: 2026-03-01\n  topics: [debug-journal]\n": "metadata:\n  last_updated: " +
			now.Format("2006-01-02") + "\n  topics: [debug-journal]\n",
		"last_updated: unknown\ntopics: [debug-journal]\n": "last_updated: unknown\n" +
			"topics: [debug-journal]\n",
	} {
		d := memdir.Dir{Now: now, Alike: alike.Notes, Files: []memdir.File{
			{Path: "MEMORY.md", Bytes: []byte("| File | What it has | Last Updated |\n| --- | --- | --- |\n" +
				"| [debug-journal](debug-journal.md) | bugs and their causes |  |\n")},
			{Path: "debug-journal.md", Bytes: []byte("---\n" + head + "---\n\n# Debug journal\n\n- Old.\n")},
		}}
		r, err := classify.File(d, p, classify.Note{Text: "the crash came from a stale cache", Kind: "fix"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Plan.Edits {
			if e.Path == "debug-journal.md" && !strings.HasPrefix(string(e.After), "---\n"+want+"---\n") {
				t.Errorf("%s", e.After)
			}
		}
	}
}

// FuzzFile files any text into a small directory of each profile.
func FuzzFile(f *testing.F) {
	f.Add("We decided to keep jobs in PostgreSQL", "", "")
	f.Add("# x | y", "a.md:1", "decision")
	f.Fuzz(func(t *testing.T, text, replaces, kind string) {
		for _, p := range memdir.Profiles() {
			d := memdir.Dir{Now: now, Alike: alike.Notes, Files: []memdir.File{
				{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- **a**: what a is about → `a.md`\n")},
				{Path: "a.md", Bytes: []byte("# A\n\n- " + text + "\n\n" + replaces)},
			}}
			r, err := classify.File(d, p,
				classify.Note{Text: text, Kind: classify.Kind(kind), Replaces: replaces, Why: "w", How: "h",
					Log: true})
			if err != nil {
				continue
			}
			if err := r.Plan.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
