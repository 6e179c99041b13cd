package records

import (
	"slices"
	"strings"
	"testing"
)

func ask(t *testing.T, ix *Index, prompt string) []Hit {
	t.Helper()
	hits, err := ix.Search(PromptQuery(prompt, 5))
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func TestPromptQuery(t *testing.T) {
	ix := open(t, notes(t)...)
	const question = "which job queue do we use with postgres?"
	want := ids(ask(t, ix, question))
	if len(want) == 0 {
		t.Fatal("the question finds nothing")
	}
	if plain := ids(search(t, ix, question, 5, PromptFloor)); !slices.Equal(plain, want) {
		t.Errorf("one sentence finds %q as a prompt and %q as a question", want, plain)
	}
	others := "Thanks, that looks good to me now. I will have lunch first, so take your time. "
	pasted := strings.Repeat("Sed ut perspiciatis unde omnis iste natus error sit voluptatem. ", 400)
	for name, prompt := range map[string]string{
		"before others":  question + " " + others,
		"behind others":  others + question,
		"between others": others + question + " " + others,
		"twice":          question + " " + question,
		"commit first":   "Commit and push this. Then open a PR. " + question,
		"below a paste":  pasted + "\n" + question,
		"above a paste":  question + "\n" + pasted,
		"in many lines":  strings.ReplaceAll(others, ". ", ".\n") + "\n- " + question + "\n",
		"below a log": strings.Repeat("starting worker on host heron with ten threads\n", 3) +
			strings.Repeat(others, 8) + question,
		"of many bullets": strings.Repeat("- go on\n- next\n", 40) + question,
	} {
		if got := ids(ask(t, ix, prompt)); !slices.Contains(got, want[0]) {
			t.Errorf("%s: finds %q, not %s", name, got, want[0])
		}
	}
	for _, prompt := range []string{"", " \n", "commit and push", "Run the tests. Then open a PR!",
		"continue", "ok, go on with the next todo", "weiter", "继续", "merge the branch, then pull"} {
		if got := ask(t, ix, prompt); len(got) > 0 {
			t.Errorf("%q finds %q", prompt, ids(got))
		}
	}
}

// TestPromptGrown: a prompt finds the same, with the same scores, in an index that grew change by change.
func TestPromptGrown(t *testing.T) {
	all := notes(t)
	whole := open(t, all...)
	base := openBase(t, build(all[:len(all)/2]))
	change := base.Change()
	for _, r := range all[len(all)/2:] {
		change.Put(r)
	}
	grown, err := change.Index()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i, l := range lines(t, "prompts.txt") {
		prompt, _, _ := strings.Cut(l, " => ")
		other, _, _ := strings.Cut(lines(t, "prompts.txt")[(i*7+3)%50], " => ")
		prompt += ". " + other + "."
		a, b := ask(t, whole, prompt), ask(t, grown, prompt)
		found += len(a)
		if !slices.Equal(ids(a), ids(b)) {
			t.Fatalf("%q: %q, and %q grown", prompt, ids(a), ids(b))
		}
		for k := range a {
			if a[k].Score != b[k].Score {
				t.Errorf("%q: %s scores %v, and %v grown", prompt, a[k].Path, a[k].Score, b[k].Score)
			}
		}
	}
	if found == 0 {
		t.Error("nothing found")
	}
}

func FuzzPrompt(f *testing.F) {
	f.Add("which queue? postgres. " + strings.Repeat("a b. ", 20))
	f.Add("提交。为什么用 postgres？\nRun it; camelCase snake_case a.b.c")
	var all []string
	for i := range 200 {
		all = append(all, strings.Repeat(string(rune('a'+i%26)), 2+i/26), "x.")
	}
	f.Add(strings.Join(all, " "))
	ix := open(f, notes(f)...)
	f.Fuzz(func(t *testing.T, prompt string) {
		hits, err := ix.Search(PromptQuery(prompt, 3))
		if err != nil || len(hits) > 3 {
			t.Fatal(err, len(hits))
		}
		for _, h := range hits {
			if h.Score < PromptFloor || h.Score > 1 {
				t.Errorf("%s scores %v", h.Path, h.Score)
			}
		}
	})
}

// TestBelow checks that what is near the best is measured by odds: .99 and .95 are far from each other, as .8
// and .45 are, and .6 and .4 are near.
func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		best, other float64
		near        bool
	}{{1, 1, true}, {1, 0.999, false}, {0.999, 0.998, true}, {0.99, 0.975, true}, {0.99, 0.95, false},
		{0.8, 0.65, true}, {0.8, 0.45, false}, {0.6, 0.4, true}, {0.6, 0.3, false}, {0, 0, true}} {
		if near := tt.other >= Below(tt.best, PromptNear); near != tt.near {
			t.Errorf("%v beside %v: %v", tt.other, tt.best, near)
		}
	}
}

// TestOfTitle checks that more of a title is worth more, and that a memory that was found by its body loses
// nothing.
func TestOfTitle(t *testing.T) {
	prompt, own := terms{limit: maxTerms}, terms{}
	prompt.add("does the invoice importer retry when the bank is offline")
	all := prompt.ofTitle("Invoice importer retry", &own)
	some := prompt.ofTitle("Invoice totals are cached per customer and region for one day", &own)
	if all <= 0 || some >= 0 {
		t.Errorf("all of a title is worth %v, a word of it %v", all, some)
	}
	for _, title := range []string{"", "Ship on Fridays"} {
		if got := prompt.ofTitle(title, &own); got != 0 {
			t.Errorf("%q is worth %v", title, got)
		}
	}
}
