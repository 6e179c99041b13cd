package eval

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// made is a run of two sessions: in the first two of three items are found, one of them by what is sure.
func made() *Result {
	return &Result{Version: resultVersion, Sessions: []SessionRun{
		{Set: "x", File: "a", Repo: "r", Lang: "en", Turns: 4, Notices: 1, Items: []Item{
			{Category: "decision", Form: "pick", Worth: 3, Quote: "first"},
			{Category: "runbook", Form: "fix", Worth: 2, Quote: "second"},
			{Category: "decision", Form: "plan", Worth: 2, Quote: "third"},
			{Category: "constraint", Form: "limit", Worth: 1, Quote: "marginal"},
		}, Found: []Found{
			{Category: "decision", Level: "candidate", Score: 0.35, States: []int{1}, Text: "said late"},
			{Category: "decision", Level: "sure", Score: 0.6, States: []int{0}, Text: "said surely"},
			{Category: "preference", Level: "candidate", Score: 0.9, Text: "false"},
			{Category: "constraint", Level: "candidate", Score: 0.3, States: []int{3}, Text: "marginal too"},
			{Moment: "progress", Level: "sure", Score: 1, Text: "done"},
		}},
		{Set: "x", File: "b", Repo: "s", Lang: "de", Turns: 2, Items: []Item{
			{Category: "preference", Form: "rule", Worth: 2, Quote: "fourth"}}},
	}}
}

func TestMeasures(t *testing.T) {
	r := made()
	three := func(s *SessionRun) int { return len(s.candidates(3)) }
	is := func(c string) func(Item) bool { return func(i Item) bool { return i.Category == c } }
	for name, tt := range map[string]struct {
		m    metric
		want float64
	}{
		"found":                  {itemsFound(atAll, nil), 2.0 / 4},
		"found surely":           {itemsFound(atSure, nil), 1.0 / 4},
		"found by the first two": {itemsFound(2, nil), 1.0 / 4},
		"decisions":              {itemsFound(atAll, is("decision")), 1.0 / 2},
		"right":                  {precision(atAll, nil), 2.0 / 3},
		"right surely":           {precision(atSure, nil), 1},
		"right among two":        {precision(2, nil), 1.0 / 2},
		"in their category":      {named(atAll), 1.0 / 2},
		"P of sessions":          {sessionLevel(atAll, nil, outcome.precision), 1.0 / 2},
		"R of sessions":          {sessionLevel(atAll, nil, outcome.recall), 1.0 / 3},
		"F1 of sessions":         {sessionLevel(atAll, nil, outcome.f1), 2.0 / 5},
		"F1 of what is sure":     {sessionLevel(atSure, nil, outcome.f1), 2.0 / 4},
		"notices":                {perSession(func(s *SessionRun) int { return s.Notices }), 1.0 / 2},
		"no item of this kind":   {itemsFound(atAll, is("tech_debt")), math.NaN()},
		"candidates":             {perSession(three), 3.0 / 2},
	} {
		got := r.sum(tt.m).value()
		if math.Abs(got-tt.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestToldTwice(t *testing.T) {
	sure := func(states ...int) Found { return Found{Category: "decision", Level: "sure", States: states} }
	s := SessionRun{Found: []Found{sure(1), sure(1, 2), sure(2), sure(),
		{Category: "decision", Level: "candidate", States: []int{1}}}}
	if n := toldTwice(&s); n != 1 {
		t.Errorf("%d findings tell an item twice, want 1", n)
	}
}

func TestBounds(t *testing.T) {
	each := func(n int) func(func(string, share)) {
		return func(add func(string, share)) {
			for i := range n {
				add(string(rune('a'+i)), share{float64(i % 2), 1})
			}
		}
	}
	low, high := bounds(each(20))
	if again, _ := bounds(each(20)); again != low {
		t.Errorf("not the same twice: %v, %v", low, again)
	}
	if low < 0.2 || low > 0.4 || high < 0.6 || high > 0.8 {
		t.Errorf("%v to %v", low, high)
	}
	if low, _ := bounds(each(1)); !math.IsNaN(low) {
		t.Errorf("one group has bounds: %v", low)
	}
}

func TestMerge(t *testing.T) {
	a, b := made(), made()
	b.Sessions = b.Sessions[:1]
	b.Sessions[0].Notices = 7
	all := Merge(a, b)
	if len(all.Sessions) != 2 || all.Sessions[0].Notices != 7 || all.Sessions[1].File != "b" {
		t.Errorf("%+v", all)
	}
}

func TestDiff(t *testing.T) {
	before, after := made(), made()
	after.Sessions[0].Found = after.Sessions[0].Found[:1]
	after.Sessions[0].Found[0].States = []int{1, 2}
	got := Diff(before, after, 12)
	for _, want := range []string{"- a line 0 decision pick : first", "+ a line 0 decision plan : third",
		"2 sessions in both: 1 item found now, 1 lost now"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	after.Sessions[0].Items[0].Quote = "something else"
	if got := Diff(before, after, 12); len(got) != 1 || !strings.HasPrefix(got[0], "1 session in both") {
		t.Errorf("other items are compared: %q", got)
	}
}

// TestTables: what is printed has no line for what is not there, and says nothing of nothing.
func TestTables(t *testing.T) {
	lines := strings.Join(Table{ByRepo: true}.Print(made()), "\n")
	for _, want := range []string{"x: 2 sessions", "4 items worth keeping, 1 marginal; ", "over repositories",
		"language de", "form pick"} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
	for _, bad := range []string{"tech_debt                  ", "NaN", "form limit"} {
		if strings.Contains(strings.Split(lines, "candidates")[0], bad) {
			t.Errorf("%q in\n%s", bad, lines)
		}
	}
	if got := (Table{}).Print(&Result{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := PrintRecall(&Result{}); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestPromptRuns(t *testing.T) {
	p := PromptRun{Rel: []string{"a", "b"}, Ranks: []int{2, 5}, Injected: []string{"b", "c"}}
	for n, want := range map[int]float64{1: 0, 3: 0.5, 5: 1} {
		if got := p.recall(n).value(); got != want {
			t.Errorf("R@%d %v, want %v", n, got, want)
		}
	}
	if p.reciprocal().value() != 0.5 || p.relevant().value() != 0.5 || p.shows().value() != 1 ||
		p.wrong() != 1 {
		t.Errorf("%+v", p)
	}
	before := p
	before.Ranks, before.Injected = []int{4}, nil
	got := DiffRecall(&Result{Prompts: []PromptRun{before}}, &Result{Prompts: []PromptRun{p}}, 3)
	if len(got) != 3 || got[0][0] != '+' || got[1][0] != '-' || got[2] != "1 better now, 1 worse" {
		t.Errorf("%q", got)
	}
}
