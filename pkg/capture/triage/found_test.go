package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

func TestStatementsOf(t *testing.T) {
	const reason = "We decided to use Postgres for the job queue. The reason is that jobs must survive."
	for _, c := range []struct {
		ps   []Passage
		want string // statements: level, category or moment, cue and text
	}{
		{person("Let's go with Postgres for the queue."),
			"sure decision [let's go with] Let's go with Postgres for the queue."},
		{person(reason), "sure decision [we decided] " + reason},
		{person("We went with Postgres because jobs survive. We went with Go because it is one binary."),
			"sure decision [we went with] We went with Postgres because jobs survive.; sure decision [we " +
				"went with] We went with Go because it is one binary."},
		{person("Postgres it is."), "sure decision [it is] Postgres it is."},
		{person("Let's drop the old table."), "candidate decision [let's drop] Let's drop the old table."},
		{person("The crash was caused by a stale lock, deleting it fixed that."),
			"sure runbook [was caused by] The crash was caused by a stale lock, deleting it fixed that."},
		{person("from now on always use pnpm"), "sure preference [from now on] from now on always use pnpm"},
		{person("We shipped the importer."), "sure progress [we shipped] We shipped the importer."},
		{person("remember that staging is called heron"),
			"sure preference explicit [remember that] remember that staging is called heron"},
		{person("We use fish here. remember this"),
			"sure preference [we use] We use fish here.; sure preference explicit pointer [remember this] " +
				"remember this"},
		{append(assistant("We decided to use Go because of its tools."),
			person("We decided to use Go because of its tools.")...),
			"sure decision [we decided] We decided to use Go because of its tools."},
		{person("Moved the file and ran the tests."), ""},
		{person("Should we go with Postgres?"), ""},
	} {
		var got []string
		for _, s := range Statements(c.ps, Options{}) {
			flags := ""
			if s.Explicit {
				flags += " explicit"
			}
			if s.Pointer {
				flags += " pointer"
			}
			got = append(got, fmt.Sprintf("%s %s%s%s [%s] %s", s.Level, s.Category, s.Moment, flags,
				s.Cue, s.Text))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.ps[0].Text, got, c.want)
		}
	}
}

// TestNoStatementIsDropped: every statement is returned, although quotes of a signal are limited.
func TestNoStatementIsDropped(t *testing.T) {
	for _, c := range textCategories {
		ps := saying(c, 12)
		text := ""
		for _, p := range ps {
			text += p.Text + "\n\n"
		}
		for name, ps := range map[string][]Passage{"apart": ps, "in one turn": person(text)} {
			n := 0
			for _, s := range Statements(ps, Options{}) {
				if s.Category == c && s.Level == finding.Sure {
					n++
				}
			}
			if n != 12 {
				t.Errorf("%s, %s: %d of 12 statements", c, name, n)
			}
		}
	}
	long := "We decided to use Postgres because " + strings.Repeat("of this and that, ", 90) + "and so on."
	if s := Statements(person(long), Options{}); len(s) != 1 || s[0].Text != long {
		t.Errorf("a long statement: %+v", s)
	}
}

// spokenLines are mixed into passages by the property tests.
var spokenLines = []string{
	"We decided to use Postgres because of jsonb.", "Let's go with the small one.",
	"Let's drop the cache since it's simpler.", "Let's replace it.", "The crash was caused by a stale lock.",
	"Fixed by deleting it.", "The tests are failing because of a race.",
	"The rate limit is 60 per minute by design.", "We cannot rename it.",
	"This is good enough for now, we clean it up later.", "TODO: sort them.", "from now on always use pnpm",
	"We use tabs.", "I prefer tables.", "We shipped the importer.", "remember this",
	"remember that staging is called heron", "Update memory.", "Should we go with Redis?", "Ran the tests.",
	"instead of maps", "It is simpler because there is one writer.", "If it breaks we go with Redis.", "\n",
	"```\nlet's go with x\n```", "> we decided to use it", "- never use default exports",
}

func someSpeech(r *rand.Rand) (ps []Passage) {
	for i := range 1 + r.IntN(12) {
		var lines []string
		for range 1 + r.IntN(5) {
			line := spokenLines[r.IntN(len(spokenLines))]
			if r.IntN(3) == 0 {
				line = strings.Replace(line, " the ", fmt.Sprintf(" the %dth ", i), 1)
			}
			lines = append(lines, line)
		}
		ps = append(ps, Passage{By: Speaker(1 + r.IntN(2)), Text: strings.Join(lines,
			[]string{" ", "\n", "\n\n"}[r.IntN(3)]), ID: fmt.Sprint(i)})
	}
	return ps
}

func someOptions(r *rand.Rand) Options {
	o := Options{Thresholds: map[memory.Category]float64{}, Off: map[memory.Category]bool{},
		NoMoments: r.IntN(4) == 0}
	for _, c := range textCategories {
		switch r.IntN(4) {
		case 0:
			o.Thresholds[c] = r.Float64()
		case 1:
			o.Off[c] = r.IntN(2) == 0
		}
	}
	return o
}

// TestStatementsHaveWhatIsRead: every quote of Read is among the statements, and every signal has a sure one.
func TestStatementsHaveWhatIsRead(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		ps, o := someSpeech(r), someOptions(r)
		checkRead(t, ps, o)
		if t.Failed() {
			t.Fatalf("seed %d: %q %+v", seed, ps, o)
		}
	}
}

func checkRead(t *testing.T, ps []Passage, o Options) {
	all := Statements(ps, o)
	find := func(q Quote) (sure, ok bool) {
		for _, s := range all {
			if strings.HasPrefix(s.Text, q.Text) {
				sure, ok = sure || s.Level == finding.Sure, true
			}
		}
		return sure, ok
	}
	check := func(name string, quotes []Quote) {
		some := false
		for _, q := range quotes {
			sure, ok := find(q)
			if some = some || sure; !ok {
				t.Errorf("%s: %q is no statement", name, q.Text)
			}
		}
		if !some {
			t.Errorf("%s: none of %+v is sure", name, quotes)
		}
	}
	n := read(ps, o)
	for _, s := range n.Signals {
		check(string(s.Category), s.Quotes)
	}
	for _, m := range n.Moments {
		check(string(m.Kind), m.Quotes)
	}
	for _, s := range all {
		if (s.Category == "") == (s.Moment == "") || o.Off[s.Category] || s.Cue == "" || s.Score < whisper ||
			s.Score > Max || len(s.Text) > maxText {
			t.Errorf("%+v", s)
		}
		if !slices.ContainsFunc(table[:], func(r row) bool { return strings.Contains(r.phrases, s.Cue) }) {
			t.Errorf("%q: %q is not in the table", s.Text, s.Cue)
		}
		if p := ps[s.Passage]; p.ID != s.ID || s.Line > strings.Count(p.Text, "\n") {
			t.Errorf("%+v is not in its passage", s)
		}
	}
}

// TestOrderLosesNoStatement: shuffling passages changes only the order.
func TestOrderLosesNoStatement(t *testing.T) {
	t.Parallel()
	texts := func(ps []Passage, o Options) []string {
		var all []string
		for _, s := range Statements(ps, o) {
			all = append(all, fmt.Sprintf("%s %s %s%s %.6f %s", s.Text, s.Level, s.Category, s.Moment,
				s.Score, s.Cue))
		}
		slices.Sort(all)
		return all
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 9))
		ps, o := someSpeech(r), someOptions(r)
		before := texts(ps, o)
		r.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
		if after := texts(ps, o); !slices.Equal(before, after) {
			t.Fatalf("seed %d:\n%s\nshuffled:\n%s", seed, strings.Join(before, "\n"),
				strings.Join(after, "\n"))
		}
	}
}

func BenchmarkStatements50(b *testing.B) {
	var ps []Passage
	for i := range 50 {
		ps = append(ps, Passage{By: Speaker(i%2 + 1),
			Text: fmt.Sprintf("Message %d says a few things about the parser. It was slow because it "+
				"copied every line. We keep it as it is for now.\n\n- one\n- two\n", i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		Statements(ps, Options{})
	}
}

// TestRequestsThatPointBack: a request that only points back is recognised in any wording.
func TestRequestsThatPointBack(t *testing.T) {
	for text, want := range map[string]bool{
		"Don't forget that.": true, "Don’t forget this!": true, "please never forget it": true,
		"keep that in mind": true, "make a note of this, please": true, "take a mental note of it": true,
		"note that down": true, "I want you to remember that": true, "can you keep this in mind?": true,
		"remember what we decided": true, "Merk dir das!": true, "das bitte merken": true,
		"vergiss das nicht": true, "Nicht vergessen!": true, "Kannst du dir das merken?": true,
		"schreib dir das auf": true, "halt das bitte fest": true, "behalte das im Hinterkopf": true,
		"merk dir die Entscheidung": true, "denk bitte daran": true, "bitte merken:": true,

		"merk dir, was du gerade gesagt hast": true, "merk dir diese Grenze": true,
		"remember the last thing": true, "Save this decision for the project.": true,
		"commit this to memory": true, "remember that as tech debt": true, "speicher das": false,
		"please remember what you just found out": true, "bitte abspeichern": false,
		"remember what I just said": true, "Merk dir das als Regel fürs Team.": true,
		"save that workaround for the next release": true, "that's worth remembering": true,
		"record what we agreed on": true, "Save that as a constraint.": true,
		"put that rule into memory": true,

		"save that for later": false, "let's save that for later": false, "add memory limits": false,
		"I remember what you said": false, "that is what I remember": false, "speicher die Datei": false,
		"remember that for Windows it needs CRLF": false, "remember that as root npm install fails": false,
		"wir speichern das": false, "commit this": false, "commit the fix": false, "save the file": false,
		"what did I just say?": false, "that is a good decision": false, "das speichern wir nicht": false,
		"the last thing": false, "remember what is due": false, "Save these rows as CSV": false,
		"forget that": false, "vergiss das": false, "don't remember that": false, "merk dir das nicht": false,
		"I remember that": false, "you remember that": false, "do you remember that?": false,
		"remember that?": false, "I'll keep that in mind": false, "we should not forget it": false,
		"never mind that": false, "you forgot that": false, "keep it": false, "save it": false,
		"note it":       false,
		"write it down": false, "das merke ich mir": false, "das vergesse ich nicht": false,
		"don't forget that Go is compiled": false, "don't forget to push": false, "`merk dir das`": false,
		"make a note of the port in the readme": false, "merk dir den Port": false,
	} {
		pointer := false
		for _, s := range Statements(person(text), Options{}) {
			pointer = pointer || s.Pointer
		}
		if pointer != want {
			t.Errorf("%q points back: %v", text, pointer)
		}
		for _, s := range Statements(assistant(text), Options{}) {
			if s.Explicit {
				t.Errorf("%q of the assistant is a request", text)
			}
		}
	}
	if all := Statements(person("Merk dir: Staging heißt heron."), Options{}); len(all) != 1 ||
		!all[0].Explicit || all[0].Pointer {
		t.Errorf("%+v", all)
	}
}

// TestWhatHelped: a fix is noticed with what it was for, in German, and after what broke.
func TestWhatHelped(t *testing.T) {
	for text, want := range map[string][]string{
		"The fix for the ENOSPC error was raising the limit to 524288.": {
			"The fix for the ENOSPC error was raising the limit to 524288."},
		"The root cause was that the bin folder was not on the path. Solved by adding it.": {
			"The root cause was that the bin folder was not on the path. Solved by adding it."},
		"Das Problem war, dass auf dem Host schon ein Postgres lief.": {
			"Das Problem war, dass auf dem Host schon ein Postgres lief."},
		"Die Ursache war ein voller Cache. Behoben durch ein größeres Volume.": {
			"Die Ursache war ein voller Cache. Behoben durch ein größeres Volume."},
		"Solved by adding the folder to the path.": {"Solved by adding the folder to the path."},

		"The fix for the flaky test was a retry.":      {"The fix for the flaky test was a retry."},
		"The fix for the crash was a simple retry.":    {"The fix for the crash was a simple retry."},
		"The fix for the race was two locks, not one.": {"The fix for the race was two locks, not one."},
		"The fix for the issue was a retry.":           {"The fix for the issue was a retry."},

		"The fix for this was already merged, so there is nothing to do.": nil,
		"The fix for it was easy: rename the variable.":                   nil,
		"The fix for the bug was three lines long.":                       nil,
		"The fix for that was raising the limit.":                         nil,
		"The fix for the crash was very simple.":                          nil,
		"The fix for the login was 12 lines.":                             nil,
		"The fix for the header was a small change.":                      nil,
		"The fix for the header was a one-liner.":                         nil,
		"The fix for the parser was reverted again.":                      nil,
		"The fix for the parser was in the last release.":                 nil,
		"The fix for the parser was not complete.":                        nil,

		"The fix for now is good enough to demo.": nil,
		"The fix for the login is in review.":     nil,
		"The fix for the login was merged.":       nil,
		"Das ist kein Problem.":                   nil,
		"Was war das Problem?":                    nil,
	} {
		for _, by := range []Speaker{Person, Assistant} {
			var got []string
			for _, s := range Statements([]Passage{{By: by, Text: text}}, Options{}) {
				if s.Category == memory.Runbook {
					got = append(got, s.Text)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d: %q: %q", by, text, got)
			}
		}
	}
}

// TestErrandsAskForNothing: work to do now is neither a request nor a decision, even in the words of one.
func TestErrandsAskForNothing(t *testing.T) {
	for text, want := range map[string]string{
		"Bitte abspeichern.": "", "speichern bitte": "", "speicher das": "", "sichern": "",
		"Speicher das bitte ab":      "",
		"save this fix to fix.patch": "", "save that fix in a new branch": "",
		"save this rule to .eslintrc":                     "",
		"save the decision from the form to the database": "", "record the decision in docs/adr/7.md": "",
		"make a note of it in TODO.md": "", "make a note of this in the changelog": "",
		"merk dir nichts davon": "", "merk dir das nicht": "", "keep that in mind while you refactor": "",
		"remember to close the PR": "", "please remember to push the branch": "",
		"vergiss nicht, die Tests laufen zu lassen": "", "denk dran, den Branch zu löschen": "",
		"denk daran, den Server abzuschalten": "",
		"I'd rather not.":                     "", "I'd rather not do that now.": "",
		"I'd rather not do that":        "",
		"I'd rather see the diff first": "", "I'd rather wait": "",
		"remember what I told you about the tests and fix it": "",
		"skip the tests for now":                              "", "revert your last change": "",
		"leave it as it was":        "",
		"Summarise what we decided": "", "please recap what we agreed on": "",

		"Save this decision for the project.": "asked", "save this rule to memory": "asked",
		"save that decision to our project memory": "asked", "merk dir das": "asked",
		"remember that":                "asked",
		"speicher, was du gesagt hast": "asked", "speicher diese Entscheidung": "asked",
		"speicher das als Entscheidung": "asked", "speicher das in der Memory": "asked",
		"sichere das im Gedächtnis": "asked", "record the decision to use Redis for the queue": "asked",
		"make a note of the rate limit in the staging API": "asked", "keep that in mind": "asked",
		"remember to always run the linter":                 "asked",
		"remember to run make golden after changing a text": "asked",
		"denk dran, immer die Tests laufen zu lassen":       "asked",
		"vergiss nicht, dass die CI kein Netz hat":          "asked",
		"merk dir, dass wir nicht auf main pushen":          "asked",
		"keep in mind that prod runs Node 18":               "asked",
		"I'd rather not use an ORM here":                    "decision", "I'd rather use SQLite": "decision",
		"remember to use pnpm": "asked", "denk dran, pnpm zu benutzen": "asked",
		"I told you not to touch the lock file": "correction", "undo that": "correction",
		"revert your changes to the parser": "correction",
		"we skip auth for now":              "tech_debt", "we decided to use Postgres": "decision",
	} {
		got := ""
		for _, s := range Statements(person(text), Options{}) {
			if got = string(s.Category) + string(s.Moment); s.Explicit {
				got = "asked"
			} else if s.Level != finding.Sure {
				got = ""
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
