package checks

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
)

// A world is a generated project with memories about it, and what is true of it.
type world struct {
	t     *testing.T
	dir   string
	r     *rand.Rand
	files []string
	deps  map[string]map[string][3]int // by manifest and name: the version

	memories []memory.Stored
	about    [][]string // of each memory: the files, "file#symbol" or "manifest name" that it rests on
	untrue   map[string]bool
}

func (w *world) write(name, text string) {
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

var (
	rooms = []string{"internal/queue", "internal/billing", "internal/auth", "internal/mail", "web/src",
		"web/src/cart", "tools", "api", "docs", "jobs"}
	nouns = []string{"redis", "invoice", "token", "worker", "cart", "export", "search", "upload", "session",
		"report", "webhook", "cache"}
	modules = map[string][]string{
		"go.mod": {"github.com/jackc/pgx", "github.com/redis/go-redis", "golang.org/x/sync",
			"github.com/spf13/cobra", "go.uber.org/zap", "github.com/stretchr/testify"},
		"package.json":   {"react", "vite", "typescript", "@tanstack/query", "zod", "eslint"},
		"pyproject.toml": {"django", "celery", "pydantic", "ruff"},
	}
)

// short is what people call a module.
func short(name string) string { return name[strings.LastIndex(name, "/")+1:] }

func symbolOf(file string) string {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return strings.ToUpper(base[:1]) + base[1:]
}

func codeOf(file, symbol, body string) string {
	switch filepath.Ext(file) {
	case ".go":
		return "package p\n\n// " + symbol + " does it.\nfunc " + symbol + "() {\n\t" + body + "\n}\n"
	case ".ts":
		return "export function " + symbol + "() {\n  " + body + "\n}\n"
	case ".py":
		return "def " + symbol + "():\n    " + body + "\n"
	}
	return "# " + symbol + "\n\n" + body + "\n"
}

func (w *world) writeManifests() {
	var g, n, p strings.Builder
	g.WriteString("module shop\n\ngo 1.26.0\n\nrequire (\n")
	for _, m := range modules["go.mod"] {
		v := w.deps["go.mod"][m]
		path := m
		if v[0] > 1 {
			path += fmt.Sprintf("/v%d", v[0])
		}
		fmt.Fprintf(&g, "\t%s v%d.%d.%d\n", path, v[0], v[1], v[2])
	}
	g.WriteString(")\n")
	n.WriteString(`{"name": "shop", "dependencies": {`)
	for i, m := range modules["package.json"] {
		v := w.deps["package.json"][m]
		if i > 0 {
			n.WriteString(", ")
		}
		fmt.Fprintf(&n, `"%s": "^%d.%d.%d"`, m, v[0], v[1], v[2])
	}
	n.WriteString("}}\n")
	p.WriteString("[project]\nname = \"shop\"\nrequires-python = \">=3.12\"\ndependencies = [\n")
	for _, m := range modules["pyproject.toml"] {
		v := w.deps["pyproject.toml"][m]
		fmt.Fprintf(&p, "  \"%s>=%d.%d.%d\",\n", m, v[0], v[1], v[2])
	}
	p.WriteString("]\n")
	w.write("go.mod", g.String())
	w.write("package.json", n.String())
	w.write("pyproject.toml", p.String())
}

// newWorld generates a project with 160 files and 200 memories. Of the memories that are about a file one in
// 25 names it in its text alone, as drafts do at times; some speak of a module without its version, or with
// numbers that are none.
func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, dir: t.TempDir(), r: rand.New(rand.NewPCG(seed, 7)),
		deps:   map[string]map[string][3]int{},
		untrue: map[string]bool{}}
	for manifest, names := range modules {
		w.deps[manifest] = map[string][3]int{}
		for _, m := range names {
			w.deps[manifest][m] = [3]int{1 + w.r.IntN(18), w.r.IntN(20), w.r.IntN(10)}
		}
	}
	w.writeManifests()
	for len(w.files) < 160 {
		name := pick(w.r, rooms) + "/" + pick(w.r, nouns) + fmt.Sprint(len(w.files)) +
			pick(w.r, []string{".go", ".ts", ".py", ".md"})
		w.files = append(w.files, name)
		w.write(name, codeOf(name, symbolOf(name), "return 1"))
	}
	for i := range 200 {
		d := draft.Draft{Category: memory.Decision, Title: fmt.Sprintf("Memory %d", i),
			Content: memory.Content{
				"status": "accepted", "context": "We looked at it.", "rationale": []string{"fast"}}}
		if w.r.IntN(6) == 0 { // numbers that are no versions
			d.Content["context"] = fmt.Sprintf("We %s %d %s after, and sync %d workers.",
				pick(w.r, []string{"react", "vite", "query", "retry", "ruff"}), 1+w.r.IntN(9),
				pick(w.r, []string{"seconds", "times", "users", "tabs", "windows", "jobs"}), 1+w.r.IntN(9))
		}
		var about []string
		said := ""
		switch kind := w.r.IntN(10); {
		case kind < 5: // files
			for range 1 + w.r.IntN(2) {
				f := pick(w.r, w.files)
				about = append(about, f)
				said += "It is in " + f + ". "
				if w.r.IntN(25) > 0 {
					d.RelatedFiles = append(d.RelatedFiles, f)
				}
			}
		case kind < 7: // a version
			manifest := pick(w.r, []string{"go.mod", "package.json", "pyproject.toml"})
			m := pick(w.r, modules[manifest])
			v := w.deps[manifest][m]
			about = append(about, manifest+" "+m)
			form := pick(w.r, []string{"%s %d.%d", "%s v%d.%d", "%s version %d.%d", "%s@%d.%d",
				"%s >= %d.%d"})
			said = "We use " + fmt.Sprintf(form, short(m), v[0], v[1]) + " for this. "
		case kind < 9: // a symbol, which the draft asks for
			f := pick(w.r, w.files)
			for filepath.Ext(f) == ".md" {
				f = pick(w.r, w.files)
			}
			about = append(about, f, f+"#"+symbolOf(f))
			d.RelatedFiles, d.Checks = []string{f}, true
			d.Verify = []string{memory.Check{Kind: memory.SymbolDefined, Path: f, Name: symbolOf(f)}.String()}
			said = symbolOf(f) + " does it. "
		default: // about nothing in the project
			m := pick(w.r, modules["package.json"])
			said = "Ask " + short(m) + " people first. "
		}
		d.Content["decision"] = said + "That is settled."
		lines, _ := Propose(w.dir, today, d, nil)
		w.memories = append(w.memories, memory.Stored{Path: fmt.Sprintf("decisions/m%d.json", i),
			Record: memory.Record{Category: d.Category, Content: d.Content, Verify: lines}})
		w.about = append(w.about, about)
	}
	return w
}

var today = time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)

// change makes the changes of a few months: some break what memories rest on, most do not.
func (w *world) change() {
	gone := map[string]bool{}
	alive := func() string {
		for {
			if f := pick(w.r, w.files); !gone[f] {
				return f
			}
		}
	}
	for range 12 { // renames and moves
		f := alive()
		to := pick(w.r, rooms) + "/moved-" + filepath.Base(f)
		if w.r.IntN(2) == 0 {
			to = strings.TrimSuffix(f, filepath.Ext(f)) + "_v2" + filepath.Ext(f)
		}
		b, _ := os.ReadFile(filepath.Join(w.dir, f))
		w.write(to, string(b))
		os.Remove(filepath.Join(w.dir, f))
		gone[f], w.untrue[f] = true, true
	}
	for range 8 { // deletions
		f := alive()
		os.Remove(filepath.Join(w.dir, f))
		gone[f], w.untrue[f] = true, true
	}
	for range 6 { // a symbol is renamed in its file, and called by its new name
		f := alive()
		if filepath.Ext(f) == ".md" {
			continue
		}
		old := symbolOf(f)
		w.write(f, strings.ReplaceAll(codeOf(f, old, "return 1"), old, "Renamed"))
		gone[f], w.untrue[f+"#"+old] = true, true
	}
	for manifest, names := range modules {
		for i, m := range names {
			v := w.deps[manifest][m]
			switch i % 4 {
			case 0: // a major version
				v = [3]int{v[0] + 1, 0, 0}
				w.untrue[manifest+" "+m] = true
			case 1, 2: // a minor one, and a patch
				v = [3]int{v[0], v[1] + i%3, v[2] + 1}
			}
			w.deps[manifest][m] = v
		}
	}
	w.writeManifests()
	for range 60 { // edits that break nothing
		f := alive()
		w.write(f, codeOf(f, symbolOf(f), "return 2 // formatted"))
	}
	for i := range 30 {
		w.write(pick(w.r, rooms)+fmt.Sprintf("/new%d.go", i), "package p\n")
	}
}

// TestMeasure: of the memories that seeded renames, deletions and version bumps made untrue at least 95 % are
// flagged, and at most 1 % of the others. docs/quality.md has the figures.
func TestMeasure(t *testing.T) {
	var untrue, flagged, others, wrong, checked int
	for seed := range uint64(10) {
		w := newWorld(t, seed)
		before, err := Evaluate(w.dir, today, w.memories, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range before {
			if len(e.Checks) > 0 {
				checked++
			}
			if e.Fails() {
				t.Errorf("seed %d: memory %d fails as it is saved: %+v", seed, i, e)
			}
		}
		w.change()
		after, err := Evaluate(w.dir, today, w.memories, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range after {
			is := slices.ContainsFunc(w.about[i], func(a string) bool { return w.untrue[a] })
			switch {
			case is:
				untrue++
				if e.Fails() {
					flagged++
				} else if testing.Verbose() {
					t.Logf("missed: %v, %q", w.about[i], e.Checks)
				}
			default:
				others++
				if e.Fails() {
					wrong++
					t.Logf("wrong: %v, %+v", w.about[i], e.Checks)
				}
			}
		}
	}
	t.Logf("%d memories, %d with checks; untrue %d, flagged %d (%.1f %%); others %d, flagged %d (%.2f %%)",
		untrue+others, checked, untrue, flagged, 100*float64(flagged)/float64(untrue), others, wrong,
		100*float64(wrong)/float64(others))
	if untrue < 300 || 100*flagged < 95*untrue || 100*wrong > others {
		t.Errorf("of %d untrue ones %d are flagged, of %d others %d", untrue, flagged, others, wrong)
	}
}
