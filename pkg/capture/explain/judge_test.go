package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// modelOf returns a model that says of every statement that it is worth keeping as c with the probability p,
// and of one with a word that it is as likely as the word says.
func modelOf(c memory.Category, p float64, words map[string]float64) *score.Model {
	odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
	col := 1 + slices.Index(score.Categories[:], c)
	byName := make([][score.Columns]float64, score.Named)
	byWord := make([][score.Columns]float64, score.Buckets)
	for i := range score.Categories {
		byName[0][1+i] = -100
	}
	byName[0][col] = odds(p)
	for word, p := range words {
		var f score.Features
		f.Extract(&score.Input{Text: word})
		byWord[f.Words[0]][col] = 10 * math.Copysign(1, p-0.5)
	}
	return score.New(byName, byWord)
}

// agentSays returns what a model hears when the agent says something behind a prompt that says nothing.
func agentSays(m *score.Model, said string, o triage.Options) []Heard {
	all := script("p: go on")
	all = append(all, transcript.Entry{Who: transcript.Assistant, Text: said})
	return listen(nil, all, o, m)
}

const lease = "The lease of a job lives in the queue's table, next to its state."

// TestLevels: capture.level sets how likely a candidate must be, and how much of the doubt that a threshold
// leaves is enough to be sure.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		level     triage.Eagerness
		cut, sure float64
	}{{triage.Quiet, 0.16, 0.8}, {triage.Normal, 0.08, 0.6}, {triage.Eager, 0.04, 0.4}} {
		o := triage.Options{Eagerness: c.level}
		for p, want := range map[float64]string{
			c.cut - 0.01: "", c.cut + 0.01: "candidate", c.sure - 0.01: "candidate", c.sure + 0.01: "sure",
		} {
			got := ""
			for _, h := range agentSays(modelOf(memory.Constraint, p, nil), lease, o) {
				got += string(h.Statement.Level)
				if s := h.Statement; s.Category != memory.Constraint || math.Abs(s.Score-p) > 1e-3 ||
					!h.likely {
					t.Errorf("heard %s with %v, want a constraint with %v", s.Category, s.Score, p)
				}
			}
			if got != want {
				t.Errorf("level %d, %v likely: %q, want %q", c.level, p, got, want)
			}
		}
	}
	o := triage.Options{Thresholds: map[memory.Category]float64{memory.Constraint: 0.9}}
	if got := agentSays(modelOf(memory.Constraint, 0.8, nil), lease, o); len(got) != 1 ||
		got[0].Statement.Level != finding.Candidate {
		t.Errorf("below the person's threshold: %s", show(got))
	}
}

// TestEagerLosesNothing: a more eager level hears all that a quieter one hears, and is sure of all that it is
// sure of.
func TestEagerLosesNothing(t *testing.T) {
	scripts := []string{
		"p: We decided to use Postgres because jobs must survive.\na: Good. I'll add a lease, as a worker " +
			"may die.\np: from now on always use pnpm\na: Noted. The API only supports 100 items a page.",
		"p: when?\na: Which?\\n1. flock on a file\\n2. a pid file\np: the first\na: We leave the retry " +
			"for later, it is a hack for now.",
		"p: run it\n$ go test ./x\nx> no such table\na: The issue is that the fixture doesn't migrate " +
			"first.\n" +
			"e: x_test.go\n> ok\n$ go test ./x\n> ok\na: Fixed by running `migrate` in the fixture.",
		"handed # Queue\\n\\n- Use Postgres, not Redis, because jobs must survive.\\n- Leases of 30 s.",
	}
	check := func(what string, all []transcript.Entry) {
		var before map[string]finding.Level
		for _, level := range []triage.Eagerness{triage.Quiet, triage.Normal, triage.Eager} {
			now := map[string]finding.Level{}
			for _, h := range Listen(nil, all, triage.Options{Eagerness: level}) {
				now[fmt.Sprint(h.Entry, " ", h.Text)] = h.Statement.Level
			}
			for text, was := range before {
				if is, ok := now[text]; !ok || was == finding.Sure && is != finding.Sure {
					t.Errorf("%s: %s is lost at level %d", what, text, level)
				}
			}
			before = now
		}
	}
	heard := 0
	for _, s := range scripts {
		check(s, script(s))
		heard += len(Listen(nil, script(s), triage.Options{}))
	}
	if heard < 4 {
		t.Errorf("%d findings, too few to tell", heard)
	}
	for name, all := range sessions(t) {
		check(name, all)
	}
}

// TestTheModelKeepsWhatIsPlain: what the model makes little of is still there where somebody said it in so
// many words, and what it is sure of is not sure in a form that states nothing.
func TestTheModelKeepsWhatIsPlain(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		p      float64 // as a constraint
		want   string
	}{
		"a request": {"p: remember that staging is called heron", 0.001,
			"0 typed sure preference explicit: remember that staging is called heron\n"},
		"a moment": {"p: We shipped the importer.", 0.01, "0 typed sure progress: We shipped the " +
			"importer.\n"},
		"a moment that may be more": {"p: We shipped the importer.", 0.5,
			"0 typed sure progress: We shipped the importer.\n" +
				"0 typed candidate constraint: We shipped the importer.\n"},
		"a moment that is more": {"p: We shipped the importer.", 0.9,
			"0 typed sure constraint: We shipped the importer.\n"},
		"the person's plain words": {"p: We decided to use Postgres because of jsonb.", 0.01,
			"0 typed sure decision: We decided to use Postgres because of jsonb.\n"},
		"the agent's weak words": {"p: go on\na: We'll use the default port here.", 0.01,
			"1 agent candidate constraint: We'll use the default port here.\n"},
		"an option": {"p: hm\na: Which?\\n1. flock on a file\\n2. a pid file\np: the second", 0.01,
			"2 chosen sure decision: the second — a pid file\n"},
		"a story": {"p: Once upon a time we decided to use Postgres because of jsonb.", 0.01,
			"0 typed candidate constraint: Once upon a time we decided to use Postgres because of jsonb.\n"},
		"a wish": {"p: I wish we had decided to use Postgres because of jsonb.", 0.01,
			"0 typed candidate constraint: I wish we had decided to use Postgres because of jsonb.\n"},
		"a rule in German": {"p: commit messages ab jetzt immer auf englisch", 0.01,
			"0 typed sure preference: commit messages ab jetzt immer auf englisch\n"},
		"a rule in Chinese": {"p: 今后一律提交信息都写英文。", 0.01, "0 typed sure preference: 今后一律提交信息都写英文。\n"},
		"a tale of what comes": {"p: ab jetzt bin ich im Urlaub", 0.01,
			"0 typed candidate preference: ab jetzt bin ich im Urlaub\n"},
		"a request in German":   {"p: bitte die tests laufen lassen", 0.01, ""},
		"a rule of the agent's": {"p: go on\na: Commit messages ab jetzt bitte auf englisch.", 0.01, ""},
		"a short choice": {"p: hm\na: Done.\np: let's go with Redis", 0.99,
			"2 typed sure constraint: let's go with Redis\n"},
		"a yes and a choice": {"p: hm\na: Done.\np: yes, use Redis", 0.99,
			"2 typed sure constraint: yes, use Redis\n"},
		"a yes to nothing": {"p: hm\na: Done.\np: yeah let's do this", 0.99,
			"2 typed candidate constraint: yeah let's do this\n"},
		"nothing":       {"p: go on\na: " + lease, 0.01, ""},
		"a word or two": {"p: go on\na: Done now.", 0.99, ""},
		"a heading": {"p: go on\na: ## The lease of a job", 0.99,
			"1 agent candidate constraint: The lease of a job\n"},
		"a question": {"p: where is the lease of a job?", 0.99,
			"0 typed candidate constraint: where is the lease of a job?\n"},
		"a lead to a list": {"p: go on\na: **The leases of a job are**:", 0.99,
			"1 agent candidate constraint: **The leases of a job are**:\n"},
		"a statement":       {"p: go on\na: " + lease, 0.99, "1 agent sure constraint: " + lease + "\n"},
		"a Chinese one":     {"p: go on\na: 任务的租约在队列的表里。", 0.99, "1 agent sure constraint: 任务的租约在队列的表里。\n"},
		"a Chinese word":    {"p: go on\na: 完成了。", 0.99, ""},
		"code says nothing": {"p: go on\na: ```\\nlet x = 1;\\n```", 0.99, ""},
	} {
		got := listen(nil, script(c.script), triage.Options{}, modelOf(memory.Constraint, c.p, nil))
		if s := show(got); s != c.want {
			t.Errorf("%s:\n got %swant %s", name, s, c.want)
		}
	}
}

// TestWhatIsOff: the model names no category that is off, and what it would have been is not another one's.
func TestWhatIsOff(t *testing.T) {
	off := triage.Options{Off: map[memory.Category]bool{memory.Constraint: true}}
	if got := agentSays(modelOf(memory.Constraint, 0.9, nil), lease, off); len(got) > 0 {
		t.Errorf("heard though it is off: %s", show(got))
	}
	noDecisions := triage.Options{Off: map[memory.Category]bool{memory.Decision: true}}
	const decided = "p: We decided to use Postgres because SQLite takes one writer at a time."
	if got := Listen(nil, script(decided), noDecisions); len(got) > 0 {
		t.Errorf("a decision is heard as something else: %s", show(got))
	}
	for _, c := range score.Categories {
		off.Off[c] = true
	}
	m := modelOf(memory.Runbook, 0.9, nil)
	for _, h := range listen(nil, script("p: We decided to use Postgres.\na: "+lease), off, m) {
		t.Errorf("heard though all is off: %s", h.Text)
	}
}

// TestLikeliest: of one text of the agent, so many statements are candidates that only the model heard: the
// likeliest, in the order that they were said, and none twice.
func TestLikeliest(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxLikely {
		word := "queue"
		if i%3 == 2 {
			word = "lease"
		}
		fmt.Fprintf(&b, "- The %s has %d rows of %s\n", word, i, strings.Repeat("x", i+1))
	}
	m := modelOf(memory.Constraint, 0.3, map[string]float64{"lease": 0.9})
	got := agentSays(m, b.String(), triage.Options{})
	if len(got) != maxLikely {
		t.Fatalf("%d statements", len(got))
	}
	for i, h := range got {
		if !strings.HasPrefix(h.Text, fmt.Sprintf("The lease has %d rows", 3*i+2)) {
			t.Errorf("%d. is %q", i, h.Text)
		}
	}
	once := agentSays(m, strings.Repeat("- "+lease+"\n", 5), triage.Options{})
	if len(once) != 1 {
		t.Errorf("said five times, heard %d times", len(once))
	}
	all := script("p: go on\na: " + lease + "\np: go on\na: " + lease)
	if again := listen(nil, all, triage.Options{}, m); len(again) != 2 {
		t.Errorf("said in two texts: %s", show(again))
	}
}

// TestContextsOfCandidatesAreSmall: most candidates are never read, so that each keeps little.
func TestContextsOfCandidatesAreSmall(t *testing.T) {
	long := strings.Repeat("There is much to say about the lease and the queue's table and its state. ", 40)
	before := script("p: " + long + "\na: " + long + "\np: " + long + "\na: " + long)
	fails := "$ go test ./x " + strings.Repeat("y", 300) + "\nx> " + long +
		"\ne: x.go\n> ok\n$ go test ./x\n> " + long
	for name, s := range map[string]string{
		"of the agent's": "p: " + long + "\na: " + lease + " " + long,
		"of a person's":  "p: " + lease + "\\n\\n" + long,
		"of a failure":   "p: " + long + "\n" + fails + "\na: " + lease + " " + long,
		"of an answer":   "q: " + long + "\nanswer " + lease + " " + long,
		"of a refusal":   "$ go build " + long + "\nr: " + lease + " " + long,
		"of a plan":      "plan # Queue\\n\\n- " + lease + "\\n- " + long,
	} {
		for _, c := range score.Categories {
			m := modelOf(c, 0.2, nil)
			n := 0
			for _, h := range listen(func(int) []transcript.Entry { return before }, script(s),
				triage.Options{}, m) {
				if !h.likely {
					continue
				}
				n++
				size := 0
				for _, l := range h.Context {
					size += len(l.Text)
				}
				if size > briefContext {
					t.Errorf("%s, %s: %d bytes explain %.40q", name, c, size, h.Text)
				}
			}
			if n == 0 {
				t.Errorf("%s, %s: nothing is heard", name, c)
			}
		}
	}
}

// TestCategoryOf judges what somebody wants to be remembered, noticed or not.
func TestCategoryOf(t *testing.T) {
	for said, want := range map[string]memory.Category{
		"We use Postgres for the job queue, because we already run it.":     memory.Decision,
		"We use Postgres, because of jsonb":                                 memory.Decision,
		"We decided to send mails with Postmark, because SES was slow.":     memory.Decision,
		"Wir nehmen Postgres, weil wir es schon betreiben.":                 memory.Decision,
		"Remember that we use Postgres for the queue.":                      memory.Decision,
		"Uploads must not be larger than 5 MB.":                             memory.Constraint,
		"The cache is not invalidated on rename; we should fix that later.": memory.TechDebt,
		"The retry logic is a hack, clean it up before the next release.":   memory.TechDebt,
		"I prefer tabs.":          memory.Preference,
		"always answer in German": memory.Preference,
		"staging is called heron": "",
		"":                        "",
	} {
		if got := CategoryOf(said, triage.Options{}); got != want {
			t.Errorf("%q is a %q, want %q", said, got, want)
		}
	}
	for said, want := range map[string]memory.Category{
		"We decided to send mails with Postmark, because SES was slow.": memory.Decision,
		"Uploads must not be larger than 5 MB.":                         memory.Constraint,
		"Always run make lint before a push.":                           memory.Preference,
		"Use tabs because gofmt does.":                                  "", // CategoryOf guesses a decision
		"":                                                              "",
	} {
		if got := SureCategoryOf(said, triage.Options{}); got != want {
			t.Errorf("%q is surely a %q, want %q", said, got, want)
		}
	}
	off := triage.Options{Off: map[memory.Category]bool{memory.Decision: true}}
	if got := CategoryOf("We decided to send mails with Postmark.", off); got == memory.Decision {
		t.Error("a category that nobody wants")
	}
}
