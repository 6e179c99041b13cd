package memdir_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/search/alike"
)

// now is the day on which the corpus is looked at.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// findings is the name of the part of a corpus file with what Lint finds.
const findings = "findings"

// A sample is one directory of the corpus. The lines of its comment, after what
// it shows, are
//
//	profile: NAME             that Detect finds
//	as: NAME                  the profile it is held against, if another
//	clean                     nothing may be found
//	crlf, bom, latin1, untimed, rewritten: FILE…
//	modified: FILE DATE
//	repeat: FILE N LINE       N more lines, "#" their number
//	repeat-files: FILE N      N topic files of that name
type sample struct {
	dir            memdir.Dir
	detected, held string
	clean          bool
}

func load(t *testing.T, path string) (sample, []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(b)
	s := sample{dir: memdir.Dir{Now: now, Alike: alike.Notes, Apart: blackboard.Apart}}
	for _, f := range a.Files {
		if f.Name != findings {
			s.dir.Files = append(s.dir.Files,
				memdir.File{Path: f.Name, Bytes: bytes.Clone(f.Data), Modified: now.AddDate(0, 0, -10)})
		}
	}
	of := func(name string) *memdir.File {
		i := slices.IndexFunc(s.dir.Files, func(f memdir.File) bool { return f.Path == name })
		if i < 0 {
			t.Fatalf("%s: no file %s", path, name)
		}
		return &s.dir.Files[i]
	}
	for line := range strings.Lines(string(a.Comment)) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		args := strings.Fields(rest)
		switch key {
		case "profile":
			s.detected, s.held = rest, rest
		case "as":
			s.held = rest
		case "clean":
			s.clean = true
		case "modified":
			of(args[0]).Modified = date(t, args[1])
		case "repeat":
			f := of(args[0])
			n, _ := strconv.Atoi(args[1])
			_, row, _ := strings.Cut(rest, args[1]+" ")
			for i := range n {
				f.Bytes = append(f.Bytes, strings.ReplaceAll(row, "#", strconv.Itoa(i))+"\n"...)
			}
		case "repeat-files":
			n, _ := strconv.Atoi(args[1])
			for i := range n {
				s.dir.Files = append(s.dir.Files,
					area(strings.ReplaceAll(args[0], "#", strconv.Itoa(i)), i, s.held))
			}
		case "crlf", "bom", "latin1", "untimed", "rewritten":
			for _, name := range args {
				switch f := of(name); key {
				case "crlf":
					f.Bytes = bytes.ReplaceAll(f.Bytes, []byte("\n"), []byte("\r\n"))
				case "bom":
					f.Bytes = append([]byte("\ufeff"), f.Bytes...)
				case "latin1":
					f.Bytes = latin1(f.Bytes)
				case "untimed":
					f.Modified = time.Time{}
				case "rewritten":
					f.Rewritten = true
				}
			}
		}
	}
	slices.SortFunc(s.dir.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return s, b
}

// area is a topic file that nothing can be said against.
func area(path string, i int, profile string) memdir.File {
	head := fmt.Sprintf("name: area-%d\ndescription: What area %d is about and who owns it\ntype: "+
		"reference\n", i, i)
	if profile == "table" {
		head = "last_updated: 2026-11-10\ntopics: [areas]\n"
	}
	return memdir.File{Path: path, Modified: now.AddDate(0, 0, -10),
		Bytes: []byte(fmt.Sprintf("---\n%s---\n\nArea %d belongs to team %d.\n", head, i, i*7))}
}

func latin1(b []byte) (out []byte) {
	for _, r := range string(b) {
		out = append(out, byte(r))
	}
	return out
}

func date(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestCorpus lints every directory of testdata and compares what it finds with
// what stands at the end of its file; KEEPSAKE_GOLDEN=1 rewrites that.
func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 60 {
		t.Fatalf("%d directories in the corpus: %v", len(paths), err)
	}
	unseen := map[string]bool{}
	for _, r := range memdir.Rules() {
		unseen[r.ID] = true
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, b := load(t, path)
			if got := memdir.Detect(s.dir.Files).Name; s.detected != "" && got != s.detected {
				t.Errorf("looks like the profile %s, want %s", got, s.detected)
			}
			p, ok := memdir.Named(s.held)
			if !ok {
				t.Fatalf("names no profile: %q", s.held)
			}
			var got strings.Builder
			for _, f := range memdir.Lint(s.dir, p) {
				delete(unseen, f.Rule)
				mark := ""
				if f.Fixable {
					mark = ", fixable"
				}
				fmt.Fprintf(&got, "%s:%d: %s: %s [%s%s]\n", f.Path, f.Line, f.Level, f.Why, f.Rule, mark)
			}
			if s.clean && got.Len() > 0 {
				t.Errorf("found something in a directory that is in order:\n%s", got.String())
			}
			if !s.clean && got.Len() == 0 {
				t.Error("found nothing")
			}
			text, want, _ := bytes.Cut(b, []byte("-- "+findings+" --\n"))
			if os.Getenv("KEEPSAKE_GOLDEN") == "1" && !s.clean {
				want = []byte(got.String())
				if err := os.WriteFile(path, append(append(bytes.Clone(text), "-- "+findings+" --\n"...),
					want...), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != string(want) {
				t.Errorf("KEEPSAKE_GOLDEN=1 rewrites what is found:\n%s", got.String())
			}
		})
	}
	for id := range unseen {
		t.Errorf("no directory of the corpus has a finding of the rule %s", id)
	}
}

// TestLintFor finds what Lint finds of these rules.
func TestLintFor(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		s, _ := load(t, path)
		p, _ := memdir.Named(s.held)
		var want []memdir.Finding
		for _, f := range memdir.Lint(s.dir, p) {
			if f.Rule == "index-paragraph" || f.Rule == "date-relative" {
				f.Fixable = false
				want = append(want, f)
			}
		}
		if got := memdir.LintFor(s.dir, p, "index-paragraph", "date-relative"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// TestCorpusPrints prints every file of the corpus as it was read.
func TestCorpusPrints(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		s, _ := load(t, path)
		for _, f := range s.dir.Files {
			if got := memdir.Parse(f.Bytes).Print(); !bytes.Equal(got, f.Bytes) {
				t.Errorf("%s: %s is printed as %q", path, f.Path, got)
			}
		}
	}
}

// TestRulesAreDocumented holds docs/memdir.md to the table of rules; KEEPSAKE_GOLDEN=1 rewrites it.
func TestRulesAreDocumented(t *testing.T) {
	const path, head = "../../docs/memdir.md", "| rule | level | profiles | |\n| --- | --- | --- | --- |\n"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), head)
	_, after, ended := strings.Cut(rest, "\n\n")
	if !ok || !ended {
		t.Fatalf("%s has no table of rules", path)
	}
	var table strings.Builder
	for _, r := range memdir.Rules() {
		in := "all"
		if names := r.In(); len(names) < len(memdir.Profiles()) {
			in = strings.Join(names, ", ")
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", r.ID, r.Level, in, r.Says)
	}
	want := before + head + table.String() + "\n" + after
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(b) {
		t.Errorf("%s is not what the table of rules says; KEEPSAKE_GOLDEN=1 rewrites it", path)
	}
}
