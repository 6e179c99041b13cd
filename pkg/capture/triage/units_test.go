package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// showUnits returns units as text: where each begins, its flags, its heading and its words.
func showUnits(all []Unit) string {
	var b strings.Builder
	for _, u := range all {
		fmt.Fprintf(&b, "%d", u.Line)
		for _, f := range []struct {
			is   bool
			name string
		}{{u.Heading, "heading"}, {u.Item, "item"}, {u.Question, "question"}, {u.Pasted, "pasted"}} {
			if f.is {
				b.WriteString(" " + f.name)
			}
		}
		if u.Under != "" {
			fmt.Fprintf(&b, " under %q", u.Under)
		}
		b.WriteString(": " + u.Text + "\n")
	}
	return b.String()
}

func TestUnits(t *testing.T) {
	const filler = "This sentence is only here to make the line that it stands in longer than one unit " +
		"may be, and says nothing else at all about it."
	const line = "a line of a log that nobody typed into the prompt\n"
	for name, c := range map[string]struct {
		by         Speaker
		said, want string
	}{
		"nothing": {Person, " \n\n", ""},
		"a short line is whole": {Person, "We use Postgres. Jobs must survive.",
			"0: We use Postgres. Jobs must survive.\n"},
		"lines": {Person, "We use Postgres.\nJobs must survive.", "0: We use Postgres.\n1: Jobs must " +
			"survive.\n"},
		"a wrapped line": {Assistant, "We keep the queue in Postgres because jobs must survive\na restart.",
			"0: We keep the queue in Postgres because jobs must survive a restart.\n"},
		"a long line by its sentences": {Assistant, "We use Postgres. " + filler + " " + filler + " " +
			filler,
			"0: We use Postgres.\n" + strings.Repeat("0: "+filler+"\n", 3)},
		"paragraphs": {Assistant, "One thing.\n\nAnother thing.", "0: One thing.\n2: Another thing.\n"},
		"headings": {Assistant, "# The queue\nIt is in Postgres.\n\n## Why ##\nJobs survive.",
			"0 heading: The queue\n1 under \"The queue\": It is in Postgres.\n3 heading: Why\n" +
				"4 under \"Why\": Jobs survive.\n"},
		"items": {Assistant, "The rules:\n- Use pnpm. Never npm.\n2. [x] Tests first\n* *last*",
			"0: The rules:\n1 item: Use pnpm. Never npm.\n2 item: Tests first\n3 item: *last*\n"},
		"code is left out": {Assistant, "Run this:\n```sh\nrm -rf build\n```\nIt takes `make` a minute.",
			"0: Run this:\n4: It takes `make` a minute.\n"},
		"tables and quotations are left out": {Assistant, "See.\n| a | b |\n| --- | --- |\n> we use " +
			"npm\n\nSo be it.",
			"0: See.\n5: So be it.\n"},
		"questions": {Person, "Should we use npm?\nNo. Why not?", "0 question: Should we use npm?\n" +
			"1 question: No. Why not?\n"},
		"a question that is answered": {Person, "Why not npm? It is slow.", "0: Why not npm? It is slow.\n"},
		"Chinese": {Person, "队列用 Postgres。任务不能丢。",
			"0: 队列用 Postgres。任务不能丢。\n"},
		"Chinese by its sentences": {Person, "任务不能丢。" + strings.Repeat("队列用a_b数据库！然后呢", 11) + "。好",
			"0: 任务不能丢。\n0: " + strings.Repeat("队列用a_b数据库！\n0: 然后呢", 11) + "。\n0: 好\n"},
		"Chinese questions": {Person, "用哪个数据库？", "0 question: 用哪个数据库？\n"},
		"pasted": {Person, "look at this\n" + strings.Repeat(line, 40) + "that is all I have",
			"0: look at this\n" + linesOf(line, 40, 7, 34) + "41: that is all I have\n"},
		"not a person's": {Assistant, "look\n" + strings.Repeat(line, 40), "0: look\n" + linesOf(line,
			40, 41, 0)},
		"broken UTF-8": {Person, "we use \xffPostgres", "0: we use Postgres\n"},
	} {
		if got := showUnits(Units(Passage{By: c.by, Text: c.said})); got != c.want {
			t.Errorf("%s:\n got %swant %s", name, got, c.want)
		}
	}
}

// linesOf returns the units of a line that stands n times from line 1 on, of which those from one to another
// are pasted.
func linesOf(line string, n, from, to int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		flag := ""
		if i >= from && i <= to {
			flag = " pasted"
		}
		fmt.Fprintf(&b, "%d%s: %s\n", i, flag, strings.TrimSpace(line))
	}
	return b.String()
}

// TestScoresOfUnits: a unit has what the table of phrases says of its best sentence, and of a decision with
// its reason.
func TestScoresOfUnits(t *testing.T) {
	score := func(said string) [5]float64 {
		all := Units(Passage{By: Person, Text: said})
		if len(all) != 1 {
			t.Fatalf("%q: %d units", said, len(all))
		}
		return all[0].Scores
	}
	alone, reasoned := score("We decided to use Postgres."), score("We decided to use Postgres. The "+
		"reason is jsonb.")
	if alone[0] < clearSign || reasoned[0] <= alone[0] {
		t.Errorf("a decision scores %v, with its reason %v", alone, reasoned)
	}
	two := score("From now on use pnpm. We decided to use Postgres.")
	if rule := score("From now on use pnpm."); two[4] != rule[4] || two[0] != alone[0] {
		t.Errorf("two sentences score %v, alone %v and %v", two, rule, alone)
	}
	if none := score("Moved the file."); none != [5]float64{} {
		t.Errorf("nothing scores %v", none)
	}
}

// FuzzUnits: a unit has words of its passage, in their order and each once, and what Statements hears is in
// one of them.
func FuzzUnits(f *testing.F) {
	parts := []string{"We decided to use Postgres. ", "The reason is that jobs must survive.\n",
		"# The queue\n",
		"- always use pnpm\n", "\n", "```\nlet's go with npm\n```\n", "> we chose npm\n",
		"Should we go with npm? ",
		"remember that staging is called heron\n", "remember this\n", "We shipped the importer.\n",
		"The crash was caused by a stale lock, deleting it fixed that. ", "队列用 Postgres。",
		"let's use\na lock\n",
		strings.Repeat("This says nothing at all about anything. ", 12), "\xff", "| a | b |\n",
		"“we use npm”\n"}
	for i := range parts { // each beside each
		for j := range parts {
			f.Add(parts[i]+parts[j]+parts[(i+j)%len(parts)], i%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, said string, typed bool) {
		Units(Passage{By: Person, Text: said}) // must not panic
		said = strings.ToValidUTF8(said, "")
		p := Passage{By: Assistant, Text: said}
		if typed {
			p.By = Person
		}
		units := Units(p)
		rest, line := said, 0
		for _, u := range units {
			if u.Text == "" || u.Line < line || u.Line > strings.Count(said, "\n") {
				t.Fatalf("%q behind line %d", u.Text, line)
			}
			line = u.Line
			for w := range strings.FieldsSeq(u.Text) {
				_, after, ok := strings.Cut(rest, w)
				if !ok {
					t.Fatalf("%q of %q is not in the passage, or not there", w, u.Text)
				}
				rest = after
			}
		}
		for _, s := range Statements([]Passage{p}, Options{}) {
			if !slices.ContainsFunc(units, func(u Unit) bool {
				return strings.Contains(u.Text, s.Text) || strings.Contains(s.Text, u.Text)
			}) {
				t.Fatalf("%q is heard, and is in none of\n%s", s.Text, showUnits(units))
			}
		}
	})
}

// TestHear: what is heard in one pass is what is heard in two.
func TestHear(t *testing.T) {
	var passages []Passage
	for i, said := range []string{
		"We decided to use Postgres, because jobs must survive a restart. Please remember that.",
		"", "# Plan\n\n- Never use npm.\n- The API only allows 60 requests a minute.",
		"We decided to use Postgres, because jobs must survive a restart.",
		strings.Repeat("It failed because the disk was full.\nClearing the cache fixed it.\n\n", 30),
	} {
		by := []Speaker{Person, Assistant}[i%2]
		passages = append(passages, Passage{By: by, Text: said, ID: fmt.Sprint(i)})
	}
	heard, units := Hear(passages, Options{})
	if want := Statements(passages, Options{}); len(want) == 0 || !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
	for i, p := range passages {
		if want := Units(p); !slices.Equal(units[i], want) {
			t.Errorf("units of %d: %v, want %v", i, units[i], want)
		}
	}
}
