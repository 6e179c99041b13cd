package tidy

import (
	"strings"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
)

// TestSheet asks about what somebody has to decide, and not about what is in order.
func TestSheet(t *testing.T) {
	repo := Repo{Has: func(p string) bool {
		return p == "internal" || p == "internal/queue.go" || p == "docs/api.md"
	}}
	repo.Read("go.mod",
		[]byte("module x\n\ngo 1.26.1\n\nrequire (\n\tgithub.com/alecthomas/kong "+
			"v1.12.0\n\tgopkg.in/yaml.v3 v3.0.1\n)\n"))
	repo.Read("package.json",
		[]byte(`{"scripts": {"test": "x"}, "engines": {"node": ">=20"}, "dependencies": {"react": "^18.2.0"}}`))
	repo.Read("Makefile", []byte(".PHONY: lint\nbuild test: deps\n\tgo build\nX := 1\n"))
	repo.Read("compose.yml", []byte("services:\n  db:\n    image: postgres:16.2\n"))
	repo.Read("pyproject.toml",
		[]byte("requires-python = \">=3.12\"\ndependencies = [\n  \"django>=5.0\",\n]\n"))
	repo.Read(".tool-versions", []byte("ruby 3.3.0\n"))
	repo.Read(".nvmrc", []byte("v20.1\n"))
	for text, want := range map[string]string{
		"We use Postgres 14 for orders.":    "postgres 14: compose.yml:3 says 16.2",
		"PostgreSQL 16 holds the orders.":   "",
		"Built with Go 1.24 and kong 1.12.": "go 1.24: go.mod:3 says 1.26.1",
		"Go 1.26 builds it.":                "",
		"| Postgres | 14 |":                 "postgres 14: compose.yml:3 says 16.2",
		"Node 18 runs the tests.":           "node 18: package.json says 20",
		"Node v20 runs the tests.":          "",
		"react 17 and Python 3.11 are used.": "python 3.11: pyproject.toml:1 says 3.12; react " +
			"17: package.json says 18.2.0",
		"django 4.2 is what we have.":                     "django 4.2: pyproject.toml:3 says 5.0",
		"ruby version 3.2 builds the docs.":               "ruby 3.2: .tool-versions:1 says 3.3.0",
		"The queue is in internal/queue.go:12.":           "",
		"The queue is in internal/jobs.go.":               "internal/jobs.go isn't there",
		"Look at `internal/jobs` first.":                  "internal/jobs isn't there",
		"Read and/or write, TCP/IP, `a/b`, 3/4 of it.":    "",
		"See https://example.com/docs/api.md and ~/x/y.z": "",
		"github.com/owner/repo.git is the module.":        "",
		"Run `make build` and `make -j4 test`.":           "",
		"Run `make deploy` on Fridays.":                   "Makefile has no deploy",
		"`cd x && make lint; npm run build` does it.":     "package.json has no build",
		"We make deploy easy.":                            "",
		"Archives are archive/topic-archive-YYYY.md.":     "",
	} {
		s := statements("a.md", memdir.Parse([]byte(text)))[0]
		if got := repo.against(s); got != want {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
	if got := (Repo{}).against(Statement{Text: "`make x` in a/b.go with go 1.1"}); got != "" {
		t.Errorf("without a repository: %s", got)
	}
}

// TestPairs tells what may contradict from what seems to be the same.
func TestPairs(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		kind Kind
		why  string
	}{
		{"The shop uses Postgres 14 for orders.", "Orders are kept in Postgres 16 by the shop.",
			Contradiction, "other numbers: 14 and 16"},
		{"The import job must retry failed rows.", "The import job must not retry failed rows.",
			Contradiction, "one denies what the other says"},
		{"Sessions of the shop are cached in Redis.", "Sessions of the shop are cached in Memcached.",
			Contradiction, "other names: Redis and Memcached"},
		{"A job is tried three times before it is marked dead.",
			"Before it is marked as dead a job is tried three times.", Near, "they seem to say the same"},
		{"We don't use Redis for caching.", "We use Redis for caching sessions.", Contradiction,
			"one denies what the other says"},
		{"Prefers tabs over spaces in Go.", "Prefers spaces over tabs in Go.", Contradiction,
			"the same words in another order"},
		{"The shop uses Postgres for orders.", "Invoices are printed on Fridays by hand.", "", ""},
		{"The deploy of 2026-01-02 took long because of the index.",
			"The deploy of 2026-03-04 took long because of the index.", "", ""},
		{"The shop uses Postgres for orders.", "The shop uses postgres for orders.", "", ""},
	} {
		d := dirOf("a.md", "- "+tt.a+"\n", "b.md", "- "+tt.b+"\n")
		p, _ := memdir.Named("pointer")
		var said []Statement
		for _, f := range d.Files {
			said = append(said, statements(f.Path, memdir.Parse(f.Bytes))...)
		}
		got := pairs(said, d.Map(p), alike.Notes)
		switch {
		case tt.kind == "" && len(got) > 0 && got[0].Kind == Contradiction:
			t.Errorf("%s / %s: %s", tt.a, tt.b, got[0].Why)
		case tt.kind != "" && (len(got) != 1 || got[0].Kind != tt.kind || got[0].Why != tt.why):
			t.Errorf("%s / %s: %+v, want %s: %s", tt.a, tt.b, got, tt.kind, tt.why)
		}
	}
}

// TestSheetIsBounded asks a bounded number of things of a large directory.
func TestSheetIsBounded(t *testing.T) {
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	for i := range 300 {
		name := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		d.Files = append(d.Files,
			memdir.File{Path: name + ".md", Modified: now,
				Bytes: []byte("The worker " + name + " retries each job of the importer " +
					strings.Repeat("very ", i%90) + "often, at most " + strings.Repeat("1", 1+i%7) +
					" times.\n")})
	}
	p, _ := memdir.Named("pointer")
	sheet := NewSheet(d, p, memdir.Lint(d, p), Repo{})
	size := 0
	for i, c := range sheet.Calls {
		if c.Number != i+1 {
			t.Errorf("call %d has the number %d", i+1, c.Number)
		}
		for _, s := range c.Statements {
			size += min(len(s.Text), maxOne)
		}
	}
	if len(sheet.Calls) == 0 || len(sheet.Calls) > maxCalls || size > maxSaid || sheet.Left == 0 {
		t.Errorf("%d calls with %d bytes, %d left", len(sheet.Calls), size, sheet.Left)
	}
}
