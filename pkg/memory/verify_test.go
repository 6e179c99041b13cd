package memory

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyCheck draws a check that may be written.
func anyCheck(t *rapid.T) string {
	return rapid.SampledFrom([]string{"path_exists a/b.go", "path_exists \"a b.md\"", "before 2027-01-01",
		"requires go.mod golang.org/x/mod v0.3.0", "commit_ancestor 0123abc", "symbol_defined pkg/a Run",
		"file_contains a.yaml \"pool: 20\"", "requires web/package.json @a/b 1.2 below 2"}).Draw(t, "check")
}

func TestParseCheck(t *testing.T) {
	for line, want := range map[string]Check{
		"path_exists internal/queue/redis.go":  {Kind: PathExists, Path: "internal/queue/redis.go"},
		`path_exists "docs/how to.md"`:         {Kind: PathExists, Path: "docs/how to.md"},
		`file_contains config.yaml "pool: 20"`: {Kind: FileContains, Path: "config.yaml", Name: "pool: 20"},
		`file_contains a "say \"hi\""`:         {Kind: FileContains, Path: "a", Name: `say "hi"`},
		"requires go.mod go 1.26": {Kind: Requires, Path: "go.mod", Name: "go",
			AtLeast: "1.26"},
		"symbol_defined pkg/queue Queue.Push": {Kind: SymbolDefined, Path: "pkg/queue", Name: "Queue.Push"},
		"symbol_defined src/größe.ts größe":   {Kind: SymbolDefined, Path: "src/größe.ts", Name: "größe"},
		"commit_ancestor 3f2a9bc":             {Kind: CommitAncestor, Commit: "3f2a9bc"},
		"before 2027-01-31":                   {Kind: Before, Date: "2027-01-31"},
		"requires web/package.json react 17": {Kind: Requires, Path: "web/package.json", Name: "react",
			AtLeast: "17"},
		"requires package.json r 17.0 below 18": {Kind: Requires, Path: "package.json", Name: "r",
			AtLeast: "17.0", Below: "18"},
		"requires go.mod golang.org/x/mod v0.3.0-rc.1+dirty": {Kind: Requires, Path: "go.mod",
			Name: "golang.org/x/mod", AtLeast: "v0.3.0-rc.1+dirty"},
		"path_exists ..a/.env": {Kind: PathExists, Path: "..a/.env"},
		"path_exists   a.go":   {Kind: PathExists, Path: "a.go"},
	} {
		got, err := ParseCheck(line)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
		if again, err := ParseCheck(got.String()); err != nil || again != got {
			t.Errorf("%s: written as %s: %+v, %v", line, got, again, err)
		}
	}
	for line, why := range map[string]string{
		"": "is no check", "sh -c id": "is no check", "PATH_EXISTS a": "is no check",
		"run \"rm -rf /\"": "is no check", "http_get https://a.example": "is no check",
		"path_exists": "has 1 words, not 2", "path_exists a b": "has 3 words",
		"path_exists /etc/passwd": "no path", "path_exists ../x": "no path",
		"path_exists a/../../x": "no path",
		"path_exists .":         "no path", "path_exists ..": "no path", "path_exists a//b": "no path",
		"path_exists a/": "no path", "path_exists .git/config": "no path", "path_exists .GIT": "no path",
		`path_exists a\b`: "no path", `path_exists "a` + "\\u0000" + `b"`: "no path",
		`path_exists "`: "not closed", `path_exists "a"b`: "more behind",
		"path_exists a\nb": "not shown", "path_exists a\u202eb": "not shown",
		"path_exists " + strings.Repeat("x", 301):     "no path",
		"file_contains a " + strings.Repeat("x", 201): "1 to 200 bytes", "file_contains a \" \"": "1 to 200",
		"file_contains a x" + strings.Repeat("x", 500): "more than 500",
		"requires Cargo.toml serde 1":                  "go.mod, package.json or pyproject.toml",
		"requires go.mod go latest":                    "a version is written",
		"requires go.mod go 1.2 below x":               "a version is written",
		"requires go.mod go 1.2 above 1.1":             "has 6 words, not 4",
		"requires go.mod \"a b\" 1.2":                  "no name of a module",
		"symbol_defined a.go 9x":                       "no name of a symbol",
		"symbol_defined a.go a.b.c":                    "no name of a symbol",
		"symbol_defined a.go a(":                       "no name of a symbol",
		"commit_ancestor HEAD":                         "7 to 64 hex", "commit_ancestor --all": "7 to 64 hex",
		"commit_ancestor abc": "7 to 64",
		"before tomorrow":     "2026-11-20", "before 2026-13-01": "2026-11-20",
	} {
		if c, err := ParseCheck(line); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %+v, %v, want %q", line, c, err, why)
		}
	}
}

// TestVerifyInRecords: what is no check costs nothing but itself where it is read, and is not written.
func TestVerifyInRecords(t *testing.T) {
	r := whole()
	r.Verify = []string{"path_exists a.go", "run id", "before 2027-01-01"}
	if err := r.Validate(); err == nil || !strings.HasPrefix(err.Error(), "verify[1]: expected a check") {
		t.Error(err)
	}
	read, err := Decode(r.Encode())
	if err != nil || read.SchemaVersion != "1.3" || !reflect.DeepEqual(read.Verify, r.Verify) {
		t.Fatal(read.Verify, err)
	}
	want := []Check{{Kind: PathExists, Path: "a.go"}, {Kind: Before, Date: "2027-01-01"}}
	if got := read.Checks(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	r.Verify = slicesRepeat("path_exists a.go", MaxChecks+1)
	if err := r.Validate(); err == nil || len(r.Checks()) != MaxChecks {
		t.Error(err, len(r.Checks()))
	}
}

func slicesRepeat(s string, n int) (all []string) {
	for range n {
		all = append(all, s)
	}
	return all
}

func TestMergeVerify(t *testing.T) {
	base, ours, theirs := whole(), whole(), whole()
	base.Verify = []string{"path_exists a.go"}
	ours.Verify = []string{"path_exists a.go", "path_exists b.go"}
	theirs.Verify = []string{"before 2027-01-01"}
	m, err := Merge(&base, ours, theirs)
	if err != nil || len(m.Conflicts) > 0 ||
		!reflect.DeepEqual(m.Verify, []string{"path_exists b.go", "before 2027-01-01"}) &&
			!reflect.DeepEqual(m.Verify, []string{"before 2027-01-01", "path_exists b.go"}) {
		t.Errorf("%v, %v", m.Verify, err)
	}
}

func TestParseExpiry(t *testing.T) {
	for s, want := range map[string]Expiry{
		"2026-12-31":                     {Date: "2026-12-31"},
		"until 2026-12-31.":              {Date: "2026-12-31"},
		"commit 3f2a9bc":                 {Commit: "3f2a9bc"},
		"react 19":                       {Name: "react", Version: "19"},
		"react@19.1":                     {Name: "react", Version: "19.1"},
		"@types/node@22":                 {Name: "@types/node", Version: "22"},
		"go 1.27":                        {Name: "go", Version: "1.27"},
		"path_exists docs/v2":            {Check: Check{Kind: PathExists, Path: "docs/v2"}},
		"not path_exists old":            {Check: Check{Kind: PathExists, Path: "old"}, Not: true},
		"until not path_exists old.go":   {Check: Check{Kind: PathExists, Path: "old.go"}, Not: true},
		"github.com/jackc/pgx/v5 v5.6.0": {Name: "github.com/jackc/pgx/v5", Version: "v5.6.0"},
	} {
		if got, acts := ParseExpiry(s); !acts || got != want {
			t.Errorf("%s: %+v, %v", s, got, acts)
		}
	}
	for _, s := range []string{"", "never", "none", "when v2 ships", "end of the year", "2026-13-01", "19",
		"2 3",
		"2026-12-31 or earlier", "commit HEAD", "not", "after the audit", "user@example.com"} {
		if got, acts := ParseExpiry(s); acts {
			t.Errorf("%q acts: %+v", s, got)
		}
	}
}

func FuzzParseCheck(f *testing.F) {
	for _, s := range []string{"path_exists a/b.go", `file_contains a "x y"`,
		"requires go.mod a/b v1.2 below 2",
		"symbol_defined a b.c", "commit_ancestor 0123abc", "before 2027-01-01", "not before 2026-01-01",
		"a@1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		ParseExpiry(line)
		c, err := ParseCheck(line)
		if err != nil {
			return
		}
		if again, err := ParseCheck(c.String()); err != nil || again != c {
			t.Errorf("%q is written as %q: %+v, %v", line, c, again, err)
		}
		if strings.HasPrefix(c.Path, "/") || strings.Contains("/"+c.Path+"/", "/../") ||
			strings.Contains(c.Path, "\x00") {
			t.Errorf("%q leads out: %q", line, c.Path)
		}
	})
}
