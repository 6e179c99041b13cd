package score

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/cues"
)

// wordsOf returns the words of a text that are hashed, and each two.
func wordsOf(said string) []string {
	f := Features{texts: map[uint32]string{}}
	f.Extract(&Input{Text: said})
	return slices.Sorted(maps.Values(f.texts))
}

func TestWords(t *testing.T) {
	for said, want := range map[string]string{
		"":                  "",
		"...":               "",
		"Use Postgres":      "postgres|use|use postgres",
		"yes. use it":       "it|use|use it|yes", // no pair over the end of a sentence
		"again again again": "again|again again",
		"don't":             "don't",
		"don’t":             "don't",
		"'quoted'":          "quoted'",
		"100 items, 7":      "0|0 items|items|items 0",
		"v2.13":             "0|v0", // a full stop ends it
		"Größe ÄNDERN":      "größe|größe ändern|ändern",
		"Мы выбрали":        "выбрали|мы|мы выбрали",
		"数据库迁移":             "库迁|据库|数据|迁移",
		"数据，迁移":             "数据|迁移", // no word over a comma
		"用 Postgres 做队列":    "postgres|做队|队列",
		"データ":               "デー|ータ",
		"日":                 "",
		"snake_case":        "case|snake|snake case",
	} {
		if got := strings.Join(wordsOf(said), "|"); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
	if got := wordsOf(strings.Repeat("x", 200)); len(got) < 2 || len(got[len(got)-1]) > 128 {
		t.Errorf("a word of 200 letters: %q", got)
	}
	many := strings.Builder{}
	for i := range 1000 {
		many.WriteString(strings.Repeat("y", i%40+1) + strings.Repeat("z", i/40+1) + " ")
	}
	if n := len(wordsOf(many.String())); n < maxWords || n > 2*maxWords {
		t.Errorf("%d words and pairs of a long text", n)
	}
}

// namesOf returns the names of the features that a statement has, without those of its words, its source and
// its length.
func namesOf(in Input) string {
	var f Features
	f.Extract(&in)
	var all []string
	for _, v := range f.Named {
		said := name(int(v.At), manyEvents())
		switch {
		case v.Value == 0 || v.At == atBias || strings.HasPrefix(said, "from: ") ||
			strings.HasPrefix(said, "length: ") || said == "form: depth" || said == "heard by: nothing":
			continue
		case v.Value == 0.5:
			said += " (near)"
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}

func TestNamedFeatures(t *testing.T) {
	choice, reason := cues.Set(1)<<cues.Choice, cues.Set(1)<<cues.Reason
	for _, c := range []struct {
		what string
		in   Input
		want string
	}{
		{"nothing", Input{From: Agent, Index: 1, Of: 3}, ""},
		{"the only one", Input{From: Agent, Of: 1}, "form: first; form: last; form: only"},
		{"of a long message", Input{From: Agent, Index: 2, Of: 11}, "form: long message"},
		{"a form", Input{From: Agent, Index: 1, Of: 3, Heading: true, Item: true, Question: true},
			"form: heading; form: item; form: question"},
		{"typed", Input{Text: "do it", Index: 1, Of: 3, Size: 40}, "form: short and typed"},
		{"pasted", Input{Text: "do it", Index: 1, Of: 3, Size: 40, Pasted: true, Foreign: true},
			"form: pasted; form: pasted from elsewhere"},
		{"a lead-in", Input{Text: "**Left**:", From: Agent, Index: 1, Of: 3},
			"form: ends in a colon; form: bold"},
		{"signs", Input{Text: "`a` -> b/c (2)", From: Agent, Index: 1, Of: 3},
			"form: code; form: number; form: path; form: arrow; form: parentheses"},
		{"names", Input{Text: "parseAll calls read_one", Index: 1, Of: 3, Size: 900}, "form: many names"},
		{"a document's sentence", Input{Index: 1, Of: 3, Size: 900,
			Text: "The queue keeps its jobs in a table, and the workers lease them from there."},
			"form: formal"},
		{"the agent's cue", Input{From: Agent, Index: 1, Of: 3, Cues: choice}, "cue: choice"},
		{"the person's", Input{From: Picked, Index: 1, Of: 3, Cues: choice},
			"cue: choice; the person's cue: choice"},
		{"a claim and its reason", Input{From: Agent, Index: 1, Of: 3, Cues: choice | reason},
			"cue: choice; cue: reason; cues: choice and reason"},
		{"its reason is near", Input{From: Agent, Index: 1, Of: 3, Cues: choice, After: reason},
			"cue: choice; cue behind: reason; cues: choice and reason (near)"},
		{"around it", Input{From: Agent, Index: 1, Of: 3, Under: choice, Reply: reason},
			"cue in its heading: choice; cue in what it answers: reason"},
		{"phrases", Input{From: Agent, Index: 1, Of: 3, Table: [5]float64{0, 0.3}},
			"phrases: runbook; phrases: runbook, audible; phrases: any"},
		{"clear phrases", Input{Index: 1, Of: 3, Size: 900, Table: [5]float64{0.6}},
			"phrases: decision; phrases: decision, audible; phrases: decision, clear; phrases: any; " +
				"phrases: any, not the agent's"},
		{"what happened", Input{From: Agent, Index: 1, Of: 3, Events: 1<<2 | 1<<31},
			"happened: event C; happened: event `"},
		{"to the person's words", Input{From: Answer, Index: 1, Of: 3, Events: 1, Heard: ByAnswer},
			"heard by: an answer; happened: event A; happened to the person's words: event A"},
	} {
		if got := namesOf(c.in); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.want)
		}
	}
}

// TestExtractAllocatesNothing: features are read into slices that are used again, however long the statement
// is.
func TestExtractAllocatesNothing(t *testing.T) {
	var f Features
	all := inputs()
	extract := func() {
		for _, in := range all {
			f.Extract(in)
		}
	}
	extract()
	if n := testing.AllocsPerRun(20, extract); n > 0 {
		t.Errorf("%v allocations", n)
	}
	m := Shipped()
	long := input(Typed, strings.Repeat("many different words are here 12 ", 40))
	longer := input(Typed, strings.Repeat(long.Text, 50))
	few := testing.AllocsPerRun(20, func() { m.Judge(long) })
	if many := testing.AllocsPerRun(20, func() { m.Judge(longer) }); many > few {
		t.Errorf("%v allocations for a long statement, %v for a longer one", few, many)
	}
}
