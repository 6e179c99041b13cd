package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

func person(text string) []Passage    { return []Passage{{By: Person, Text: text, ID: "p"}} }
func assistant(text string) []Passage { return []Passage{{By: Assistant, Text: text, ID: "a"}} }

func noticed(ps ...[]Passage) string {
	var found []string
	for _, s := range read(slices.Concat(ps...), Options{}).Signals {
		found = append(found, string(s.Category))
	}
	return strings.Join(found, " ")
}

// TestOneStatementIsEnough has sentences that must be noticed on their own.
func TestOneStatementIsEnough(t *testing.T) {
	for _, c := range []struct {
		want, text string
		both       bool // also if the assistant says it
	}{
		{"decision", "We decided to use Postgres because SQLite takes one writer at a time.", true},
		{"decision", "we decided on postgres", true},
		{"decision",
			"We chose gRPC over REST because the mobile team already generates clients from protobuf.", true},
		{"decision", "Postgres it is", true},
		{"decision", "ok, Postgres it is then, thanks", true},
		{"decision", "Option B it is — simpler to test.", true},
		{"decision", "let's go with sqlite", true},
		{"decision", "Let’s go with SQLite", true},
		{"decision", "yeah lets go with the second one", true},
		{"decision", "We'll go with server-side rendering.", true},
		{"decision", "go with option 2", false},
		{"decision", "I'd go with tabs here since gofmt does that anyway", false},
		{"decision", "We settled on a monorepo so that versions stay in step.", true},
		{"decision", "In the end we went with Redis rather than Memcached.", true},
		{"decision", "We will use RDS for the billing database.", true},
		{"decision", "We agreed to drop IE11, since nobody uses it.", true},
		{"decision", "We decided against Kubernetes: two servers do not need it.", true},
		{"decision", "Decision: feature flags live in the database.", true},
		{"decision", "we're dropping support for node 16 because it's EOL", false},
		{"decision", "Let's keep SQLite for now.", false},
		{"decision", "I'll go with a queue, because retries come for free.", true},
		{"decision", "We'll stick with npm. It's simpler because CI has it.", true},
		{"decision", "We have decided not to\nsupport Windows, because nobody on the team can test it.",
			true},
		{"decision", "We're not doing the mobile app this year.", false},
		{"decision", "Confirmed with legal: logs stay for 30 days.", false},
		{"decision", "ok, it's confirmed, the launch has no mobile app", false},
		{"preference", "Switch to pnpm instead of npm.", false},
		{"preference", "from now on always use pnpm", false},
		{"preference", "From now on, run the linter before every commit.", true},
		{"preference", "never use default exports here", false},
		{"preference", "Never use default exports in this codebase.", false},
		{"preference", "always put tests next to the code", false},
		{"preference", "I prefer small commits over one big one", false},
		{"preference", "please always ask before pushing", false},
		{"preference", "In this repo we always write commit messages in the imperative", true},
		{"preference", "don't ever force-push to main", false},
		{"preference", "Our convention is kebab-case for file names.", true},
		{"preference", "no, we use vitest here, not jest", false},
		{"preference", "don't add comments unless asked", false},
		{"constraint", "The rate limit is 60/min by design.", true},
		{"constraint", "rate limit is 60/min by design", true},
		{"constraint", "GitHub's API allows 5000 requests per hour, that's a hard limit.", true},
		{"constraint", "Lambda functions are limited to 15 minutes, there is no way to raise that.", true},
		{"constraint", "The vendor API does not support pagination, and never will.", true},
		{"constraint", "Customer data must never leave the EU.", true},
		{"runbook", "The crash was caused by a stale lock file, fixed by deleting it before start.", true},
		{"runbook", "crash was caused by an old glibc, fixed by pinning the base image", true},
		{"runbook", "The deploy failed because the token had expired; the fix was to renew it.", true},
		{"runbook", "Root cause: the pool was exhausted by leaked connections.", true},
		{"runbook", "It turned out the timeout came from the proxy; raising proxy_read_timeout resolved it.",
			true},
		{"runbook", "The build kept failing. The culprit was a stale cache. Clearing the cache fixed it.",
			true},
		{"tech_debt", "We leave retries out for now, TODO later because the queue already redelivers.", true},
		{"tech_debt", "we leave retries out for now, because the API is idempotent anyway", false},
		{"tech_debt", "Error handling is good enough for now, we'll clean it up later.", true},
		{"tech_debt", "Pagination is deferred to v3.", true},
		{"tech_debt", "That's out of scope for now.", true},
		{"tech_debt", "don't worry about auth for now", false},
		{"tech_debt", "This is technical debt we take on knowingly.", true},
		{"tech_debt", "Known gap: uploads are not resumed after a crash.", true},
	} {
		if got := noticed(person(c.text)); !slices.Contains(strings.Fields(got), c.want) {
			t.Errorf("person: %q: noticed %q, want %s", c.text, got, c.want)
		}
		if got := noticed(assistant(c.text)); c.both && !slices.Contains(strings.Fields(got), c.want) {
			t.Errorf("assistant: %q: noticed %q, want %s", c.text, got, c.want)
		}
	}
}

// TestNothingToNotice has sentences that must not be noticed, whoever says them.
func TestNothingToNotice(t *testing.T) {
	for _, text := range []string{
		// negation
		"We did not decide anything yet.",
		"we haven't decided on a database",
		"Nothing was decided; we never settled on a name.",
		"There is no rate limit on that endpoint.",
		"This is not a hack, and not caused by us.",
		"Are we not doing that already?",
		"If it's confirmed, tell me.",
		"I confirmed that the bug is in the parser.",
		"switch to dark mode when the sun sets",
		"switch to the second tab",
		// questions
		"Should we go with Postgres?",
		"should we go with Postgres or stay with SQLite",
		"What if we decided to use Kafka because of replay?",
		"Did we decide to use Postgres because of JSONB?",
		"do we always use pnpm here?",
		"Is the rate limit 60/min by design?",
		// hypotheticals
		"If we decided to use Postgres, the migration would take a week.",
		"we could use Redis instead",
		"We might go with Redis.",
		"Maybe we should go with Redis instead of Memcached.",
		"Once we decided on a provider we can continue.",
		// reported actions
		"The user selected a row and picked a date from the calendar.",
		"When the user decided to cancel, the dialog closes.",
		"The customer chose express shipping because it was cheaper.",
		"it decided to retry",
		// words that only look alike
		"The standard library has a standard practice for this workflow.",
		"grep for TODO in the sources",
		"Add an always-visible status bar.",
		"let's go ahead and run the tests",
		"The tests failed, let me look at the log.",
		"All tests pass now and the linter errors are fixed.",
		"Let me fix the failing test first.",
		"I'll use the Edit tool to change the file.",
		"Now let me check why the build fails.",
		"The button shows an error when the field is empty.",
		"Add a 'remember me' checkbox to the login form",
		"Run the migration, then restart the server.",
		"Use the blue one",
		"make the header sticky",
		"what does it do",
		"thanks, looks good",
		"never mind",
		"always the same error",
		"I have never seen that before",
		"let's go!",
		"let's go to the next step",
		"that won't fix it",
		"This task is blocked by the review.",
		"add a rate limit of 100 requests per minute to the login",
		"show a maximum of 5 items per page",
		"the flag should default to true",
		"the header should always be visible",
		"there are no more errors",
		"I don't like the colour of the button",
		"we always get null here",
		"write it to a temporary directory because the tests run in parallel",
		"the store is eventually consistent because of replication",
		"please revisit this component",
		"that's all for now, thanks",
		"Appreciating what we have and sharing it is great.",
		"We will not be able to test that today.",
		"The password must not be empty.",
		"I've updated the three call sites and the tests pass.",
		"The function takes a path and returns an error.",
		"Next I'll add a test for the empty case because it was missing.",
		"Here is a summary of the changes:\n1. **Parser** - reads lists\n2. **Printer** - writes them\n",
		// code, quotations, tables, logs, URLs
		"```\n// we decided to use Postgres because of JSONB\n```",
		"~~~text\nwe decided to use Postgres because of JSONB\n~~~",
		"Rename `we decided to use Postgres because of JSONB` please",
		"> we decided to use Postgres because of JSONB",
		"He wrote \"we decided to use Postgres because of JSONB\" there.",
		"He wrote “we decided to use Postgres because of JSONB” there.",
		"| choice | why |\n|---|---|\n| we decided on Postgres | because of JSONB |",
		"see https://example.com/we-decided-to-use-postgres-because-of-jsonb",
		"2026-11-20T10:00:00Z ERROR crash caused by timeout, fixed by restart",
		"ERROR: crash caused by timeout, fixed by restart",
		"TypeError: crash was caused by undefined, fixed by restart",
		"    at Object.<anonymous> (/app/crash-caused-by.js:12:5)",
		"src/db.go:12:5: rate limit is 60 per minute by design",
		"npm ERR! code ERESOLVE root cause: peer dependency",
		// Keepsake's own words
		"Saved: decision (create), preference (update)",
		"<triage_data_file>/run/we decided/triage-data.json</triage_data_file>",
		"<memory-context source=\".claude/memory/\">\n- [DECISION] We decided to use Postgres because of " +
			"JSONB [source: .claude/memory/decisions/x.json]\nWe decided to use Postgres because of " +
			"JSONB.\n</memory-context>",
		"[source: scratch] .agents/memory/scratch/general.md:2 (2026-04-23)\n  We decided to use Postgres " +
			"because of JSONB.",
		"It says: [source: WHY] shop/decisions/d1 (2026-04-23)\n    We decided to use Postgres because of " +
			"JSONB.\n    SQLite was rejected because it takes one writer.",
		"Keepsake noticed something worth keeping in this project's memory:\n- [DECISION] We decided to " +
			"use Postgres because of JSONB. [source: user]",
	} {
		for by, ps := range map[string][]Passage{"person": person(text), "assistant": assistant(text)} {
			if n := read(ps, Options{}); len(n.Signals) > 0 || n.Explicit {
				t.Errorf("%s: %q: noticed %+v", by, text, n)
			}
		}
	}
}

func TestAFenceCostsOnlyItself(t *testing.T) {
	said := "We decided to use Postgres because SQLite takes one writer."
	for name, ps := range map[string][]Passage{
		"an odd fence in the message before": append(assistant("Run this:\n```\ngo test"), person(said)...),
		"an odd backtick":                    person("the ` key is broken. " + said),
		"an odd fence before it":             person("```\n" + said),
		"a fence within a longer one":        person("````\n```\n````\n" + said),
		"a fence closed by a longer one":     person("```\ncode\n`````\n" + said),
		"code before and after":              person("`a` and `b`. " + said + " See `c`."),
		"a quote left open":                  person("it is 5\" wide. " + said),
	} {
		if got := noticed(ps); got != "decision" {
			t.Errorf("%s: noticed %q", name, got)
		}
	}
	if got := noticed(person("```go\nx := 1\n```\nand\n```go\n// we decided to use x because " +
		"y\n```")); got != "" {
		t.Errorf("second block: noticed %q", got)
	}
}

func TestStatements(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"sentences": {"One here. Two, e.g. this; no more! Three?",
			[]string{"One here.", "Two, e.g. this; no more!", "Three?"}},
		"wrapped": {"This sentence is so long that whoever has written it\nhad to wrap it onto a " +
			"second line. Next.",
			[]string{"This sentence is so long that whoever has written it had to wrap it onto a second " +
				"line.", "Next."}},
		"short lines": {"use tabs\nno semicolons", []string{"use tabs", "no semicolons"}},
		"bullets": {"List:\n- one\n* two\n  goes on\n3. three\n- [ ] four",
			[]string{"List:", "one", "two", "goes on", "three", "four"}},
		"heading": {"## Why. Because\ntext", []string{"Why.", "Because", "text"}},
		"closed heading": {"## Because ##\n# C#\n#\n## #hash it\n#no heading",
			[]string{"Because", "C#", "#hash it", "#no heading"}},
		"versions and files": {"Use v1.2.3 of foo.go. Then 3.5 more.",
			[]string{"Use v1.2.3 of foo.go.", "Then 3.5 more."}},
		"abbreviations": {"Ask Dr. No. It is approx. 3 kg vs. 4.",
			[]string{"Ask Dr. No.", "It is approx. 3 kg vs. 4."}},
		"code":            {"Set `a. b` now. `c`.", []string{"Set `a. b` now.", "`c`."}},
		"table and quote": {"| a | b |\n> quoted\nsaid", []string{"said"}},
		"other scripts": {"Мы решили. Nächster Satz… weiter",
			[]string{"Мы решили.", "Nächster Satz… weiter"}},
	} {
		var got []string
		var r reader
		r.eachStatement(c.text, func(s statement) { got = append(got, string(s.text)) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestStatementLines(t *testing.T) {
	text := "intro\n\n```\ncode\n```\nA first sentence that is long enough to be wrapped by\nits author. A " +
		"second one.\n\n- item\n"
	var r reader
	for want, s := range map[string]int{"intro": 0, "A first": 5, "A second": 6, "item": 8} {
		found := -1
		r.eachStatement(text, func(st statement) {
			if strings.HasPrefix(string(st.text), want) {
				found = st.line
			}
		})
		if found != s {
			t.Errorf("%q is at line %d, want %d", want, found, s)
		}
	}
}

func TestExplicit(t *testing.T) {
	for _, c := range []struct {
		text string
		want memory.Category // "" if nothing is asked
	}{
		{"remember that we deploy on Fridays only", memory.Preference},
		{"Remember: never use default exports", memory.Preference},
		{"please remember to run make golden after changing a text", memory.Preference},
		{"ok, remember this", memory.Preference},
		{"remember we decided to use Postgres because of JSONB", memory.Decision},
		{"Remember that the rate limit is 60/min by design.", memory.Constraint},
		{"We decided to use Postgres because of JSONB. Remember that.", memory.Decision},
		{"update memory", memory.Preference},
		{"Update your memory with the new port.", memory.Preference},
		{"save this to memory", memory.Preference},
		{"can you save this to memory?", memory.Preference},
		{"could you please remember that I use fish?", memory.Preference},
		{"I want you to remember that the staging box is slow", memory.Preference},
		{"you should remember that", memory.Preference},
		{"don't forget that the CI has no network", memory.Preference},
		{"Don’t forget that the CI has no network", memory.Preference},
		{"note that for later", memory.Preference},
		{"keep in mind that prod runs Node 18", memory.Preference},
		{"and keep in mind: no emojis", memory.Preference},

		{"do you remember what we did?", ""},
		{"do you remember that bug?", ""},
		{"I don't remember that", ""},
		{"I can't remember this part", ""},
		{"as you remember, this was slow", ""},
		{"remember when we tried Kafka", ""},
		{"the app should remember that the user dismissed it", ""},
		{"users remember this colour", ""},
		{"add a remember me checkbox", ""},
		{"update memory limits in the pod spec", ""},
		{"the cache keeps it in memory", ""},
		{"> remember that we deploy on Fridays", ""},
		{"`remember that`", ""},
		{"print \"remember that\"", ""},
	} {
		n := read(person(c.text), Options{})
		if n.Explicit != (c.want != "") {
			t.Errorf("%q: explicit %v: %+v", c.text, n.Explicit, n.Signals)
			continue
		}
		if c.want == "" {
			continue
		}
		i := slices.IndexFunc(n.Signals, func(s Signal) bool { return s.Category == c.want })
		if i < 0 {
			t.Errorf("%q: noticed %+v, want %s", c.text, n.Signals, c.want)
			continue
		}
		if s := n.Signals[i]; s.Score != Max || !s.Quotes[0].Explicit || s.Quotes[0].ID != "p" {
			t.Errorf("%q: %+v", c.text, s)
		}
		if n := read(assistant(c.text), Options{}); n.Explicit {
			t.Errorf("assistant: %q is a request", c.text)
		}
	}
	off := map[memory.Category]bool{memory.Preference: true}
	if n := read(person("remember this"), Options{Off: off}); !n.Explicit ||
		n.Signals[0].Category == memory.Preference {
		t.Errorf("preferences off: %+v", n)
	}
	// Pasted text makes no request, but what is typed around it does.
	plan := strings.Repeat("- a step of a plan that somebody else wrote down\n", 60)
	if n := read(person(plan+"remember to do it\n"+plan), Options{}); n.Explicit {
		t.Errorf("pasted: %+v", n)
	}
	if n := read(person(plan+"\nremember that this is the plan"), Options{}); !n.Explicit {
		t.Error("typed behind what was pasted: not heard")
	}
}

func TestSpeakers(t *testing.T) {
	text := "never use default exports here"
	if p, a := noticed(person(text)), noticed(assistant(text)); p != "preference" || a != "" {
		t.Errorf("person %q, assistant %q", p, a)
	}
	score := func(ps []Passage) float64 {
		n := read(ps, Options{Thresholds: map[memory.Category]float64{memory.Decision: 0}})
		return n.Signals[0].Score
	}
	if said := "We decided to use Go because it is fast."; score(person(said)) <= score(assistant(said)) {
		t.Error("the person's words weigh no more than the assistant's")
	}
}

func TestStatementsAddUp(t *testing.T) {
	weak := []string{"Let's drop the old table.", "let's drop the cache since it's simpler",
		"let's do the small one rather than the big one", "Let's replace the parser since it's slow."}
	none := read(person(weak[0]), Options{})
	several := read(person(strings.Join(weak, "\n\n")), Options{})
	if len(none.Signals) > 0 || len(several.Signals) != 1 || len(several.Signals[0].Quotes) < 3 {
		t.Errorf("one: %+v, several: %+v", none, several)
	}
	// Noise is no evidence, however much of it there is.
	var noise []Passage
	for i := range 400 {
		noise = append(noise, Passage{By: Assistant,
			Text: fmt.Sprintf("Changed file %d to use maps instead of lists, and it cannot fail now.", i)})
	}
	if n := read(noise, Options{}); len(n.Signals) > 0 {
		t.Errorf("noise: %+v", n.Signals[0])
	}
	// Nor is a repetition.
	one, twice := read(person("Go with sqlite"), Options{}),
		read(append(person("Go with sqlite"), person("Go with sqlite")...), Options{})
	if one.Signals[0].Score != twice.Signals[0].Score {
		t.Errorf("%v, twice %v", one, twice)
	}
}

// saying returns some different statements of each category.
func saying(c memory.Category, n int) []Passage {
	form := map[memory.Category]string{
		memory.Decision:   "We decided to use library %d because it is simpler.",
		memory.Runbook:    "The crash of job %d was caused by a stale lock, fixed by deleting it.",
		memory.Constraint: "The rate limit of API %d is 60 per minute by design.",
		memory.TechDebt:   "Part %d is good enough for now, we clean it up later because of the deadline.",
		memory.Preference: "From now on always use tool %d instead of the other.",
	}[c]
	var ps []Passage
	for i := range n {
		ps = append(ps, Passage{By: Person, Text: fmt.Sprintf(form, i), ID: fmt.Sprint(i)})
	}
	return ps
}

// TestEveryThresholdCanBeReached: for every category and every threshold that settings allow, some statements
// reach it.
func TestEveryThresholdCanBeReached(t *testing.T) {
	for _, c := range textCategories {
		if Defaults()[c] > 0.6 {
			t.Errorf("%s: one statement must do by default", c)
		}
		if n := read(saying(c, 1), Options{}); len(n.Signals) != 1 || n.Signals[0].Category != c {
			t.Errorf("%s: one statement: %+v", c, n)
		}
		last := 0.0
		for n := 1; n <= 6; n++ {
			got := read(saying(c, n), Options{Thresholds: map[memory.Category]float64{c: 0}})
			s := got.Signals[slices.IndexFunc(got.Signals, func(s Signal) bool { return s.Category == c })]
			if s.Score < last {
				t.Errorf("%s: %d statements score %.2f, less than fewer", c, n, s.Score)
			}
			last = s.Score
		}
		if last < 0.95 || last > Max {
			t.Errorf("%s: six clear statements score %.2f", c, last)
		}
		for threshold := 0.0; threshold <= Max; threshold += 0.05 {
			o := Options{Thresholds: map[memory.Category]float64{c: threshold}}
			if n := read(saying(c, 12), o); !slices.ContainsFunc(n.Signals,
				func(s Signal) bool { return s.Category == c }) {
				t.Errorf("%s: threshold %.2f is not reached", c, threshold)
			}
		}
		if n := read(saying(c, 12),
			Options{Off: map[memory.Category]bool{c: true}}); slices.ContainsFunc(n.Signals,
			func(s Signal) bool {
				return s.Category == c
			}) {
			t.Errorf("%s is off, and noticed", c)
		}
	}
	if _, ok := Summary(Activity{Tools: 50, Distinct: 5, Exchanges: 9},
		Options{Thresholds: map[memory.Category]float64{memory.SessionSummary: Max}}); !ok {
		t.Error("session_summary: threshold 1 is not reached")
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		a    Activity
		want float64
		ok   bool
	}{
		{Activity{}, 0, false},
		{Activity{Tools: 4, Distinct: 4, Exchanges: 0}, 0.6, true},
		{Activity{Tools: 4, Distinct: 3, Exchanges: 4}, 0.58, false},
		{Activity{Exchanges: 30}, 0.6, true},
		{Activity{Tools: 100, Distinct: 9, Exchanges: 100}, 1, true},
	} {
		s, ok := Summary(c.a, Options{})
		if ok != c.ok || ok &&
			(s.Score < c.want-1e-9 || s.Score > c.want+1e-9 || s.Category != memory.SessionSummary) {
			t.Errorf("%+v: %+v, %v", c.a, s, ok)
		}
	}
	if _, ok := Summary(Activity{Tools: 100},
		Options{Off: map[memory.Category]bool{memory.SessionSummary: true}}); ok {
		t.Error("off, and noticed")
	}
}

func TestExcerpt(t *testing.T) {
	var ps []Passage
	for i := range 40 {
		text := fmt.Sprintf("line %d", i)
		switch i {
		case 5, 7:
			text = fmt.Sprintf("we decided to use library %d because it is small", i)
		case 35:
			text = "some words\nand more\nlet's go with it"
		}
		ps = append(ps, Passage{By: Speaker(i%2 + 1), Text: text, ID: fmt.Sprint(i)})
	}
	n := read(ps, Options{})
	if len(n.Signals) != 1 || len(n.Signals[0].Quotes) != 3 {
		t.Fatalf("%+v", n)
	}
	got := Excerpt(ps, n.Signals[0])
	want := []string{"[user]", "line 0", "[assistant]", "line 1"}
	lines := strings.Split(got, "\n")
	if !slices.Equal(lines[:4], want) || strings.Count(got, "\n---\n") != 1 ||
		!strings.Contains(got, "line 12\n---\n[assistant]\nline 31\n[user]") ||
		!strings.HasSuffix(got, "line 39") {
		t.Errorf("got:\n%s", got)
	}
	// A signal that was stored and read back has only ids and texts.
	stored := n.Signals[0]
	stored.Quotes = nil
	for _, q := range n.Signals[0].Quotes {
		stored.Quotes = append(stored.Quotes, Quote{Text: q.Text, ID: q.ID})
	}
	if again := Excerpt(ps, stored); again != got {
		t.Errorf("stored:\n%s", again)
	}
	if got := Excerpt(nil, n.Signals[0]); got != "" {
		t.Errorf("without passages: %q", got)
	}

	long := []Passage{{By: Person, Text: strings.Repeat("x\n", 500)}}
	sum := Signal{Category: memory.SessionSummary}
	if got := strings.Count(Excerpt(long, sum), "\n") + 1; got != keepHead+keepTail+2 {
		t.Errorf("long summary has %d lines", got)
	}
	if got := Excerpt(ps, sum); strings.Count(got, "line ") != 37 || strings.Contains(got, "---") {
		t.Errorf("summary:\n%s", got)
	}
}

func TestMatcher(t *testing.T) {
	m := newMatcher([]row{
		{cue{role: primary, topic: decision}, "a b c|b c|c d"},
		{cue{role: booster}, "b"},
		{cue{role: symptom}, "crash|rate limit|let's"},
	})
	for text, want := range map[string]string{
		"a b c d":                     "b/1 a b c/3 b c/2 c d/2",
		"a b x c d":                   "b/1 c d/2",
		"A-B. C":                      "b/1 a b c/3 b c/2",
		"crashes, Rate-limits let’s":  "crash/1 rate limit/2 let's/1",
		"crashed crashy ratelimit le": "",
		"ä b́ b":                      "b/1",
	} {
		masked := mask(nil, []byte(text))
		tokens := m.tokenize(nil, masked)
		found := map[string]bool{}
		for _, h := range m.find(nil, tokens) {
			found[fmt.Sprintf("%d", h.to-h.from)] = true
			if h.from < 0 || h.to > len(tokens) {
				t.Fatalf("%q: hit %+v", text, h)
			}
		}
		phrases := strings.NewReplacer("a b c", "abc", "b c", "bc", "c d", "cd", "rate limit",
			"rl").Replace(want)
		if n := len(m.find(nil, tokens)); n != len(strings.Fields(phrases)) {
			t.Errorf("%q: %d hits, want %s", text, n, want)
		}
	}
	for from, want := range map[string]string{"limits": "limit", "crashes": "crash", "fixes": "fix",
		"process": "process", "this": "this", "status": "status", "always": "alway", "it's": "it's",
		"teams'": "team", "uses": "use"} {
		if got := from[:stem(from)]; got != want {
			t.Errorf("stem(%q) is %q, want %q", from, got, want)
		}
	}
}

// FuzzRead: any text is read without a panic, statements lie within it, and
// masking keeps every offset.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"we decided to use Postgres because it is one file", "```\nx",
		"> q\n| t |\n<triage_data>\n", "Let’s — «go» with `it` \"is\" 'ok'?!…", "\xff\xfe remember \x00 this",
		"a\n```\n~~~\n````"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, by bool) {
		p := Passage{By: Assistant, Text: text, ID: "x"}
		if by {
			p.By = Person
		}
		var r reader
		lines := strings.Count(text, "\n")
		r.eachStatement(text, func(s statement) {
			if len(s.text) != len(s.mask) || s.line < 0 || s.line > lines {
				t.Fatalf("%+v of %q", s, text)
			}
		})
		n := read([]Passage{p}, Options{Thresholds: map[memory.Category]float64{memory.Decision: 0,
			memory.Runbook: 0}})
		for _, s := range n.Signals {
			if s.Score < 0 || s.Score > Max || len(s.Quotes) == 0 {
				t.Fatalf("%+v", s)
			}
			if Excerpt([]Passage{p}, s) == "" {
				t.Fatalf("no excerpt for %+v of %q", s, text)
			}
		}
	})
}

// hard are texts on which a matcher or a reader that is not linear would be slow.
var hard = map[string]string{
	"fences":   "```x\n",
	"tags":     "<triage_data>\n",
	"phrase":   "a a a a ",
	"choice":   "we decided to ",
	"instead":  "instead of rather than ",
	"quotes":   "\" ' ` ",
	"words":    "lorem ipsum dolor sit amet ",
	"no break": "we",
	"bullets":  "- from now on always use it\n",
}

// The limit is for a machine under heavy load; quadratic time would be minutes.
func TestReadDoesNotRunAway(t *testing.T) {
	t.Parallel()
	for name, s := range hard {
		begin := time.Now()
		read(person(strings.Repeat(s, 1<<20/len(s))), Options{})
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: %v for 1 MB", name, took)
		}
	}
}

func TestInnerLoopAllocatesNothing(t *testing.T) {
	l := listener{m: &theMatcher}
	var r reader
	text := strings.Repeat("We decided to use `sqlite` because it's one file — see https://example.com. "+
		"The crash was caused by X, fixed by Y.\n\n- never use tabs\n", 8)
	scored := 0
	each := func(st statement) {
		if s, _, _ := l.scoreStatement(st, Person); s != (scores{}) {
			scored++
		}
	}
	r.eachStatement(text, each)
	if n := testing.AllocsPerRun(20, func() { r.eachStatement(text, each) }); n != 0 || scored == 0 {
		t.Errorf("%v allocations, %d scored", n, scored)
	}
}

func BenchmarkMatcher(b *testing.B) {
	m := &theMatcher
	text := mask(nil,
		[]byte(strings.Repeat("We decided to use sqlite because it is one file, and the rate limit is by "+
			"design. ", 100)))
	tokens, hits := m.tokenize(nil, text), []hit(nil)
	hits = m.find(hits, tokens)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tokens = m.tokenize(tokens[:0], text)
		hits = m.find(hits[:0], tokens)
	}
}

func BenchmarkRead50(b *testing.B) {
	var ps []Passage
	for i := range 50 {
		ps = append(ps, Passage{By: Speaker(i%2 + 1),
			Text: fmt.Sprintf("Message %d says a few things about the parser. It was slow because it "+
				"copied every line. We keep it as it is for now.\n\n- one\n- two\n", i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		read(ps, Options{})
	}
}

// A request that only points elsewhere is noticed, but is not a statement to keep.
func TestPointersAreNoStatements(t *testing.T) {
	const decided = "We decided to use Postgres because of jsonb."
	for _, request := range []string{"Please save what we decided.", "Remember what we agreed on.",
		"Update memory.", "Remember this.", "Save this to memory, please."} {
		var said []string
		for _, s := range Statements(person(decided+" "+request), Options{}) {
			if !s.Pointer {
				said = append(said, s.Text)
			}
		}
		if len(said) != 1 || said[0] != decided {
			t.Errorf("%q: says %q", request, said)
		}
	}
	if n := read(person("Remember this."), Options{}); !n.Explicit || len(n.Signals) != 1 {
		t.Errorf("with nothing noticed, the request itself is what there is: %+v", n)
	}
	for _, whole := range []string{"Remember that staging is called heron.",
		"Please save this: the cache must be flushed after each deploy.", "We decided to keep it."} {
		if isPointer([]byte(whole)) {
			t.Errorf("%q says something", whole)
		}
	}
}
