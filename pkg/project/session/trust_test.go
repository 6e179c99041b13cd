package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/trust"
)

var then = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// decided is a decision in a file, as a draft of some origin made it.
func decided(id, decision, made string) memory.Stored {
	r := memory.Record{
		Category: memory.Decision, ID: id, Title: "Title of " + id, Status: memory.Active,
		CreatedAt: memory.Stamp(then), UpdatedAt: memory.Stamp(then),
		Tags: []string{"x"}, Content: memory.Content{"status": "accepted", "context": "c",
			"decision": decision, "rationale": []string{"r"}},
	}
	if made != "" {
		r.Provenance = &memory.Provenance{Origin: made}
	}
	return memory.Stored{Record: r, Path: memory.Path(r.Category, r.ID), Digest: plan.DigestOf(r.Encode())}
}

func edit(verb plan.Verb, before string, m memory.Stored) plan.Plan {
	return plan.Plan{Edits: []plan.Edit{{Path: m.Path, Verb: verb, Before: before, After: m.Encode()}}}
}

// TestUnknown: what is not known is told or held by where it lies, and by its file only
// where that claims to be a person's.
func TestUnknown(t *testing.T) {
	project := home(t)
	s := open1(t, "s1")
	for made, want := range map[string]bool{"": false, "drafter": false, "extractive": false, "import": false,
		"hand": true, "person": true} {
		if got := s.TrustOf(decided("a", "d", made)); got.Held != want || got.Known() ||
			want != (got.Why != "") {
			t.Errorf("%q: %+v", made, got)
		}
	}
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", project},
			args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	path := filepath.Join(project, ".claude/memory/decisions/b.json")
	os.MkdirAll(filepath.Dir(path), 0o755)
	os.WriteFile(path, decided("b", "d", "drafter").Encode(), 0o644)
	git("init", "-q")
	if got := open1(t, "s1").TrustOf(decided("a", "d", "drafter")); got.Held {
		t.Errorf("untracked: %+v", got)
	}
	git("add", ".claude")
	for range 2 { // found out, and remembered
		if got := open1(t, "s1").TrustOf(decided("a", "d", "drafter")); !got.Held || !got.Tracked {
			t.Errorf("tracked: %+v", got)
		}
	}
	git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "memories")
	git("rm", "-rq", "--cached", ".claude")
	if got := open1(t, "s1").TrustOf(decided("a", "d", "drafter")); !got.Held {
		t.Errorf("taken out of the index: %+v", got)
	}
}

// TestNestedStore: a store that is a submodule, a checkout of its own or a part of one is
// what came with a repository; what Keepsake made in such a one is not.
func TestNestedStore(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	git := func(t *testing.T, dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b",
			"-c", "protocol.file.allow=always"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	record := func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "decisions", "b.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, decided("b", "d", "drafter").Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// stranger makes a repository with records below a folder of it.
	stranger := func(t *testing.T, below string) string {
		dir := t.TempDir()
		git(t, dir, "init", "-q")
		record(t, filepath.Join(dir, below))
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-q", "-m", "memories")
		return dir
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, project string)
		held bool
	}{
		"a submodule": {func(t *testing.T, p string) {
			git(t, p, "submodule", "--quiet", "add", stranger(t, "memory"), ".claude")
		}, true},
		"a submodule whose git is gone": {func(t *testing.T, p string) {
			git(t, p, "submodule", "--quiet", "add", stranger(t, "memory"), ".claude")
			if err := os.Remove(filepath.Join(p, ".claude", ".git")); err != nil {
				t.Fatal(err)
			}
		}, true},
		"the store is a submodule": {func(t *testing.T, p string) {
			git(t, p, "submodule", "--quiet", "add", stranger(t, "."), ".claude/memory")
		}, true},
		"a checkout of its own": {func(t *testing.T, p string) {
			git(t, p, "clone", "-q", stranger(t, "memory"), ".claude")
		}, true},
		"one in the store": {func(t *testing.T, p string) {
			git(t, p, "clone", "-q", stranger(t, "."), ".claude/memory/shared")
		}, true},
		"tracked around a later one": {func(t *testing.T, p string) {
			record(t, filepath.Join(p, ".claude/memory"))
			git(t, p, "add", ".")
			git(t, filepath.Join(p, ".claude"), "init", "-q")
		}, true},
		"its own in a submodule": {func(t *testing.T, p string) {
			git(t, p, "submodule", "--quiet", "add", stranger(t, "docs"), ".claude")
			record(t, filepath.Join(p, ".claude/memory"))
			if err := os.WriteFile(filepath.Join(p, ".claude/memory/.gitignore"), []byte("*\n"),
				0o644); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a project that is a submodule": {func(t *testing.T, p string) {
			record(t, filepath.Join(p, ".claude/memory"))
			git(t, p, "commit", "-q", "--allow-empty", "-m", "begin")
			git(t, filepath.Dir(p), "init", "-q")
			git(t, filepath.Dir(p), "add", filepath.Base(p))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			project := home(t)
			git(t, project, "init", "-q")
			c.make(t, project)
			for range 2 { // found out, and remembered
				if got := open1(t, "s1").TrustOf(decided("b", "d", "drafter")); got.Held != c.held ||
					got.Tracked != c.held {
					t.Errorf("%+v", got)
				}
			}
		})
	}
}

func TestTrust(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	add := func(p plan.Plan, j *Judged, accepted bool) {
		t.Helper()
		judged := map[string]Judged{}
		if j != nil {
			judged[p.Edits[0].Path] = *j
		}
		for range 2 { // it can be repeated
			if err := s.Trust(p, judged, accepted, then); err != nil {
				t.Fatal(err)
			}
		}
	}
	is := func(m memory.Stored, o finding.Origin, held bool, quotes string) {
		t.Helper()
		got := s.TrustOf(m)
		if got.Origin != o || got.Held != held || strings.Join(got.Quotes, "|") != quotes ||
			held != (got.Why != "") {
			t.Errorf("%+v, want %s, held %v, %s", got, o, held, quotes)
		}
	}
	said := Judged{Origin: finding.FromPerson, Quotes: []string{"q1"}}
	poison := Judged{Origin: finding.Tainted, Why: "came from the web"}

	v1 := decided("a", "one", "hand")
	add(edit(plan.Create, "", v1), &said, false)
	is(v1, finding.FromPerson, false, "q1")

	// An update is no better than what it updates, and what a person said stays.
	v2 := decided("a", "two", "drafter")
	add(edit(plan.Update, v1.Digest, v2), &Judged{Origin: finding.FromPerson, Quotes: []string{"q2"}}, false)
	is(v2, finding.FromPerson, false, "q2|q1")
	v3 := decided("a", "three", "drafter")
	add(edit(plan.Update, v2.Digest, v3), &poison, false)
	is(v3, finding.Tainted, true, "q2|q1")
	v4 := decided("a", "four", "drafter")
	add(edit(plan.Update, v3.Digest, v4), &said, false)
	is(v4, finding.Tainted, true, "q1|q2")

	// Its life goes on with it.
	v5 := decided("a", "four", "drafter")
	v5.Status = memory.Archived
	v5.Digest = plan.DigestOf(v5.Encode())
	add(edit(plan.Archive, v4.Digest, v5), nil, false)
	is(v5, finding.Tainted, true, "q1|q2")

	// A yes is for these bytes, and for what is made of them.
	if err := s.Answer(trust.Accepted, then, s.TrustOf(v4)); err != nil {
		t.Fatal(err)
	}
	is(v4, finding.Tainted, false, "q1|q2")
	is(v3, finding.Tainted, true, "q2|q1")
	v6 := decided("a", "six", "drafter")
	add(edit(plan.Update, v4.Digest, v6), &said, false)
	is(v6, finding.FromPerson, false, "q1|q2")            // what they said before stays
	add(edit(plan.Update, v3.Digest, v4), &poison, false) // applied again
	is(v4, finding.Tainted, false, "q1|q2")
	if err := s.Answer(trust.Refused, then, s.TrustOf(v6)); err != nil {
		t.Fatal(err)
	}
	is(v6, finding.FromPerson, true, "q1|q2")

	// An undo brings back what was known; of a person at a terminal also what was not.
	add(edit(plan.Revert, v6.Digest, v1), nil, false)
	is(v1, finding.FromPerson, false, "q1")
	old := decided("a", "zero", "hand")
	add(edit(plan.Revert, v1.Digest, old), nil, false)
	is(old, finding.NoOrigin, true, "")
	add(edit(plan.Revert, v1.Digest, old), nil, true)
	is(old, "", false, "")

	// What was there before origins were kept makes nothing the person's.
	before := decided("b", "one", "drafter")
	next := decided("b", "two", "drafter")
	add(edit(plan.Update, before.Digest, next), &said, false)
	is(next, finding.FromAgent, false, "q1")

	brought := decided("d", "one", "import")
	add(edit(plan.Create, "", brought), nil, false)
	is(brought, finding.NoOrigin, true, "")
	imported := decided("c", "one", "import")
	add(edit(plan.Create, "", imported), nil, true)
	if got := s.TrustOf(imported); !got.Accepted() {
		t.Errorf("%+v", got)
	}
}

// TestPromptsOf: what the findings of another session say of who wrote its prompts.
func TestPromptsOf(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	for from, want := range map[finding.Origin]origin.Source{
		finding.FromPerson: origin.Person, finding.FromAgent: origin.Agent, finding.NoOrigin: origin.Called,
	} {
		id := "other-" + string(from)
		_, err := s.NoteFindings([]finding.Finding{
			{Text: "We decided to use " + id, By: finding.Typed, Origin: from, Session: id, Time: then,
				Category: memory.Decision, Level: finding.Sure},
			{Text: "Nobody said " + id, By: finding.Agent, Origin: finding.NoOrigin, Session: id, Time: then,
				Category: memory.Decision, Level: finding.Sure},
		}, then)
		if err != nil {
			t.Fatal(err)
		}
		book, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.promptSource(id, book); got != want {
			t.Errorf("%s: %v, want %v", from, got, want)
		}
	}
}

// TestAddedTo: what an agent adds to a person's record is its part, and the record stays
// the person's.
func TestAddedTo(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	apply := func(verb plan.Verb, before string, m memory.Stored, j Judged) TrustLevel {
		t.Helper()
		for range 2 { // it can be repeated
			if err := s.Trust(edit(verb, before, m), map[string]Judged{m.Path: j}, false, then); err != nil {
				t.Fatal(err)
			}
		}
		return s.TrustOf(m)
	}
	v1, v2, v3 := decided("a", "one", ""), decided("a", "one. two", ""), decided("a", "one. three", "")
	agents := Judged{Origin: finding.FromAgent, Agent: []string{"content.decision"},
		Was: map[string]string{"content.decision": "one"}}
	sameWords := Judged{Origin: finding.FromAgent, Was: map[string]string{}}

	// Made of a finding, one field in the agent's wording.
	apply(plan.Create, "", v1,
		Judged{Origin: finding.FromPerson, Quotes: []string{"q"}, Agent: []string{"title"}})
	got := apply(plan.Update, v1.Digest, v2, agents)
	if got.Held || got.Origin != finding.FromPerson ||
		strings.Join(got.Agent, " ") != "content.decision title" ||
		strings.Join(got.Quotes, "|") != "q" || strings.Join(got.Kept, "|") != "one" {
		t.Errorf("%+v", got)
	}
	// What the agent has put in the place of its own stays the agent's, and once more.
	got = apply(plan.Update, v2.Digest, v3,
		Judged{Origin: finding.FromAgent, Agent: []string{"content.decision"},
			Was: map[string]string{"content.decision": "one. two"}, Replaced: []string{"content.decision"}})
	if got.Origin != finding.FromPerson || strings.Join(got.Agent, " ") != "content.decision title" ||
		strings.Join(got.Kept, "|") != "one" {
		t.Errorf("%+v", got)
	}
	// The person's newer words make the field theirs.
	v4 := decided("a", "four", "")
	got = apply(plan.Update, v3.Digest, v4, Judged{Origin: finding.FromPerson, Quotes: []string{"four"},
		Was: map[string]string{"content.decision": "one. three"}, Replaced: []string{"content.decision"}})
	if got.Origin != finding.FromPerson || strings.Join(got.Agent, " ") != "title" ||
		strings.Join(got.Quotes, "|") != "four|q" {
		t.Errorf("%+v", got)
	}
	// A tag changes nothing of it.
	v5 := decided("a", "four", "drafter")
	if got := apply(plan.Update, v4.Digest, v5, sameWords); got.Origin != finding.FromPerson ||
		strings.Join(got.Agent, " ") != "title" {
		t.Errorf("%+v", got)
	}

	// Word for word the person's, with no finding: then the field itself is what they said.
	b1, b2 := decided("b", "one", ""), decided("b", "one. two", "")
	apply(plan.Create, "", b1, Judged{Origin: finding.FromPerson})
	if got := apply(plan.Update, b1.Digest, b2, agents); strings.Join(got.Quotes, "|") != "one" ||
		got.Origin != finding.FromPerson {
		t.Errorf("%+v", got)
	}

	// Accepted: what they said yes to counts, and is no quote of theirs.
	c1, c2 := decided("c", "one", ""), decided("c", "one. two", "")
	apply(plan.Create, "", c1, Judged{Origin: finding.NoOrigin, Why: "nobody said it"})
	if err := s.Answer(trust.Accepted, then, s.TrustOf(c1)); err != nil {
		t.Fatal(err)
	}
	if got := apply(plan.Update, c1.Digest, c2, agents); got.Held || got.Accepted() || len(got.Quotes) > 0 ||
		strings.Join(got.Kept, "|") != "one" || strings.Join(got.Agent, "|") != "content.decision" {
		t.Errorf("%+v", got)
	}

	// What is worse than the agent's is held all the same, and what was held stays so.
	if got := apply(plan.Update, b2.Digest, decided("b", "three", ""), Judged{Origin: finding.Tainted,
		Why: "from the web", Was: agents.Was}); !got.Held || got.Origin != finding.Tainted {
		t.Errorf("%+v", got)
	}
	d1, d2, d3 := decided("d", "one", ""), decided("d", "two", ""), decided("d", "two", "drafter")
	apply(plan.Create, "", d1, Judged{Origin: finding.Tainted, Why: "from the web"})
	if got := apply(plan.Update, d1.Digest, d2, agents); !got.Held {
		t.Errorf("%+v", got)
	}
	if got := apply(plan.Update, d2.Digest, d3, sameWords); !got.Held || got.Why != "from the web" {
		t.Errorf("%+v", got)
	}
	// Of a record that nobody knows a tag says nothing; one whose file claims to be the
	// person's stays held.
	e1, e2 := decided("e", "one", "drafter"), decided("e", "one", "extractive")
	if got := apply(plan.Update, e1.Digest, e2, sameWords); got.Known() || got.Held {
		t.Errorf("%+v", got)
	}
	f1, f2 := decided("f", "one", "hand"), decided("f", "one. two", "drafter")
	j := agents
	j.Unknown = s.TrustOf(f1).Why
	if got := apply(plan.Update, f1.Digest, f2, j); !got.Held || got.Why == "" {
		t.Errorf("%+v", got)
	}
}
