package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	given "keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
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
		"is no longer recalled") {
		t.Fatalf("nothing was superseded: %q", said)
	}
	// Another session has seen it, has work of it on its desk, and something failed at it.
	other := open("s1")
	if err := other.Update(func(st *stage.State) error {
		st.Shown = []string{path, "decisions/use-tabs.json"}
		st.Given = []given.Given{{Path: path, With: given.Prompt, Begun: true, Names: []string{"marmalad"}}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	// A third one was given both, and its agent used words of them.
	ended := open("s3")
	if err := ended.Update(func(st *stage.State) error {
		for p, words := range map[string][]string{path: {"zebra", "marmalad"},
			"decisions/use-tabs.json": {"tab"}} {
			st.Given = append(st.Given, given.Given{Path: p, With: given.Prompt, At: time.Now(), Begun: true,
				Used: words, Named: true})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := ended.Finish(); err != nil {
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
	for _, asked := range []string{"Feed the zebra marmalade? Why?", "What do the pelicans eat?"} {
		p := answer.Prompt{Session: other, Text: asked, Now: time.Now(), Came: answer.Outcome{
			Came: []answer.Near{{Path: path, Title: "Feed the zebra marmalade"}},
			Near: []answer.Near{{Path: "decisions/x.json", Why: answer.Superseded, By: path}}}}
		p.Note(nil)
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
	if left := filesWith(t, "zebra", dirs...); len(left) < 13 {
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
		"something else": os.Getenv("XDG_STATE_HOME"), "the pelicans eat": os.Getenv("XDG_STATE_HOME"),
		"and now the ducks":     os.Getenv("XDG_STATE_HOME"),
		"let the animals graze": filepath.Join(d.project, ".claude")} {
		if len(filesWith(t, word, at)) == 0 {
			t.Errorf("%q is gone too", word)
		}
	}
	if f := stateOf(t, s, 3); f.Text == "" || f.Target != "" || len(f.Context) != 1 {
		t.Errorf("%+v", f)
	}
	if said := d.must("", "show", "use-tabs"); !strings.Contains(said, "1 use of its words") {
		t.Errorf("%q", said)
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

// TestForgetForGoodReachesEchoes: what an agent said of the same in its own words goes with
// it, wherever it stands, and what says something else stays.
func TestForgetForGoodReachesEchoes(t *testing.T) {
	d := newDesk(t)
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("CLAUDE_PROJECT_DIR", d.project)
	open := func(id string) *session.Session {
		t.Helper()
		s, err := session.Open(session.Call{ID: id, Cwd: d.project})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open("s0")
	note := func(f finding.Finding) { t.Helper(); noteOne(t, s, f) }
	agent := func(text string) finding.Finding {
		return finding.Finding{Text: text, By: finding.Agent, Origin: finding.FromAgent}
	}
	note(finding.Finding{Text: "We keep the flamingo jobs in Postgres, because Redis lost them on restart."})
	// Each has less of it than the one before, in other sessions.
	for i, text := range []string{"Understood: the flamingo jobs are kept in Postgres.",
		"Flamingo jobs: Postgres."} {
		s = open([]string{"s1", "s2"}[i])
		f := agent(text)
		f.Session = s.ID
		note(f)
	}
	s = open("s0")
	talk := agent("I will rename the importer now, since its name says nothing.")
	talk.Context = []finding.Line{
		{By: finding.Agent, Text: "Good. So the flamingo jobs are kept in Postgres. Next the importer."},
		{By: finding.Typed, Text: "Go on with the importer."}}
	note(talk)
	note(finding.Finding{Text: "We keep the heron cache in Redis, because it may be lost."})

	other := open("s3") // it has claimed them
	for _, c := range []stage.Context{
		{Category: memory.Decision, Score: 1,
			Excerpt: "[user]\nGo on with the importer.\n[assistant]\nSure, the flamingo jobs are kept in " +
				"Postgres.",
			Snippets: []stage.Snippet{{Number: 2,
				Text: "Understood: the flamingo jobs are kept in Postgres."},
				{Number: 5, Text: "We keep the heron cache in Redis, because it may be lost."}}},
		{Category: memory.Preference, Score: 1, Excerpt: "[user]\nAlways lint.",
			Snippets: []stage.Snippet{{Text: "Always lint."}}},
	} {
		if err := other.Desk.Put(c); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		// One draft of several, in words of its own; one that names nothing; what was made of them.
		stage.IntentName(memory.Constraint): `[{"covers":[5],"title":"Heron"},` +
			`{"covers":[3],"title":"Pink birds queue durably"}]`,
		stage.IntentName(memory.Decision):   `{"category":"decision","title":"Pink birds queue durably"}`,
		stage.IntentName(memory.Preference): `{"category":"preference","title":"Always lint"}`,
		stage.PlanName:                      `{"version":1,"plan":{"edits":[{"title":"Pink birds queue durably"}]}}`,
		stage.VerifyName("decision"):        "Pink birds queue durably",
	} {
		if err := other.Desk.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Pending().Refuse("s3", stage.Refused{Category: memory.Decision, Reason: "no rationale",
		Draft: `{"title":"Pink birds queue durably"}`, Findings: []int{2}}); err != nil {
		t.Fatal(err)
	}
	if err := other.Pending().Refuse("s3", stage.Refused{Category: memory.Decision, Reason: "no rationale",
		Draft: `{"title":"Herons are cached"}`, Findings: []int{5}}); err != nil {
		t.Fatal(err)
	}
	other.Fault("apply", "refused: flamingo jobs are kept in Postgres, it said", nil)
	if err := other.Update(func(st *stage.State) error {
		st.Result = &stage.Result{Line: "Saved: the flamingo jobs are kept in Postgres"}
		return nil
	}); err != nil {
		t.Fatal(err)
	}

	dirs := []string{os.Getenv("XDG_STATE_HOME"), os.Getenv("XDG_CACHE_HOME"), run}
	said := d.must("y\n", "forget", "1", "--for-good")
	for _, want := range []string{"[2] \"Understood", "[3] \"Flamingo"} {
		if !strings.Contains(said, want) {
			t.Errorf("the person is not shown %q: %q", want, said)
		}
	}
	for _, word := range []string{"flamingo", "pink birds"} {
		if left := filesWith(t, word, dirs...); len(left) > 0 {
			t.Errorf("%q is left in %v", word, left)
		}
	}
	for _, word := range []string{"heron cache", "always lint", "herons are cached",
		"go on with the importer", "rename the importer"} {
		if len(filesWith(t, word, dirs...)) == 0 {
			t.Errorf("%q is gone too", word)
		}
	}
	if f := stateOf(t, s, 4); len(f.Context) != 1 {
		t.Errorf("%+v", f.Context)
	}
}

// TestForgetForGoodFindsTheEchoOfAMemory whose own words were settled long ago.
func TestForgetForGoodFindsTheEchoOfAMemory(t *testing.T) {
	d := newDesk(t)
	t.Setenv("CLAUDE_PROJECT_DIR", d.project)
	s, err := session.Open(session.Call{ID: "s0", Cwd: d.project})
	if err != nil {
		t.Fatal(err)
	}
	noteOne(t, s, finding.Finding{Text: "We keep the flamingo jobs in Postgres, because Redis lost them."})
	d.must("", "remember", `{"covers":[1],"category":"decision","title":"Flamingo jobs in Postgres",`+
		`"content":{"context":"Redis lost them.","decision":"Keep the flamingo jobs in Postgres.",`+
		`"rationale":["Redis lost them."]}}`)
	now := time.Now().AddDate(0, 0, 40)
	if err := s.TidyFindings(now); err != nil {
		t.Fatal(err)
	}
	if f := stateOf(t, s, 1); f.Text != "" {
		t.Fatalf("it still has its words: %q", f.Text)
	}
	noteOne(t, s, finding.Finding{Text: "As agreed the flamingo jobs stay in Postgres.", By: finding.Agent,
		Origin: finding.FromAgent})
	noteOne(t, s, finding.Finding{Text: "We keep the heron cache in Redis."})
	said := d.must("y\ny\n", "forget", "flamingo-jobs-in-postgres", "--for-good")
	if left := filesWith(t, "flamingo", os.Getenv("XDG_STATE_HOME"),
		os.Getenv("XDG_CACHE_HOME")); len(left) > 0 {
		t.Errorf("left in %v after %q", left, said)
	}
	if f := stateOf(t, s, 3); f.Text == "" {
		t.Error("another one is gone too")
	}
}

// TestForgetForGoodNamesWhatAnEchoBecame: that is a memory of its own, and is not deleted
// unseen.
func TestForgetForGoodNamesWhatAnEchoBecame(t *testing.T) {
	d := newDesk(t)
	t.Setenv("CLAUDE_PROJECT_DIR", d.project)
	s, err := session.Open(session.Call{ID: "s0", Cwd: d.project})
	if err != nil {
		t.Fatal(err)
	}
	noteOne(t, s, finding.Finding{Text: "Understood: the flamingo jobs are kept in Postgres.",
		By:     finding.Agent,
		Origin: finding.FromAgent})
	d.must("", "remember", `{"covers":[1],"category":"decision","title":"Flamingo jobs in Postgres",`+
		`"content":{"context":"It was agreed.","decision":"Keep the flamingo jobs in Postgres.",`+
		`"rationale":["It was agreed."]}}`)
	other, err := session.Open(session.Call{ID: "s1", Cwd: d.project})
	if err != nil {
		t.Fatal(err)
	}
	noteOne(t, other, finding.Finding{Session: "s1",
		Text: "We keep the flamingo jobs in Postgres, because Redis lost them on restart."})
	const want = "what [1] became stays: keepsake forget flamingo-jobs-in-postgres --for-good"
	if said := d.must("y\n", "forget", "2", "--for-good"); !strings.Contains(said, want) {
		t.Errorf("%q is not in %q", want, said)
	}
	if said := d.must("", "show", "flamingo-jobs-in-postgres"); !strings.Contains(said, "Postgres") {
		t.Errorf("%q", said)
	}
}
