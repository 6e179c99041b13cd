package promote

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func remembered(id, title, decision string) memory.Stored {
	return memory.Stored{Path: "decisions/" + id + ".json", Record: memory.Record{
		ID: id, Category: memory.Decision, Status: memory.Active, Title: title,
		Content: memory.Content{"decision": decision},
	}}
}

// TestFate: a drawer stands as long as one of its memories does, or the person says so.
func TestFate(t *testing.T) {
	stands := remembered("stands", "a", "a")
	archived, retired, reversed := stands, stands, stands
	archived.Path, archived.Status = "archived", memory.Archived
	retired.Path, retired.Status = "retired", memory.Retired
	reversed.Path, reversed.Status, reversed.SupersededBy = "reversed", memory.Retired, "decisions/new.json"
	all := []memory.Stored{stands, archived, retired, reversed}
	for name, c := range map[string]struct {
		of   []string
		left bool
		want Fate
	}{
		"of none":           {nil, false, Fate{}},
		"stands":            {[]string{stands.Path}, false, Fate{}},
		"archived":          {[]string{archived.Path}, false, Fate{}},
		"retired":           {[]string{retired.Path}, false, Fate{true, "", "retired"}},
		"reversed":          {[]string{reversed.Path}, false, Fate{true, "decisions/new.json", "reversed"}},
		"gone":              {[]string{"none"}, false, Fate{true, "", "none"}},
		"one of two stands": {[]string{reversed.Path, stands.Path}, false, Fate{}},
		"both are over": {[]string{retired.Path, reversed.Path}, false,
			Fate{true, "decisions/new.json", "retired"}},
		"the person wants it": {[]string{reversed.Path}, true, Fate{}},
		"gone and one stands": {[]string{"none", archived.Path}, false, Fate{}},
		"gone and one retired": {[]string{"none", reversed.Path}, false,
			Fate{true, "decisions/new.json", "none"}},
	} {
		if got := (Kept{Records: c.of, Stays: c.left}).Fate(all); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestRegister(t *testing.T) {
	r := Register{filepath.Join(t.TempDir(), "state", "drawers.json")}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	all := func() []Kept {
		t.Helper()
		all, err := r.All()
		must(err)
		return all
	}
	if all() != nil || r.Drop(ctx, "x") != nil {
		t.Error("there is something where nothing was promoted")
	}
	a := Kept{Path: "shop/decisions/a", IDs: []string{"a", "a_0"}, Backend: "mempalace",
		Records: []string{"decisions/a.json"}}
	b := Kept{Path: "shop/decisions/b", IDs: []string{"b"}, Backend: "mempalace"}
	must(r.Put(ctx, a, b))
	a.Records = []string{"decisions/c.json"}
	must(r.Put(ctx, a))
	must(r.Leave(ctx, "shop/decisions/b"))
	of := []string{"decisions/c.json", "decisions/a.json"}
	if got := all(); len(got) != 2 || !slices.Equal(got[0].Records, of) || got[0].Stays || !got[1].Stays {
		t.Errorf("%+v", got)
	}
	for path, want := range map[string]string{"shop/decisions/a": a.Path, "shop/decisions/a_0": a.Path,
		"shop/decisions/b": b.Path, "till/decisions/a_0": "", "shop/http/a": "", "a": "", "": ""} {
		if k, _ := Find(all(), path); k.Path != want {
			t.Errorf("%q is %q, want %q", path, k.Path, want)
		}
	}
	for of, want := range map[string]int{"": 1, "decisions/a.json": 1, "decisions/b.json": 0} {
		got, err := r.Overdue(nil, strings.Fields(of)...) // its memories are gone
		if err != nil || len(got) != want || want > 0 && got[0].Path != a.Path {
			t.Errorf("%q: %+v, %v", of, got, err)
		}
	}
	stands := remembered("c", "c", "c")
	stands.Path = "decisions/c.json"
	if got, err := r.Overdue([]memory.Stored{stands}); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	must(r.Drop(ctx, "shop/decisions/a"))
	must(r.Drop(ctx, "b"))
	if got := all(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	must(os.WriteFile(r.Path, []byte(`{"version":1,"drawers":[{"path":"x"}]}`), 0o600))
	if _, err := r.All(); err == nil || r.Put(ctx, a) == nil {
		t.Error("what can't be read is written over")
	}
}

// TestMemoriesOfADrawer: a memory is promoted by its id, and what says just what a
// memory says goes with it too; what is about something else does not.
func TestMemoriesOfADrawer(t *testing.T) {
	w := world{t.TempDir()}
	jobs := remembered("use-postgres", "Use Postgres for the job queue",
		"The job queue is in Postgres, because several workers write at once.")
	cache := remembered("use-redis", "Use Redis for the cache", "Redis caches the pages.")
	from := w.sources()
	from.Records = []memory.Stored{jobs, cache}
	from.Words = func(r memory.Stored) string { return r.Title + "\n\n" + r.Body() }
	for _, id := range []string{"use-postgres", "decisions/use-postgres.json"} {
		p, err := from.Named(ctx, "embedded", []string{id})
		if err != nil || len(p.Items) != 1 || !slices.Equal(p.Items[0].Records, []string{jobs.Path}) ||
			p.Items[0].Drawer.Text != from.Words(jobs)[:len(from.Words(jobs))-1] {
			t.Fatalf("%s: %+v, %v", id, p, err)
		}
	}
	for text, want := range map[string][]string{
		"Use Postgres for the job queue, because several workers write at once.": {jobs.Path},
		"Decided to use Redis for the cache.":                                    {cache.Path},
		"The job queue is drained by four workers.":                              nil,
		"Use Memcached for the sessions.":                                        nil,
	} {
		p, err := from.Text(ctx, "embedded", text)
		if err != nil || !slices.Equal(p.Items[0].Records, want) {
			t.Errorf("%q: %v, %v, want %v", text, p.Items[0].Records, err, want)
		}
	}
	p, err := from.Named(ctx, "embedded", []string{"use-postgres"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(ctx, w.hands(nil), p); err != nil {
		t.Fatal(err)
	}
	all, err := w.register().All()
	if err != nil || len(all) != 1 || all[0].Path != "shop/decisions/"+p.Items[0].Drawer.ID() ||
		!slices.Equal(all[0].Records, []string{jobs.Path}) {
		t.Errorf("%+v, %v", all, err)
	}
}
