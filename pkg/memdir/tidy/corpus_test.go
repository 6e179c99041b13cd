package tidy

import (
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestCorpus answers all that is asked of each directory in lint's corpus by
// deleting it. Every answer is done or refused, what is planned can be applied, and
// what is never changed isn't.
func TestCorpus(t *testing.T) {
	dirs, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(dirs) < 20 {
		t.Fatalf("%d directories: %v", len(dirs), err)
	}
	calls, done := 0, 0
	for _, path := range dirs {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := memdir.Dir{Now: now, Alike: alike.Notes}
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".md") {
				d.Files = append(d.Files, memdir.File{Path: f.Name, Bytes: f.Data, Modified: now})
			}
		}
		for _, p := range memdir.Profiles() {
			sheet := NewSheet(d, p, memdir.Lint(d, p), Repo{Has: func(string) bool { return false }})
			var answers []Answer
			for _, c := range sheet.Calls {
				for _, s := range c.Statements {
					answers = append(answers,
						Answer{Place: Place{s.File, s.Line, s.Text}, Call: c.Number, Action: "delete",
							Reason: "r"})
				}
			}
			out := Plan(d, p, sheet.Calls, answers)
			calls, done = calls+len(sheet.Calls), done+len(out.Done)
			if got := len(out.Done) + len(out.Refused); got != len(answers) {
				t.Errorf("%s: %d answers became %d", path, len(answers), got)
			}
			if err := out.Plan.Validate(); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			m := d.Map(p)
			for _, e := range out.Plan.Edits {
				if m.Once(e.Path) {
					t.Errorf("%s: %s is changed", path, e.Path)
				}
			}
			for _, r := range out.Refused {
				if r.Why == "" {
					t.Errorf("%s: %+v", path, r)
				}
			}
		}
	}
	if calls < 50 || done < 20 {
		t.Errorf("%d calls, %d deletions: the corpus asks for too little", calls, done)
	}
}
