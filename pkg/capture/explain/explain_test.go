package explain

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// talk makes entries of lines: "> " is the person, "$ " a command that passed, "! " one
// that failed, each with what it printed behind " → ", all else the agent.
func talk(lines ...string) (entries []transcript.Entry) {
	for i, line := range lines {
		e := transcript.Entry{Who: transcript.Assistant, Text: line, UUID: fmt.Sprint(i), Offset: int64(i)}
		if said, ok := strings.CutPrefix(line, "> "); ok {
			e.Who, e.Text = transcript.Person, said
		}
		if command, printed, ok := strings.Cut(line, " → "); ok {
			e.Who, e.Text, e.Failed = transcript.Tool, printed, command[0] == '!'
			e.Call = &transcript.Call{Tool: "Bash", Command: command[2:]}
		}
		entries = append(entries, e)
	}
	return entries
}

// handed is a prompt that hands over a plan, with what the person said of it.
func handed(said ...string) []transcript.Entry {
	plan := "---"
	if len(said) == 1 {
		said = []string{"Keep it small."}
	}
	return []transcript.Entry{{Who: transcript.Person, Plan: plan,
		Text: "Implement the following plan:\n\n" + plan +
			"\n\n" + strings.Join(said, "\n\n")}}
}

func asked(question, answer string, options ...transcript.Option) transcript.Entry {
	return transcript.Entry{Who: transcript.Person, Text: answer,
		Asked: &transcript.Asked{Question: question, Options: options}}
}

func show(heard []Heard) string {
	var b strings.Builder
	for _, h := range heard {
		s := h.Statement
		fmt.Fprintf(&b, "%d %s %s %s%s", h.Entry, h.By, s.Level, s.Category, s.Moment)
		if s.Explicit {
			b.WriteString(" explicit")
		}
		fmt.Fprintf(&b, ": %s\n", h.Text)
	}
	return b.String()
}

func TestListen(t *testing.T) {
	pg, lite := transcript.Option{Label: "Postgres", Description: "jobs survive"},
		transcript.Option{Label: "SQLite"}
	db := "Which database holds the queue?"
	plan := "# Queue\n\n## Choice\n\nWe use a table because jobs must survive. It is called jobs.\n\n## " +
		"Steps\n\n1. Add it"
	approved := func(own, plan string) transcript.Entry {
		return transcript.Entry{Who: transcript.Person, Plan: plan, Text: own, UUID: "p"}
	}
	for name, c := range map[string]struct {
		before, entries []transcript.Entry
		want            string
	}{
		"a statement": {nil, talk("> let's go with flock", "Done."),
			"0 typed sure decision: let's go with flock\n"},
		"nothing": {nil, talk("> run the tests", "They pass."), ""},
		"an answer": {nil, []transcript.Entry{asked(db, "Postgres: jobs survive", pg, lite)},
			"0 chosen sure decision: " + db + " — Postgres: jobs survive\n"},
		"own words": {nil, []transcript.Entry{asked(db, "redis, ops has one", pg, lite)},
			"0 typed sure decision: " + db + " — redis, ops has one\n"},
		"words triage hears": {nil, []transcript.Entry{asked(db, "we decided on redis because ops has one",
			pg, lite)}, "0 typed sure decision: we decided on redis because ops has one\n"},
		"an errand": {nil, []transcript.Entry{asked("What would you like to do next?", "Start",
			transcript.Option{Label: "Start"})}, ""},
		"a commit": {nil, []transcript.Entry{asked("How should these fixups be committed?",
			"New commit", transcript.Option{Label: "New commit"})}, ""},
		"an errand, in words": {nil,
			[]transcript.Entry{asked("What would you like to do next?",
				"start it but keep the changes on this branch", transcript.Option{Label: "Start"})},
			"0 typed candidate decision: What would you like to do next? — start it but keep the changes " +
				"on this branch\n"},
		"a pick": {talk("> how?", twoWays), talk("> 2", "ok"),
			"0 chosen sure decision: 2 — SQLite: one file, one writer\n"},
		"a pick in words": {talk("> how?", twoWays), talk("> go with the second option", "ok"),
			"0 chosen sure decision: go with the second option — SQLite: one file, one writer\n"},
		"a pick with reasons": {talk(twoWays),
			talk("> Ok. Let's go with option 2 because it is one file. Run the tests then."),
			"0 chosen sure decision: Let's go with option 2 because it is one file. — SQLite: one file, " +
				"one writer\n"},
		"a yes": {talk("I'd use flock instead of a table. Should I use flock instead?"),
			talk("> yes"), "0 chosen sure decision: yes — Should I use flock instead?\n"},
		"a yes to nothing":    {talk("Shall I run the tests?"), talk("> yes", "They pass."), ""},
		"somebody else spoke": {talk(twoWays, "> wait"), talk("> 2"), ""},
		"a plan": {nil, []transcript.Entry{approved("", plan)},
			"0 chosen sure decision: We use a table because jobs must survive.\n0 chosen candidate " +
				"decision: It is called jobs.\n"},
		"a plan and a word": {nil, []transcript.Entry{approved("Implement the following plan:\n\n"+plan+
			"\n\nbut never use default exports", plan)},
			"0 typed sure preference: but never use default exports\n0 chosen sure decision: We use a " +
				"table because jobs must survive.\n" +
				"0 chosen candidate decision: It is called jobs.\n"},
		"a plan of steps": {nil, []transcript.Entry{approved("",
			"# Move the box\n\n## Layout\n\nPut it left.\n\n## Tests\n\nRun them.")},
			""},

		"remember this": {nil, talk("> We decided to use Postgres because of JSONB. Remember that."),
			"0 typed sure decision explicit: We decided to use Postgres because of JSONB.\n"},
		"of an earlier turn": {talk("> we decided to use Postgres because of JSONB", "Fine."),
			talk("> remember this"),
			"0 typed sure decision explicit: we decided to use Postgres because of JSONB\n"},
		"of the agent": {talk("> why?",
			"The crash was caused by a stale lock, fixed by deleting it.", "> ok", "Anything else?"),
			talk("> save that fix"), "0 agent sure runbook explicit: The crash was caused by a stale lock, " +
				"fixed by deleting it.\n"},
		"the kind it names": {talk("> we decided to use Postgres because of JSONB", "Noted.",
			"> from now on always use pnpm", "Ok."), talk("> save that decision"),
			"0 typed sure decision explicit: we decided to use Postgres because of JSONB\n"},
		"a pick before": {talk(twoWays, "> option 2", "Done."), talk("> remember that decision"),
			"0 chosen sure decision explicit: option 2 — SQLite: one file, one writer\n"},
		"what no phrase hears": {talk("> what is staging called?", "The staging box is called heron."),
			talk("> remember that"), "0 agent sure preference explicit: The staging box is called heron.\n"},
		"what follows": {nil,
			talk("> Remember this:\n- staging is called heron\n- the key is in the vault"),
			"0 typed sure preference explicit: staging is called heron the key is in the vault\n"},
		"what follows is heard": {nil,
			talk("> Remember this:\n- never use default exports\n- staging is called heron"),
			"0 typed sure preference explicit: never use default exports\n"},
		"nothing to remember": {nil, talk("> remember this"), ""},
		"a request that says": {nil, talk("> remember that staging is called heron"),
			"0 typed sure preference explicit: remember that staging is called heron\n"},
		"within the new ones": {talk("> hello there my friend"),
			talk("> we decided to use Go", "Good.", "> keep that in mind"),
			"0 typed sure decision explicit: we decided to use Go\n"},
	} {
		got := show(hearWords(func(int) []transcript.Entry { return c.before }, c.entries, triage.Options{}))
		if got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
	off := triage.Options{Off: map[memory.Category]bool{memory.Decision: true}}
	if got := hearWords(nil, []transcript.Entry{asked(db, "SQLite", pg, lite)}, off); len(got) > 0 {
		t.Errorf("decisions are off: %+v", got)
	}
}

// TestRefusedQuestion: whoever refuses the client's question may answer it in a message.
func TestRefusedQuestion(t *testing.T) {
	ask := func(questions ...string) []transcript.Entry {
		call := &transcript.Call{Tool: "AskUserQuestion"}
		for _, q := range questions {
			call.Asks = append(call.Asks, transcript.Asked{Question: q,
				Options: []transcript.Option{{Label: "Postgres", Description: "jobs survive"},
					{Label: "SQLite"}}})
		}
		return []transcript.Entry{{Who: transcript.Assistant, Text: "One question."},
			{Who: transcript.Assistant, Tool: call.Tool, Call: call},
			{Who: transcript.Tool, Call: call, Failed: true, Text: "The user doesn't want to proceed"}}
	}
	for _, c := range []struct {
		before     []transcript.Entry
		said, want string
	}{
		{ask("Which database?"), "> the first, because jobs matter",
			"0 chosen sure decision: the first, because jobs matter — Postgres: jobs survive\n"},
		{ask("Which database?"), "> what would you take?", ""},
		{ask("Which database?", "Which cache?"), "> the first", ""},
	} {
		got := show(hearWords(func(int) []transcript.Entry { return c.before }, talk(c.said),
			triage.Options{}))
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.said, got, c.want)
		}
	}
}

func lines(all []finding.Line) string {
	var b strings.Builder
	for _, l := range all {
		fmt.Fprintf(&b, "%s %s: %s\n", l.By, l.Role, l.Text)
	}
	return b.String()
}

func TestExplanations(t *testing.T) {
	for name, c := range map[string]struct {
		before, entries []transcript.Entry
		want            string
	}{
		"exchanges": {talk("> first question", "first answer", "> second", "looking", "second answer",
			"> third", "third answer", "> fourth", "fourth answer"), talk("> let's go with flock"),
			"typed : second\nagent : second answer\ntyped : third\nagent : third answer\ntyped : " +
				"fourth\nagent : fourth answer\n"},
		"a pick": {talk("> how?", twoWays), talk("> option 2"),
			"typed : how?\nagent question: There are two ways: 1. **Postgres**: jobs survive a restart 2. " +
				"**SQLite**: one file, one writer Which one do you prefer?\ntyped answer: option 2\n"},
		"an answer": {nil, []transcript.Entry{asked("Which?", "A: one",
			transcript.Option{Label: "A", Description: "one"}, transcript.Option{Label: "B"})},
			"agent question: Which? (options: A: one; B)\nchosen answer: A: one\n"},
		"a pick past a question": {talk(twoWays, "> what does 2 cost?", "Nothing."), talk("> option 2"),
			"agent question: There are two ways: 1. **Postgres**: jobs survive a restart 2. **SQLite**: " +
				"one file, one writer Which one do you prefer?\ntyped : what does 2 cost?\n" +
				"agent : Nothing.\ntyped answer: option 2\n"},
		"a plan": {nil, []transcript.Entry{{Who: transcript.Person, Plan: "# P\n\nWe decided to use Go."}},
			"agent plan: # P We decided to use Go.\n"},
		"a plan that was handed over": {handed("Use SQLite."), talk("> let's go with flock"),
			"typed : Keep it small.\n"},
		"what was said with a plan": {nil, handed("We decided to use Go because it is fast.",
			"And there is more to say of it."),
			"typed : We decided to use Go because it is fast. And there is more to say of it.\n"},
		"a fix": {talk("> it fails", "! go test ./... → panic: locked"),
			talk("$ ls → a b", "$ cd x && go test -count=1 ./... → ok",
				"The crash was caused by a stale lock, fixed by deleting it."),
			"typed : it fails\nprogram failed: $ go test ./... → panic: locked\nprogram passed: $ cd x && " +
				"go test -count=1 ./... → ok\n"},
		"what was said with it": {nil,
			talk("> The box is slow.\n\nWe decided to use Go because it is fast.\n\nThat is all."),
			"typed : The box is slow. We decided to use Go because it is fast. That is all.\n"},
	} {
		heard := hearWords(func(int) []transcript.Entry { return c.before }, c.entries, triage.Options{})
		if len(heard) != 1 {
			t.Errorf("%s: heard\n%s", name, show(heard))
			continue
		}
		if got := lines(heard[0].Context); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// TestExplanationsAreSmall: whatever was said, and cut where characters begin.
// TestExchanges: what is heard elsewhere is explained as what is heard here.
func TestExchanges(t *testing.T) {
	before := talk("> How did the load test go?", "Valkey drops our scripts after a failover.",
		"> And the monitoring?", "Ops can't see it.")
	entries := talk("> Too much trouble. I changed my mind, back to Redis.", "Ok.")
	got := Exchanges(func(int) []transcript.Entry { return before }, entries, 0,
		"I changed my mind, back to Redis.")
	want := []finding.Line{
		{By: finding.Typed, Text: "How did the load test go?"},
		{By: finding.Agent, Text: "Valkey drops our scripts after a failover."},
		{By: finding.Typed, Text: "And the monitoring?"},
		{By: finding.Agent, Text: "Ops can't see it."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	long := talk("> Too much trouble for a cache that holds nothing. I changed my mind, back to Redis.")
	got = Exchanges(nil, long, 0, "I changed my mind, back to Redis.")
	want = []finding.Line{{By: finding.Typed, Role: finding.Said, Text: long[0].Text}}
	if !slices.Equal(got, want) {
		t.Errorf("the rest of the message: %+v", got)
	}
	plan := []transcript.Entry{{Who: transcript.Person, Text: "yes", Plan: "# Cache\n\nUse Redis."}}
	if got = Exchanges(nil, plan, 0, "Use Redis."); len(got) != 0 {
		t.Errorf("typed beside a plan: %+v", got)
	}
	answer := []transcript.Entry{asked("Which cache?", "back to Redis", transcript.Option{Label: "Valkey"})}
	got = Exchanges(nil, answer, 0, "back to Redis")
	want = []finding.Line{
		{By: finding.Agent, Role: finding.Question, Text: "Which cache? (options: Valkey)"},
		{By: finding.Typed, Role: finding.Answer, Text: "back to Redis"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("an answer: %+v", got)
	}
}

func TestExplanationsAreSmall(t *testing.T) {
	var before []transcript.Entry
	for i := range 9 {
		before = append(before, talk("> "+strings.Repeat("wörd ", 3000),
			strings.Repeat("ä", 4000)+fmt.Sprint(i), "! make x → "+strings.Repeat("€", 3000))...)
	}
	for _, said := range []string{"> the crash was caused by a wörd, fixed by deleting it",
		"> let's go with wörd " + strings.Repeat("ß", 900)} {
		for _, h := range hearWords(
			func(int) []transcript.Entry { return before }, talk(said), triage.Options{},
		) {
			sum := 0
			for _, l := range h.Context {
				sum += len(l.Text)
				if len(l.Text) > maxQuestion || strings.ContainsRune(l.Text, '\uFFFD') ||
					strings.ToValidUTF8(l.Text, "") != l.Text {
					t.Errorf("%d bytes: %q", len(l.Text), l.Text)
				}
			}
			if sum > maxContext || len(h.Context) < 3 {
				t.Errorf("%d bytes in %d lines", sum, len(h.Context))
			}
		}
	}
}

// TestNothingHeardReadsNothing: what stands before the mark is not even asked for.
func TestNothingHeardReadsNothing(t *testing.T) {
	before := func(int) []transcript.Entry { t.Error("read"); return nil }
	hearWords(before, talk("> please run the tests", "They pass.", "> thanks, now commit it", "$ ls → x"),
		triage.Options{})
	hearWords(before, talk("> please look at the importer and tell me why it is slow when the file is long",
		"It copies every line.", "$ ls → x"), triage.Options{})
}

// recorded reads a session of a client.
func recorded(t *testing.T, path string) []transcript.Entry {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	span, err := transcript.Read(io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))),
		transcript.Request{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	return span.Entries
}

// TestRecordedChoices: what was chosen in the sessions recorded from both clients.
func TestRecordedChoices(t *testing.T) {
	for _, v := range []string{"2.1.197", "2.1.329"} {
		got := ""
		for _, h := range hearWords(nil,
			recorded(t, filepath.Join("..", "..", "client", "transcript", "testdata", "choices-"+v+".jsonl")),
			triage.Options{}) {
			if !strings.Contains(got, h.Text+"\n") { // the plan was approved twice
				got += fmt.Sprintf("%s: %s\n", h.By, h.Text)
			}
		}
		want := "chosen: Which database should hold the queue? — SQLite: One file, one writer\n" +
			"chosen: Which checks run in CI? — vet: go vet; fuzz: a minute each\n" +
			"typed: Where do logs go? — to syslog, because ops reads that\n" +
			"chosen: We use Postgres for the queue because jobs must survive a restart.\n"
		if got != want {
			t.Errorf("%s:\n%swant\n%s", v, got, want)
		}
	}
}

// sessions are whole sessions: the recorded ones of both clients, and one with every form of a pick.
func sessions(t *testing.T) map[string][]transcript.Entry {
	all := map[string][]transcript.Entry{
		"picks": talk("> where should the jobs live?", twoWays, "> option 2", "Done.",
			"> and the cache?", options, "> option B", "$ make test → ok", "All done.",
			"> and the limit?", bullets, "> in the service", "Fine.", "> next?", inline, "> (b)", "Right.",
			"> We decided to keep the job queue in Postgres because jobs must survive a restart.", "Noted.",
			"> remember that decision", "I will.", "> from now on always run make lint before you commit"),
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "client", "transcript", "testdata", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions (%v)", err)
	}
	for _, file := range files {
		all[file] = recorded(t, file)
	}
	return all
}

// TestNothingIsLost: what triage hears is among what is heard, with the same words.
func TestNothingIsLost(t *testing.T) {
	statements, sure := 0, 0
	for name, entries := range sessions(t) {
		ps, _ := readPassages(entries)
		all := hearWords(nil, entries, triage.Options{})
		for _, s := range triage.Statements(ps, triage.Options{}) {
			statements++
			if !s.Pointer && !slices.ContainsFunc(all,
				func(h Heard) bool {
					return strings.HasPrefix(h.Text, text.ShortenBytes(text.OneLine(s.Text), 1900))
				}) {
				t.Errorf("%s: %q is lost", name, s.Text)
			}
		}
		for _, h := range all {
			if h.Statement.Level == finding.Sure {
				sure++
			}
		}
	}
	if statements < 5 || sure == 0 {
		t.Errorf("%d statements, %d of them sure: too few to say anything", statements, sure)
	}
}

// TestTurnByTurn: what was chosen is heard the same when each turn is read by itself,
// with what stood before it read back.
func TestTurnByTurn(t *testing.T) {
	chosen := func(all []Heard) (texts []string) {
		for _, h := range all {
			if h.By == finding.Chosen && h.refers != "" {
				texts = append(texts, h.Text)
			}
		}
		return texts
	}
	n := 0
	for name, entries := range sessions(t) {
		want := chosen(hearWords(nil, entries, triage.Options{}))
		var got []string
		from := 0
		for to := 1; to <= len(entries); to++ {
			if to == len(entries) || entries[to].Who == transcript.Person && entries[to].Asked == nil {
				before := func(int) []transcript.Entry { return entries[max(0, from-40):from] }
				got = append(got, chosen(hearWords(before, entries[from:to], triage.Options{}))...)
				from = to
			}
		}
		for _, text := range want {
			if !slices.Contains(got, text) {
				t.Errorf("%s: %q is not heard turn by turn", name, text)
			}
		}
		n += len(want)
	}
	if n < 3 {
		t.Errorf("%d picks and agreements, want 3 at least", n)
	}
}

// TestOfferIsJudgedAgain: a yes says more of all that the agent put forward in the turn before. What the yes
// itself resolves to is heard once.
func TestOfferIsJudgedAgain(t *testing.T) {
	offer := "I propose flock for the queue.\\n\\nA lock on a file dies with its process.\\n\\n"
	all := script("p: how do we lock it?\na: " + offer + "Shall I do it?\np: yes")
	before := func(int) []transcript.Entry { return all[:2] }
	got := listen(before, all[2:], triage.Options{}, modelOf(memory.Constraint, 0.5, nil))
	var said []string
	for _, h := range got {
		said = append(said, h.Text)
		if h.Text == "A lock on a file dies with its process." && (h.By != finding.Agent || h.Entry != 0) {
			t.Errorf("%+v; want the agent's words, at the yes", h)
		}
	}
	want := []string{"yes — I propose flock for the queue.", "A lock on a file dies with its process."}
	for _, w := range want {
		if n := len(slices.DeleteFunc(slices.Clone(said), func(s string) bool { return s != w })); n != 1 {
			t.Errorf("%q is heard %d times in %q", w, n, said)
		}
	}
	got = listen(before, script("p: no, a pid file"), triage.Options{}, score.Shipped())
	if slices.ContainsFunc(got, func(h Heard) bool { return strings.Contains(h.Text, "dies with") }) {
		t.Error("a no judges the offer again")
	}
}

func FuzzListen(f *testing.F) {
	f.Add("> how?", twoWays, "> option 2", "> remember that decision")
	f.Add(steps, "> yes", "! x → y", "> the crash was caused by a lock, fixed by deleting it")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, s := range []*string{&a, &b, &c, &d} {
			if *s = strings.ToValidUTF8(*s, ""); strings.Contains(*s, " → ") {
				*s = "$ " + *s // what talk reads as a command has one
			}
		}
		before, entries := talk(a, b),
			append(talk(c, d), transcript.Entry{Who: transcript.Person, Plan: a, Text: b},
				transcript.Entry{Who: transcript.Person, Asked: &transcript.Asked{Question: a,
					Options: []transcript.Option{{Label: c}}}, Text: d})
		for _, h := range Listen(func(int) []transcript.Entry { return before }, entries, triage.Options{}) {
			size := 0
			for _, l := range h.Context {
				size += len(l.Text)
			}
			if size > maxContext || len(h.Text) > maxText || strings.ContainsAny(h.Text, "\n\r") ||
				h.Statement.Pointer ||
				h.Entry < 0 || h.Entry >= len(entries) || strings.ToValidUTF8(h.Text, "") != h.Text {
				t.Fatalf("%+v", h)
			}
		}
	})
}

// The limit is for a machine under heavy load: what is quadratic takes minutes.
func TestListenDoesNotRunAway(t *testing.T) {
	for name, s := range map[string]string{
		"numbers": "1. x\n", "letters": "(a) (b) ", "options": "**Option 1**: a\n", "bullets": "- a\n",
		"words": "lorem ipsum or ", "questions": "Which? ", "marks": "a) a)a)",
	} {
		long := strings.Repeat(s, 64<<10/len(s))
		begin := time.Now()
		Listen(nil, talk(long, "> option 2", long, "> "+long, "> the latter", "> yes", "> remember this"),
			triage.Options{})
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

func BenchmarkListenToNothing(b *testing.B) {
	var entries []transcript.Entry
	for range 25 {
		entries = append(entries, talk("> please look at the importer",
			"It was slow since it copied every line. It keeps them in a map now.\n\n- one\n- two\n",
			"$ go test ./... → ok")...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(hearWords(nil, entries, triage.Options{NoMoments: true})) > 0 {
			b.Fatal("heard something")
		}
	}
}

// TestHeadingsOfPlans: what a heading says is what the one reader of headings says.
func TestHeadingsOfPlans(t *testing.T) {
	plan := "# Switch back to C# #\n\n#5 is first.\n\n##\tDecisions ##\n\nWe keep the old database for now.\n"
	if got := planTitle(plan); got != "Switch back to C#" {
		t.Errorf("%q", got)
	}
	if all := planChoices(plan); len(all) != 1 || !strings.HasPrefix(all[0].Text, "We keep") {
		t.Errorf("%+v", all)
	}
	plan = "````\n```\n# Code\n```\n# Code\n````\n\n# Plan: switch back to Go\n\n~~~\n# Code\n~~~\n\n## " +
		"Decisions\n\nWe keep " +
		"the old database for now.\n"
	if got := planTitle(plan); got != "switch back to Go" {
		t.Errorf("%q", got)
	}
	for line, want := range map[string]string{
		"### Option 2: Port to C# ###": "Port to C#", "### 2. C#": "C#", "#2. no heading": "",
	} {
		if _, _, rest, ok := readItem(line); rest != want || ok != (want != "") {
			t.Errorf("%q: %q, %t", line, rest, ok)
		}
	}
}

// hearWords is Listen without the model: what phrases and choices say, which these tests are about.
func hearWords(before func(int) []transcript.Entry, entries []transcript.Entry, o triage.Options) []Heard {
	return listen(before, entries, o, nil)
}
