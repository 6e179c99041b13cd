package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// TestForgetForGoodLeavesNoTrace: whatever of Keepsake's files has had the words of a
// memory or its id, none has them afterwards, and what else these files say stays.
func TestForgetForGoodLeavesNoTrace(t *testing.T) {
	d := newDesk(t)
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	open := func(id string) *session.Session {
		t.Helper()
		s, err := session.Open(session.Call{ID: id, Cwd: d.project})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Setenv("CLAUDE_PROJECT_DIR", d.project)
	s := open("s0")
	note := func(f finding.Finding) { t.Helper(); noteOne(t, s, f) }
	note(finding.Finding{Text: "We decided to feed the zebra marmalade because it was hungry.",
		Branch: "feed-the-zebra-marmalade"})
	note(finding.Finding{Text: "Noted: feed the zebra marmalade, because it was hungry.", By: finding.Agent,
		Origin: finding.FromAgent})
	note(finding.Finding{Text: "Instead let the animals graze, because it costs less.", Kind: finding.Change,
		Target: "decisions/feed-the-zebra-marmalade.json",
		Context: []finding.Line{{By: finding.Agent,
			Text: "So we feed the zebra marmalade, because it was hungry?"},
			{By: finding.Typed, Text: "Later."}}})
	note(finding.Finding{Text: "We decided to use tabs because they are short."})
	d.must("", "remember", `[{"covers":[1],"category":"decision","title":"Feed the zebra marmalade",`+
		`"content":{"context":"It was hungry.","decision":"Feed the zebra marmalade.",`+
		`"rationale":["It was hungry."]}},`+
		`{"covers":[4],"category":"decision","title":"Use tabs","content":{"context":"They are short.",`+
		`"decision":"Use tabs.","rationale":["They are short."]}}]`)
	const path = "decisions/feed-the-zebra-marmalade.json"
	if said := d.must("y\n", "promote", "feed-the-zebra-marmalade"); !strings.Contains(said,
		"/feed-the-zebra-marmalade-") {
		t.Fatalf("%q", said)
	}
	// Another memory takes its place, and speaks of it by its id alone.
	if said := d.must("", "remember", `{"covers":[3],"category":"decision","title":"Let the animals graze",`+
		`"content":{"context":"It costs less.","decision":"Let the animals graze.","rationale":["It costs less."]}}`); !strings.Contains(said,
		"is recalled no more") {
		t.Fatalf("nothing was superseded: %q", said)
	}
	// Another session has seen it, has work of it on its desk, and something failed at it.
	other := open("s1")
	if err := other.Update(func(st *stage.State) error {
		st.Shown = []string{path, "decisions/use-tabs.json"}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := other.Desk.Put(stage.Context{Category: memory.Decision, Score: 1,
		Excerpt: "User: We decided to feed the zebra marmalade because it was hungry.\nUser: What now?",
		Snippets: []stage.Snippet{{Number: 2,
			Text: "Noted: feed the zebra marmalade, because it was hungry."}}}); err != nil {
		t.Fatal(err)
	}
	if err := other.Desk.Write(stage.IntentName(memory.Decision),
		[]byte(`{"category":"decision","covers":[2],`+
			`"partial_content":{"title":"Feed the zebra marmalade"}}`)); err != nil {
		t.Fatal(err)
	}
	other.Fault("store", path+" could not be read", nil)
	other.Fault("store", "something else", nil)
	if err := other.Pending().Add("s2", stage.Context{Category: memory.SessionSummary, Score: 1,
		Excerpt: "User: We decided to feed the zebra marmalade because it was hungry.\n" +
			"User: And now the ducks."}); err != nil {
		t.Fatal(err)
	}
	hearing, err := s.Hearing()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := hearing.About("feed the zebra marmalade", 0, nil); err != nil {
		t.Fatal(err)
	}

	dirs := []string{filepath.Join(d.project, ".claude"), os.Getenv("XDG_STATE_HOME"),
		os.Getenv("XDG_CACHE_HOME"), run, d.client, d.data}
	words := []string{"zebra", "marmalade", "hungry", "feed-the"}
	if left := filesWith(t, "zebra", dirs...); len(left) < 12 {
		t.Fatalf("the test looks in the wrong places: %v", left)
	}
	said := d.must("y\ny\n", "forget", "feed-the-zebra-marmalade", "--for-good")
	for _, want := range []string{"[1] \"We decided to feed", "[2] \"Noted: feed the zebra",
		"withdrawn: shop/decisions/feed-the-zebra-marmalade-",
		"the client's own transcripts of what was said are not Keepsake's, and stay"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if strings.Contains(said, "git") {
		t.Errorf("there is no git, and it says %q", said)
	}
	for _, word := range words {
		if left := filesWith(t, word, dirs...); len(left) > 0 {
			t.Errorf("%q is left in %v", word, left)
		}
	}
	for word, at := range map[string]string{"decisions/use-tabs.json": os.Getenv("XDG_STATE_HOME"),
		"something else": os.Getenv("XDG_STATE_HOME"), "and now the ducks": os.Getenv("XDG_STATE_HOME"),
		"let the animals graze": filepath.Join(d.project, ".claude")} {
		if len(filesWith(t, word, at)) == 0 {
			t.Errorf("%q is gone too", word)
		}
	}
	if f := stateOf(t, s, 3); f.Text == "" || f.Target != "" || len(f.Context) != 1 {
		t.Errorf("%+v", f)
	}
	// What speaks of it by its id is still trusted, and can be undone.
	if said := d.must("", "inbox"); strings.Contains(said, "no agent is told of") {
		t.Errorf("%q", said)
	}
	if said := d.must("", "recall", "animals graze"); !strings.Contains(said, "Let the animals graze") {
		t.Errorf("%q", said)
	}
	if said := d.must("", "show", "let-the-animals-graze"); strings.Contains(said, "forgotten") {
		t.Errorf("%q", said)
	}
}

// TestForgetForGoodNamesWhatStays: a drawer that the person keeps has the words still.
func TestForgetForGoodNamesWhatStays(t *testing.T) {
	d := newDesk(t)
	drawer := d.cached()
	note := filepath.Join(d.project, ".agents", "memory", "scratch", "general.md")
	_, errs, code := d.run("save", "--", "We use Redis for the cache, because pages are slow.")
	if code != exitDone {
		t.Fatal(errs)
	}
	said := d.must("y\nn\n", "forget", redisMemory, "--for-good")
	for _, want := range []string{"still has its words: " + note,
		"its drawer stays, and is recalled no more: " + drawer,
		"still has its words: " + filepath.Join(d.data, "keepsake", "drawers", drawer+".md")} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	// The approval of the promotion still names the drawer: nobody wonders where it is from.
	done, err := d.approvals().Settled(d.now.Add(-time.Hour))
	if err != nil || len(done) == 0 || len(done[0].Stored) != 1 ||
		!strings.HasSuffix(drawer, done[0].Stored[0]) {
		t.Errorf("%+v, %v", done, err)
	}
}
