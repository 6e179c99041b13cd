package classify_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/search/alike"
)

// TestDifferent files two statements that differ in little: each stands afterwards.
func TestDifferent(t *testing.T) {
	for _, p := range memdir.Profiles() {
		for _, c := range [][2]string{
			{"2026-10-01: the deploy failed on eu-west", "2026-11-01: the deploy failed on eu-west"},
			{"**Staging:** the database is at db.internal", "**Prod:** the database is at db.internal"},
			{"Use the flag -v to show the lines", "Use the flag -V to show the lines"},
			{"The latency board is at grafana.internal/d/api",
				"The alarm board is at grafana.internal/d/alarm"},
			{"The head has _Updated: before the name", "The head has _Updated: behind the name"},
			{"The importer fails on an empty row", "The exporter fails on an empty row"},
		} {
			var d memdir.Dir
			d.Now, d.Alike = now, alike.Notes
			for _, text := range c {
				r, err := classify.File(d, p, classify.Note{Text: text, Kind: "reference"})
				if err != nil || r.Did == classify.Already {
					t.Errorf("%s: %s: %s %v", p.Name, text, r.Did, err)
				}
				d = apply(t, d, r)
			}
			for _, text := range c {
				if !slices.ContainsFunc(d.Files, func(f memdir.File) bool {
					return bytes.Contains(f.Bytes, []byte(text))
				}) {
					t.Errorf("%s: %s stands nowhere", p.Name, text)
				}
			}
		}
	}
}

// TestHoldsAgain goes back to what no longer held: what is said twice is not taken for
// what holds, and the words of an old version name the current one.
func TestHoldsAgain(t *testing.T) {
	for _, name := range []string{"table", "density"} {
		p, d := profile(t, name), memdir.Dir{Now: now, Alike: alike.Notes}
		file := func(text, replaces string) (classify.Result, error) {
			r, err := classify.File(d, p,
				classify.Note{Text: text, Kind: "preference", Topic: "tech", Replaces: replaces})
			if err == nil {
				d = apply(t, d, r)
			}
			return r, err
		}
		for _, n := range [][2]string{{"Jobs are kept in Redis"},
			{"Jobs are kept in PostgreSQL", "kept in Redis"}} {
			if _, err := file(n[0], n[1]); err != nil {
				t.Fatal(name, err)
			}
		}
		if r, err := file("Jobs are kept in Redis", "kept in PostgreSQL"); err == nil ||
			!strings.Contains(err.Error(), "no longer holds") {
			t.Errorf("%s: %s %v", name, r.Did, err)
		}
		if r, err := file("Since 2026-11-20 jobs are kept in Redis again", "Jobs are kept in"); err != nil ||
			r.Did != classify.Replaced {
			t.Errorf("%s: %s %v", name, r.Did, err)
		}
	}
}

// TestCascade finds what a change of a deadline concerns, by the names of what it is the
// deadline of, and where there are none by the words of the change.
func TestCascade(t *testing.T) {
	p, d := profile(t, "table"), memdir.Dir{Now: now, Alike: alike.Notes}
	d.Files = []memdir.File{{Path: "blackboard/projects/shop.md",
		Bytes: []byte("# Shop of Ada\n\n- Deadline: 2026-12-24\n"), Modified: now}}
	for _, c := range []struct{ text, want string }{
		{"The deadline of the launch is 2026-12-24", ""},
		{"The deadline of the launch moved to 2027-01-10", "The deadline of the launch is 2026-12-24"},
		{"The deadline of the shop moved to 2027-01-10", "# Shop of Ada"},
	} {
		r, err := classify.File(d, p, classify.Note{Text: c.text, Kind: "event"})
		if err != nil {
			t.Fatal(err)
		}
		if d = apply(t, d, r); c.want != "" && !slices.ContainsFunc(r.Cascade, func(p classify.Place) bool {
			return p.Text == c.want
		}) {
			t.Errorf("%s: %v", c.text, r.Cascade)
		}
	}
}

// TestMany files one note after the other, each of its own: no size of the directory
// makes the next one fail.
func TestMany(t *testing.T) {
	t.Parallel()
	for _, p := range memdir.Profiles() {
		d := memdir.Dir{Now: now, Alike: alike.Notes}
		for i := range 60 {
			n := classify.Note{Text: fmt.Sprintf("Subsystem s%d belongs to the team of floor f%d", i, i),
				Kind: "case", Why: fmt.Sprintf("w%d", i), How: fmt.Sprintf("h%d", i)}
			r, err := classify.File(d, p, n)
			if err != nil {
				t.Fatalf("%s, the note %d: %v", p.Name, i, err)
			}
			d = apply(t, d, r)
		}
	}
}

// TestFollow has the index and the description say the new version, and leaves alone
// what they say in words of their own.
func TestFollow(t *testing.T) {
	for name, kind := range map[string]classify.Kind{"pointer": "feedback", "density": "pattern",
		"table": "pattern"} {
		p, d := profile(t, name), memdir.Dir{Now: now, Alike: alike.Notes}
		if name == "table" {
			d.Files = []memdir.File{
				{Path: "MEMORY.md",
					Bytes: []byte("# Memory index\n\n| File | What it has | Last Updated |\n| --- | --- |" +
						" --- |\n| [patterns](patterns.md) | Run the suite with Bazel before a push |" +
						" 2026-11-01 |\n")},
				{Path: "patterns.md",
					Bytes: []byte("---\nlast_updated: 2026-11-01\ntopics: [patterns]\n---\n\n# " +
						"Patterns\n\n- Run the suite with Bazel before a push\n")},
			}
		}
		for i, n := range [][2]string{{"Run the suite with Bazel before a push"},
			{"Whenever a port is taken, look at the proxy first"},
			{"Run the suite with Make before a push", "with Bazel"}} {
			note := classify.Note{Text: n[0], Kind: kind, Replaces: n[1]}
			if name == "pointer" {
				note.Why, note.How = fmt.Sprint("reason ", i), fmt.Sprint("step ", i)
			}
			r, err := classify.File(d, p, note)
			if err != nil {
				t.Fatal(name, err)
			}
			d = apply(t, d, r)
		}
		for _, f := range d.Files {
			if strings.Contains(f.Path, "suite") &&
				bytes.Contains(f.Bytes, []byte("description: Run the suite with Bazel")) ||
				(f.Path == "MEMORY.md" || f.Path == "INDEX.md") &&
					bytes.Contains(f.Bytes, []byte("suite with Bazel")) {
				t.Errorf("%s: %s says what no longer holds:\n%s", name, f.Path, f.Bytes)
			}
			if bytes.Contains(f.Bytes, []byte("| 2026-11-01 |")) {
				t.Errorf("%s: %s has an old date:\n%s", name, f.Path, f.Bytes)
			}
		}
	}
}

// TestFollowWithinDescription: a description that says more than the old statement says the new one in its
// place, and one of several lines, or with only a part of a word, stays.
func TestFollowWithinDescription(t *testing.T) {
	for about, want := range map[string]string{
		"description: Orders are kept in MySQL": "description: Orders are kept in Redis",
		`description: "Store: Orders are kept in MySQL; backups in S3"`: `description: "Store: Orders ` +
			`are kept in Redis; backups in S3"`,
		"description: Orders are kept in MySQL8":                 "",
		"description: Orders are kept in MySQL\n  and elsewhere": "",
		"description: where orders are":                          "",
	} {
		d := memdir.Dir{Now: now, Files: []memdir.File{
			{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- [Store](reference_store.md) — the store\n")},
			{Path: "reference_store.md", Bytes: []byte("---\nname: reference-store\n" + about +
				"\nmetadata:\n  type: reference\n---\n\nOrders are kept in MySQL\n")},
		}}
		r, err := classify.File(d, profile(t, "pointer"), classify.Note{Text: "Orders are kept in Redis",
			Kind: "reference", Replaces: "Orders are kept in MySQL"})
		if err != nil {
			t.Fatal(about, err)
		}
		if want == "" {
			want = about
		}
		if got := apply(t, d, r).Files[1].Bytes; !bytes.Contains(got, []byte("\n"+want+"\nmetadata")) {
			t.Errorf("%s:\n%s", about, got)
		}
	}
}

// TestFollowFold has an index and a description that say the old version in another case, and the title as
// the hook.
func TestFollowFold(t *testing.T) {
	p, d := profile(t, "pointer"), memdir.Dir{Now: now, Alike: alike.Notes}
	d.Files = []memdir.File{
		{Path: "MEMORY.md", Bytes: []byte("- [jobs wait in REDIS](jobs.md) — jobs wait in REDIS\n" +
			"- [Deploy](deploy.md) — what redis needs for jobs that wait\n")},
		{Path: "deploy.md", Bytes: []byte("---\nname: deploy\ndescription: JOBS WAIT IN REDIS, so start it " +
			"first\ntype: project\n---\n\nStart it first.\n")},
		{Path: "jobs.md", Bytes: []byte("---\nname: jobs\ndescription: \"jobs wait in redis.\"\ntype: " +
			"project\n---\n\nJobs wait in Redis.\n")},
	}
	r, err := classify.File(d, p, classify.Note{Text: "Jobs wait in PostgreSQL", Kind: "project",
		Replaces: "jobs.md:7", Why: "rows came twice", How: "look there"})
	if err != nil {
		t.Fatal(err)
	}
	var still []string
	for _, c := range r.Cascade {
		still = append(still, c.Path)
	}
	if strings.Join(still, " ") != "MEMORY.md deploy.md" {
		t.Errorf("still says it: %v", r.Cascade)
	}
	d = apply(t, d, r)
	for _, f := range d.Files {
		for _, want := range map[string][]string{
			"MEMORY.md": {"- [Jobs wait](jobs.md) — Jobs wait in PostgreSQL\n"},
			"jobs.md":   {"description: Jobs wait in PostgreSQL\n"}}[f.Path] {
			if !bytes.Contains(f.Bytes, []byte(want)) {
				t.Errorf("%s is not with %q:\n%s", f.Path, want, f.Bytes)
			}
		}
	}
}

// TestSee points from the file of another kind to where a statement stands, also from a
// new file, and once.
func TestSee(t *testing.T) {
	for _, name := range []string{"density", "table"} {
		p, d := profile(t, name), memdir.Dir{Now: now, Alike: alike.Notes}
		for _, want := range []classify.Did{classify.Created, classify.Pointed, classify.Already} {
			n := classify.Note{Text: "Ada owns payments and billing of the shop", Kind: "entity",
				Topic: "people"}
			if want != classify.Created {
				n.Kind, n.Topic, n.Also = "profile", "", true
			}
			r, err := classify.File(d, p, n)
			if err != nil || r.Did != want {
				t.Fatalf("%s: %s %v, want %s", name, r.Did, err, want)
			}
			d = apply(t, d, r)
		}
		if found := memdir.Lint(d, p); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
		for _, f := range d.Files {
			if bytes.Contains(f.Bytes, []byte("# See")) || bytes.Contains(f.Bytes, []byte("] See [")) {
				t.Errorf("%s: the title of %s is a pointer:\n%s", name, f.Path, f.Bytes)
			}
		}
	}
}
