package tidy

import (
	"fmt"
	"slices"
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
		{"Never deploy on Fridays.", "Deploy on Fridays, never on Mondays.", Contradiction,
			"one denies what the other says"},
		{"The API listens on 8001.", "The gateway listens on 9090.", "", ""},
		{"The API service listens on port 8001.", "The gateway service listens on port 9090.", "", ""},
		{"The port of the API service is 8001.", "The port of the gateway service is 9090.", "", ""},
		{"The billing service listens on port 8001.", "The billing service runs on port 9001.", Contradiction,
			"other numbers: 8001 and 9001"},
		{"We run Postgres 14 for the orders.", "We run MySQL 8 for the orders.", Contradiction,
			"other names: Postgres and MySQL"},
	} {
		d := dirOf("a.md", "- "+tt.a+"\n", "b.md", "- "+tt.b+"\n")
		p, _ := memdir.Named("pointer")
		var said []Statement
		for _, f := range d.Files {
			said = append(said, statements(f.Path, memdir.Parse(f.Bytes))...)
		}
		got := pairs(said, d.Map(p), alike.Notes)
		switch {
		case tt.kind == "" && len(got) > 0:
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
	sheet := NewSheet(d, p, memdir.Lint(d, p), Repo{}).Open(nil)
	seen, times := 0, map[Statement]int{}
	for page := sheet.From(1); ; page = sheet.From(page.Next) {
		size := 0
		for _, c := range page.Calls {
			for _, s := range c.Statements {
				size += min(len(s.Text), maxOne)
				times[s]++
			}
		}
		if len(page.Calls) == 0 || len(page.Calls) > maxCalls || size > maxSaid {
			t.Fatalf("a page has %d calls with %d bytes", len(page.Calls), size)
		}
		if seen += len(page.Calls); page.Next == 0 {
			break
		}
	}
	if seen != sheet.All || sheet.Later == 0 {
		t.Errorf("%d of %d calls are on a page, %d come later", seen, sheet.All, sheet.Later)
	}
	for s, n := range times {
		if n > maxTwice {
			t.Errorf("%d calls about %s:%d", n, s.File, s.Line)
		}
	}
}

// TestSheetCanBeFinished has a person who keeps all that is asked, page by page.
func TestSheetCanBeFinished(t *testing.T) {
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	for i := range 43 {
		d.Files = append(d.Files, memdir.File{Path: fmt.Sprintf("f%02d.md", i), Modified: now,
			Bytes: fmt.Appendf(nil, "The importer retries jobs of %s at most %d times.\n",
				strings.Repeat("x", 1+i%21), i)})
	}
	p, _ := memdir.Named("pointer")
	var kept Kept
	asked := 0
	for round := 0; ; round++ {
		all := NewSheet(d, p, memdir.Lint(d, p), Repo{})
		page := all.Open(kept).From(1)
		if page.All == 0 {
			if page.Kept != len(all.Calls) || page.Kept < 20 {
				t.Errorf("%d of %d calls are kept", page.Kept, len(all.Calls))
			}
			break
		}
		var answers []Answer
		for _, c := range page.Calls {
			answers = append(answers, Answer{Call: c.Number, Action: "keep", Reason: "r"})
		}
		out := Plan(d, p, all.Calls, answers)
		if len(out.Refused) > 0 || round > 100 {
			t.Fatalf("round %d: %+v", round, out.Refused)
		}
		asked += len(answers)
		kept = all.Update(kept, out, now)
		if len(kept) != asked {
			t.Fatalf("%d answers, %d are kept", asked, len(kept))
		}
	}
	d.Files[0].Bytes = []byte("The importer retries jobs of x at most 99 times.\n")
	again := NewSheet(d, p, memdir.Lint(d, p), Repo{}).Open(kept)
	if again.All == 0 || again.Kept == 0 {
		t.Errorf("a statement changed: %d calls are open, %d kept", again.All, again.Kept)
	}
	for _, c := range again.Calls {
		if !slices.ContainsFunc(c.Statements, func(s Statement) bool { return s.File == "f00.md" }) &&
			c.File != "f00.md" {
			t.Errorf("asked again: %+v", c)
		}
	}
}

// TestKept keeps one call of a statement and not its other one, and forgets what is answered otherwise.
func TestKept(t *testing.T) {
	d := dirOf("MEMORY.md", "- [A](a.md) — which database the shop uses\n- [B](b.md) — which database runs\n"+
		"- [C](c.md) — which database is in use\n", "a.md", "- The shop uses Postgres 14 for orders.\n",
		"b.md", "- The shop uses Postgres 15 for orders.\n", "c.md",
		"- The shop uses Postgres 16 for orders.\n")
	p, _ := memdir.Named("pointer")
	sheet := NewSheet(d, p, nil, Repo{})
	a := Place{File: "a.md", Text: "The shop uses Postgres 14 for orders."}
	keepB := Answer{Place: a, Call: 1, Action: "keep", Reason: "r"}
	kept := sheet.Update(nil, Plan(d, p, sheet.Calls, []Answer{keepB}), now)
	if open := sheet.Open(kept); len(kept) != 1 || open.All != 2 || open.Calls[0].Number != 2 {
		t.Errorf("%+v of %+v", kept, open)
	}
	gone := Plan(d, p, sheet.Calls, []Answer{{Place: a, Action: "delete", Reason: "r"}})
	if kept = sheet.Update(kept, gone, now); len(kept) != 0 {
		t.Errorf("it is deleted, and kept: %v", kept)
	}
	out := Plan(d, p, sheet.Calls, []Answer{{Call: 77, Action: "keep", Reason: "r"}})
	if len(out.Refused) != 1 || len(sheet.Update(nil, out, now)) != 0 {
		t.Errorf("call 77: %+v", out.Report)
	}
	old := Sheet{Calls: []Call{{Number: 1, Kind: Old, File: "a.md", Why: "91 days"}}}
	kept = Kept{old.Calls[0].key(): "2026-01-02"}
	if kept = old.Update(kept, Outcome{}, now); len(kept) != 0 {
		t.Errorf("a file kept for a year: %v", kept)
	}
}

// TestSheetIsRanked begins with what the project proves, then contradictions across files, then descriptions.
func TestSheetIsRanked(t *testing.T) {
	d := dirOf("a.md", "---\nname: a\ndescription: notes\ntype: reference\n---\n- The shop uses Postgres 14 "+
		"for orders.\n- The shop keeps invoices for 7 years.\n- The shop keeps invoices for 10 years.\n",
		"b.md", "- The shop uses Postgres 15 for orders.\n- Look into docs/gone.md first.\n")
	p, _ := memdir.Named("pointer")
	var got []string
	sheet := NewSheet(d, p, []memdir.Finding{{Path: "a.md", Line: 3, Rule: "description-vague"}},
		Repo{Has: func(p string) bool { return p == "docs" }})
	for _, c := range sheet.Calls {
		got = append(got, fmt.Sprint(c.Kind, " ", c.files()))
	}
	want := []string{"stale 1", "contradiction 2", "describe 0", "contradiction 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestSubjects tells lines of one list that are about different things from those that contradict.
func TestSubjects(t *testing.T) {
	for list, want := range map[string]int{
		"- orders: listens on port 8080\n- billing: listens on port 8081\n":                         0,
		"- port of orders: tcp 8080 there\n- port of orders: tcp 8081 there\n":                      1,
		"- The orders service listens on port 8080.\n- The billing service listens on port 8081.\n": 0,
		"- The service listens on port 8080.\n- The service listens on port 8081.\n":                1,
		"- `make fast` runs the tests in 2 minutes.\n- `make slow` runs the tests in 9 minutes.\n":  0,
		"- Redis caches the sessions of users.\n- Memcached caches the sessions of users.\n":        0,
		"- Sessions of users are cached in Redis.\n- Sessions of users are cached in Memcached.\n":  1,
		"- Don't retry failed rows.\n- Retry failed rows.\n":                                        1,
		"- orders\n  - the service listens on 80\n- billing\n  - the service listens on 81\n":       0,
		"- orders\n  - the service listens on 80\n  - the service listens on 81\n":                  1,
		"| service | limit |\n| - | - |\n| orders api | retries jobs 3 times |\n" +
			"| billing api | retries jobs 5 times |\n": 0,
		"- orders: listens on port 80\n\n## Other\n\n- billing: listens on port 81\n": 0,
		"- orders: listens on port 80\n\n## Other\n\n- orders: listens on port 81\n":  1,
	} {
		d := dirOf("a.md", list)
		p, _ := memdir.Named("pointer")
		got := 0
		for _, c := range pairs(statements("a.md", memdir.Parse([]byte(list))), d.Map(p), nil) {
			if c.Kind == Contradiction {
				got++
			}
		}
		if got != want {
			t.Errorf("%d contradictions, want %d:\n%s", got, want, list)
		}
	}
}

// services returns a directory in which n files say the same of n services, and two contradict each other.
func services(n int) memdir.Dir {
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	names := []string{"billing"}
	for i := range n - 1 {
		names = append(names, "s"+strings.Repeat(string(rune('a'+i%26)), 2+i/26))
	}
	for i, name := range names {
		d.Files = append(d.Files, memdir.File{Path: name + ".md", Modified: now,
			Bytes: fmt.Appendf(nil, "- the %s service listens on port %d\n", name, 8001+i)})
	}
	d.Files = append(d.Files, memdir.File{Path: "ops.md", Modified: now,
		Bytes: []byte("- the billing service listens on port 9001\n")})
	return d
}

// TestCommonWordsHideNothing: however many statements have the words of a pair, it is found; and what is
// said of other things in the same words is none.
func TestCommonWordsHideNothing(t *testing.T) {
	p, _ := memdir.Named("pointer")
	for _, n := range []int{1, 13, 30, 900} {
		d := services(n)
		var got []string
		for _, c := range NewSheet(d, p, nil, Repo{}).Calls {
			got = append(got, string(c.Kind)+" "+c.File+" "+c.Why)
		}
		if !slices.Equal(got, []string{"contradiction billing.md other numbers: 8001 and 9001"}) {
			t.Errorf("%d: %d calls, %.300q", n, len(got), got)
		}
	}
	// Statements with all words in common but their numbers.
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	for i := range 40 {
		d.Files = append(d.Files, memdir.File{Path: fmt.Sprintf("f%02d.md", i), Modified: now,
			Bytes: fmt.Appendf(nil, "- the queue holds at most %d jobs\n", 100+i)})
	}
	asked := map[string]bool{}
	for _, c := range NewSheet(d, p, nil, Repo{}).Calls {
		for _, s := range c.Statements {
			asked[s.File] = true
		}
	}
	if len(asked) != 40 {
		t.Errorf("%d of 40 statements are asked about", len(asked))
	}
}

func BenchmarkSheet(b *testing.B) {
	p, _ := memdir.Named("pointer")
	for _, n := range []int{90, 900, 9000} {
		d := services(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				NewSheet(d, p, nil, Repo{})
			}
		})
	}
}
