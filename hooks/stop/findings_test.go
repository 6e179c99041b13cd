package stop

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// byItself has the agent write up a little by itself, as it is without settings.
func (l *lab) byItself() *lab {
	l.t.Setenv("KEEPSAKE_CAPTURE_DRAFTERS", "")
	return l
}

// record puts an active decision into the store and its index.
func (l *lab) record(id, title, decision string) {
	l.t.Helper()
	dir := filepath.Join(l.dir, "project", ".claude", "memory", "decisions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		l.t.Fatal(err)
	}
	r := memory.Record{Category: memory.Decision, ID: id, Title: title, Status: memory.Active,
		CreatedAt: "2026-10-01T09:00:00Z", UpdatedAt: "2026-10-01T09:00:00Z",
		Tags: []string{"cache"}, Content: memory.Content{"status": "accepted", "context": "The cache.",
			"decision": decision, "rationale": []string{"It was there."}}}
	if err := os.WriteFile(filepath.Join(dir, id+".json"), r.Encode(), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

var keep = regexp.MustCompile(`(?m)^keepsake: keep \[(\d+)\] (\w+) "([^"]*)"(?: \(([^)]*)\))?$`)

// TestALineForEachFinding: number, category and words, with the form once, and each
// only once.
func TestALineForEachFinding(t *testing.T) {
	l := newLab(t).byItself()
	said := l.person(decided + "\n\n" + prefers).stop("Noted.")
	got := keep.FindAllStringSubmatch(said, -1)
	if len(got) != 2 || got[0][1] != "1" || got[0][2] != "decision" || got[1][1] != "2" ||
		got[1][2] != "preference" {
		t.Fatalf("said %q", said)
	}
	if strings.Count(said, "<keepsake-form>") != 1 || strings.Contains(said, "set Keepsake up") {
		t.Errorf("said %q; want the form once", said)
	}
	if l.open().State.Continued.IsZero() {
		t.Error("that the agent was made to go on is not noted")
	}
	l.silent(l.stop("I will not.", active))
	if st := l.open().State; st.Continued.IsZero() || !st.Rested {
		t.Error("that this turn has ended is not noted")
	}
	l.silent(l.person("Go on.").stop("Done."))
	l.wantWaiting("Postgres", "pnpm")
	again := l.person(decided2).stop("Right.")
	if got := keep.FindAllStringSubmatch(again, -1); len(got) != 1 || got[0][1] != "3" ||
		strings.Contains(again, "<keepsake-form>") {
		t.Errorf("said %q; want the new one alone, without the form", again)
	}
}

// TestTwelveDecisionsAreAllKept: too many for one command go to drafters, and none
// falls between.
func TestTwelveDecisionsAreAllKept(t *testing.T) {
	l := newLab(t).byItself()
	var text []string
	for i := range 12 {
		text = append(text, fmt.Sprintf("We decided to use tool-%c for part %d because it is small.", 'a'+i,
			i))
	}
	l.tells(l.person(strings.Join(text, " ")).stop("Noted."), "and 11 more")
	c, err := l.open().Desk.Context(memory.Decision)
	if err != nil || len(c.Numbers()) != 12 {
		t.Errorf("%d numbered snippets, %v", len(c.Numbers()), err)
	}
	book, err := l.open().Book()
	if err != nil || book.Count()[finding.Offered] != 12 {
		t.Errorf("%v, %v; want 12 offered", book.Count(), err)
	}
}

// TestAPickIsWhatWasPicked, with what was listed before the mark.
func TestAPickIsWhatWasPicked(t *testing.T) {
	l := newLab(t).byItself()
	l.silent(l.person("How should we store sessions?").agent(says("Two ways:\n\n1. Keep sessions in Redis " +
		"with a TTL\n2. Keep sessions in signed cookies")).stop(""))
	said := l.person("Let's go with the second option, because it needs no server.").stop("Good.")
	if !strings.Contains(said, "signed cookies") && !strings.Contains(fmt.Sprint(l.all()), "signed cookies") {
		t.Errorf("said %q, findings %+v", said, l.all())
	}
	if got := l.all(); len(got) != 1 || len(got[0].Context) == 0 {
		t.Errorf("findings %+v; want one that is explained", got)
	}
}

// TestAPickOfWhatTheEventBrought: the client writes the last message of a turn only
// after its Stop, so that the next reading finds it behind the mark and counts it no
// second time; it still says what was picked.
func TestAPickOfWhatTheEventBrought(t *testing.T) {
	l := newLab(t).byItself()
	l.silent(l.person("How should we store sessions?").stop("Two ways:\n\n1. Keep sessions in Redis with a " +
		"TTL\n2. Keep sessions in signed cookies"))
	l.person("Let's go with the second option, because it needs no server.").stop("Good.")
	if got := l.all(); len(got) != 1 || !strings.Contains(got[0].Text, "signed cookies") {
		t.Errorf("findings %+v", got)
	}
}

func (l *lab) all() []finding.Status {
	l.t.Helper()
	book, err := l.open().Book()
	if err != nil {
		l.t.Fatal(err)
	}
	return book.Each(func(f finding.Status) bool { return f.Category != "" && f.Level == finding.Sure })
}

// TestAnAnswerToAQuestionIsHeard: what a person chose in the client's own dialog.
func TestAnAnswerToAQuestionIsHeard(t *testing.T) {
	l := newLab(t).byItself()
	question := map[string]any{"question": "Which database should hold the jobs?", "header": "Database",
		"multiSelect": false,
		"options": []any{map[string]any{"label": "Postgres", "description": "One more table"},
			map[string]any{"label": "Redis", "description": "A new server"}}}
	l.person("Set up the queue.")
	l.line(map[string]any{"type": "assistant", "message": map[string]any{"id": "m", "role": "assistant",
		"content": []any{
			map[string]any{"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion",
				"input": map[string]any{"questions": []any{question}}}}}})
	l.line(map[string]any{"type": "user", "message": map[string]any{"role": "user",
		"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "toolu_1",
			"content": `User has answered your questions: "Which database should hold the jobs?"="Postgres". You can now continue.`}}},
		"toolUseResult": map[string]any{"questions": []any{question},
			"answers": map[string]any{"Which database should hold the jobs?": "Postgres"}}})
	l.stop("Done.")
	got := l.all()
	if len(got) != 1 || got[0].By != finding.Chosen || !strings.Contains(got[0].Text, "Postgres") ||
		got[0].Category != memory.Decision {
		t.Fatalf("findings %+v", got)
	}
	if !strings.Contains(fmt.Sprint(got[0].Context), "A new server") {
		t.Errorf("the options are not there: %+v", got[0].Context)
	}
}

// TestAChangeOfMind names the record that it turns against; small talk about it does
// not, and "scrap that" takes back what nobody has written up.
func TestAChangeOfMind(t *testing.T) {
	l := newLab(t).byItself()
	l.record("use-memcached-for-the-cache", "Use Memcached for the cache",
		"The cache is Memcached instead of Redis.")
	l.silent(l.person("How does Memcached evict keys in the cache?").stop("Least recently used."))
	said := l.person("I changed my mind about the cache: we no longer use Memcached, we switch back to " +
		"Redis.").stop("Right.")
	if !strings.Contains(said, "supersedes: use-memcached-for-the-cache") {
		t.Errorf("said %q, findings %+v", said, l.all())
	}
	why := fmt.Sprint(l.all()[0].Context)
	if !strings.Contains(why, "Least recently used") || !strings.Contains(why, "what it turns against") {
		t.Errorf("explained by %s", why)
	}
	l.applied()
	l.stop("Saved.", active)

	said = l.person("We decided to deploy with Nomad because Kubernetes is too much for two " +
		"people.").stop("Good.")
	if len(keep.FindAllString(said, -1)) != 1 {
		t.Fatalf("said %q", said)
	}
	l.silent(l.stop("One moment.", active))
	l.silent(l.person("Forget that, scrap that decision.").stop("Fine."))
	l.wantWaiting()
	for _, f := range l.all() {
		if strings.Contains(f.Text, "Nomad") && (f.State != finding.SetAside || f.MovedBy != "person") {
			t.Errorf("%+v; want it set aside by the person", f)
		}
	}
}

// TestExplainedAcrossLongResults: what the tools printed between two prompts does not hide
// the first one.
func TestExplainedAcrossLongResults(t *testing.T) {
	l := newLab(t).byItself()
	long := func() {
		for i := range 5 {
			id := fmt.Sprintf("toolu_%d", i)
			l.agent(map[string]any{"type": "tool_use", "id": id, "name": "Read",
				"input": map[string]any{"file_path": "/x"}})
			l.line(map[string]any{"type": "user", "message": map[string]any{"role": "user",
				"content": []any{map[string]any{"type": "tool_result", "tool_use_id": id,
					"content": strings.Repeat("a line of a large file\n", 4000)}}}})
		}
	}
	l.person("How large are the workers?")
	long()
	l.silent(l.stop("They have 512 MB."))
	l.person("And what do we resize images with?")
	long()
	l.silent(l.stop("With ImageMagick."))
	l.person("We decided to use libvips for thumbnails because it needs less memory.").stop("Good.")
	got := l.all()
	if len(got) != 1 || !strings.Contains(fmt.Sprint(got[0].Context), "How large are the workers?") {
		t.Errorf("findings %+v", got)
	}
}

// TestATurnAgainstWhatThisSessionSaid: whether it waits or is saved already, what comes instead
// is heard, and who comes back to it ends nothing.
func TestATurnAgainstWhatThisSessionSaid(t *testing.T) {
	const redis = "We decided to keep the job queue in Redis because it is fast."
	for _, tt := range []struct {
		said  string
		saved bool
		first finding.State // what becomes of the decision
		turns bool          // a finding says what is against it
	}{
		{"I changed my mind, back to PostgreSQL for the job queue.", false, finding.SetAside, true},
		{"I changed my mind, back to PostgreSQL.", false, finding.SetAside, true},
		{"I changed my mind, back to a table in the database.", false, finding.SetAside, true},
		{"Never mind Redis, back to PostgreSQL for the job queue.", false, finding.SetAside, true},
		{"Scrap that.", false, finding.SetAside, false},
		{"I changed my mind, back to Redis.", false, finding.Offered, false},
		{"Scrap that.", true, finding.Saved, true},
		{"That decision is off.", true, finding.Saved, true},
		{"Scrap that decision, please.", true, finding.Saved, true},
		{"I changed my mind, back to PostgreSQL.", true, finding.Saved, true},
		{"I changed my mind, back to Redis.", true, finding.Saved, false},
		{"Thanks, now run the tests.", true, finding.Saved, false},
	} {
		l := newLab(t).byItself()
		l.person(redis).stop("Good.")
		if tt.saved {
			l.record("job-queue-in-redis", "Job queue in Redis", redis)
			if err := l.open().MoveFindings(finding.Move{Act: finding.Save, Numbers: []int{1},
				To: "decisions/job-queue-in-redis.json"}); err != nil {
				t.Fatal(err)
			}
		}
		l.stop("One moment.", active)
		told := l.person(tt.said).stop("Fine.")
		all := l.all()
		turned := slices.ContainsFunc(all, func(f finding.Status) bool {
			return f.Kind == finding.Change && f.Text == tt.said && f.State == finding.Offered &&
				(!tt.saved || f.Target == "decisions/job-queue-in-redis.json")
		})
		if all[0].State != tt.first || turned != tt.turns || turned != (told != "") {
			t.Errorf("%q, saved %t: told %q\n%+v", tt.said, tt.saved, told, all)
		}
	}
}

// TestOnlyAPersonTakesBack: a prompt that a program sent, or one without a mark, does not take back what a
// person said.
func TestOnlyAPersonTakesBack(t *testing.T) {
	for _, source := range []string{"sdk", ""} {
		l := newLab(t).byItself()
		l.person("We decided to deploy with Nomad because Kubernetes is too much for two " +
			"people.").stop("Good.")
		l.stop("One moment.", active)
		l.line(map[string]any{"type": "user", "promptSource": source,
			"message": map[string]any{"role": "user",
				"content": "We no longer deploy with Nomad. Scrap that decision."}})
		l.stop("Fine.")
		for _, f := range l.all() {
			if strings.Contains(f.Text, "because Kubernetes") && !f.State.Waits() {
				t.Errorf("%q: %+v", source, f)
			}
		}
	}
}

// TestHeardOnlyTellsThePerson in one row, and the agent nothing.
func TestHeardOnlyTellsThePerson(t *testing.T) {
	for _, mode := range []string{"heard", "stage"} {
		l := newLab(t).byItself()
		l.config(`{"capture":{"on_stop":"` + mode + `"}}`)
		l.silent(l.person(decided).stop("Yes."))
		if !strings.Contains(l.message, "[1] decision") || strings.Contains(l.message, "\n") {
			t.Errorf("%s: the person sees %q", mode, l.message)
		}
		l.wantWaiting("Postgres")
	}
}

// TestNothingIsWrittenWhereNobodyListens: no journal appears.
func TestNothingIsWrittenWhereNobodyListens(t *testing.T) {
	for name, c := range map[string]string{"on_stop": `{"capture":{"on_stop":"off"}}`,
		"triage": `{"triage":{"enabled":false}}`} {
		l := newLab(t).byItself()
		l.config(c)
		l.silent(l.person(decided).stop("Yes."))
		if _, err := os.Lstat(string(l.open().Journal())); err == nil {
			t.Errorf("%s: there is a journal", name)
		}
	}
}

// TestWhatWasSaidWhileOffStaysOff: it is not taken up when noticing is on again.
func TestWhatWasSaidWhileOffStaysOff(t *testing.T) {
	for name, c := range map[string]string{"on_stop": `{"capture":{"on_stop":"off"}}`,
		"triage": `{"triage":{"enabled":false}}`} {
		l := newLab(t).byItself()
		l.config(c)
		l.silent(l.person(decided).stop("Yes."))
		l.config(`{}`)
		l.silent(l.person("Thank you.").stop("Welcome."))
		if all := l.all(); len(all) > 0 {
			t.Errorf("%s: %+v", name, all)
		}
		if said := l.person("We decided to deploy with Nomad because Kubernetes is too " +
			"much.").stop("Good."); said == "" {
			t.Errorf("%s: what is said later is not heard", name)
		}
	}
}

// TestABareNumberIsOffered where the agent asked which of two things is to be, and not
// where it asked how to go on.
func TestABareNumberIsOffered(t *testing.T) {
	l := newLab(t).byItself()
	l.silent(l.person("Where should the queue be?").agent(says("There are two databases that would do:\n\n" +
		"1. Postgres\n2. SQLite, one file\n\nWhich database should we use?")).stop(""))
	if said := l.person("2").stop("Good."); !strings.Contains(said, "SQLite, one file") {
		t.Errorf("said %q; want the pick offered", said)
	}
	l.silent(l.person("And now?").agent(says("Two things wait:\n\n1. Run the tests\n2. Open the pull " +
		"request\n\nWhich one should I do first?")).stop(""))
	l.silent(l.person("1").stop("On it."))
}

// TestAskedForOnceMore: what the agent was told of and did not save is told again, by its
// number, when the person asks for it, each time that they do, and not by itself.
func TestAskedForOnceMore(t *testing.T) {
	for name, request := range map[string]string{
		"pointed to":     "Please remember that decision.",
		"in plain words": "Remember that: " + decided,
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).byItself()
			l.config(`{"capture":{"max_saves_per_session":1}}`)
			l.keeps(l.person(decided).stop("Yes."), "keepsake: keep [1] decision")
			l.silent(l.stop("I will not.", active))
			l.silent(l.person("Go on.").stop("Done."))
			for range 2 {
				said := l.person(request).stop("I will.")
				if got := keep.FindAllStringSubmatch(said, -1); len(got) != 1 || got[0][2] != "decision" ||
					!strings.Contains(got[0][3], "Postgres") {
					t.Fatalf("said %q; want the decision once more", said)
				}
				if name == "pointed to" {
					l.keeps(said, "keepsake: keep [1] decision")
				}
				l.silent(l.stop("I will not.", active))
			}
			l.silent(l.person("Go on.").stop("Done."))
		})
	}
}

// TestAskedForOnceMoreInPlanMode: the request waits until something can be saved.
func TestAskedForOnceMoreInPlanMode(t *testing.T) {
	l := newLab(t).byItself()
	l.keeps(l.person(decided).stop("Yes."), "keepsake: keep [1] decision")
	l.silent(l.stop("I will not.", active))
	l.silent(l.person("Please remember that decision.").stop("I will.",
		func(in *hook.Stop) { in.Mode = "plan" }))
	l.keeps(l.person("Go on.").stop("Done."), "keepsake: keep [1] decision")
	l.silent(l.person("Go on.").stop("Done."))
}

// TestNoBudget: with a budget of none the agent is told only of what the person asks to
// have remembered, and of nothing that waits beside it.
func TestNoBudget(t *testing.T) {
	for name, more := range map[string]string{"by itself": "", "drafters": `,"drafters":"always"`} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).byItself()
			l.config(`{"capture":{"max_saves_per_session":0` + more + `}}`)
			l.silent(l.person(decided).stop("Yes."))
			l.silent(l.person(prefers).stop("Yes."))
			said := l.person("Remember that the staging server is called heron.").stop("I will.")
			l.keeps(said, "heron")
			if strings.Contains(said, "Postgres") || strings.Contains(said, "pnpm") {
				t.Errorf("said %q; want only what was asked for", said)
			}
			l.wantWaiting("Postgres", "pnpm", "heron")
			for _, f := range l.all() {
				if want := strings.Contains(f.Text, "heron"); (f.State == finding.Offered) != want {
					t.Errorf("[%d] is %s", f.Number, f.State)
				}
			}
			l.silent(l.stop("Done.", active))
			said = l.person("Please remember that decision.").stop("I will.")
			l.keeps(said, "Postgres")
			if strings.Contains(said, "pnpm") {
				t.Errorf("said %q; want only what was asked for", said)
			}
		})
	}
}

// keeps checks that a finding is asked for.
func (l *lab) keeps(said, words string) {
	l.t.Helper()
	if !strings.Contains(said, words) {
		l.t.Errorf("said %q; no %q in it", said, words)
	}
}

// slash writes the line of a slash command, with more of what the client says of it.
func (l *lab) slash(args string, more map[string]any) *lab {
	fields := map[string]any{"type": "user", "message": map[string]any{"role": "user",
		"content": "<command-message>keepsake:save</command-message>\n" +
			"<command-name>/keepsake:save</command-name>\n<command-args>" + args + "</command-args>"}}
	maps.Copy(fields, more)
	l.line(fields)
	return l
}

// TestTypedBehindSave: what was noted when it was typed is no second finding, whether it
// was saved or not.
func TestTypedBehindSave(t *testing.T) {
	l := newLab(t).byItself()
	if _, ok, err := l.open().NoteRequest("decision "+decided, l.now); err != nil || !ok {
		t.Fatal(ok, err)
	}
	err := l.open().MoveFindings(finding.Move{At: l.now, Act: finding.Offer, Numbers: []int{1},
		By: "keepsake"})
	if err != nil {
		t.Fatal(err)
	}
	l.silent(l.slash("decision "+decided, nil).stop("I will not."))
	if got := l.all(); len(got) != 1 || got[0].State != finding.Offered {
		t.Errorf("findings %+v, want the one that was typed", got)
	}
	l.keeps(l.slash("decision "+decided2, nil).stop("Hm."), "Kafka") // that was noted nowhere
}

// TestScheduledBehindSave: what an agent scheduled is no person's, though it came the same
// way.
func TestScheduledBehindSave(t *testing.T) {
	l := newLab(t).byItself()
	_, err := l.open().NoteFindings([]finding.Finding{{Text: decided, By: finding.Typed,
		Origin:  finding.FromPerson,
		Session: "s1", Offset: -1, Time: l.now, Category: memory.Decision, Level: finding.Sure,
		Explicit: true,
		Cue:      session.SaveCommand, Digest: finding.Digest(decided)}}, l.now)
	if err != nil {
		t.Fatal(err)
	}
	l.silent(l.slash("decision "+decided, map[string]any{"promptSource": "system",
		"isMeta": true}).stop("Saved."))
	if got := l.all(); len(got) != 1 || got[0].State != finding.SetAside {
		t.Errorf("findings %+v, want the one set aside", got)
	}
}
