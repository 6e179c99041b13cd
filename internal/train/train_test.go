package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/capture/score"
	"keepsake/pkg/eval"
	"keepsake/pkg/memory"
)

// madeUp is a directory of sessions that were written for these tests: in each the person decides something
// and the agent names a limit.
var madeUp = filepath.Join("testdata", "made-up")

// TestMinimize: the least value of a bowl that is a thousand times as steep in one direction as in another,
// and of a function that has no second derivative to speak of.
func TestMinimize(t *testing.T) {
	bowl := func(at, slope []float64) (y float64) {
		for i, x := range at {
			steep := math.Pow(10, float64(i%4))
			d := x - float64(i)
			y += steep / 2 * d * d
			slope[i] = steep * d
		}
		return y
	}
	for i, x := range minimize(make([]float64, 12), 200, bowl) {
		if math.Abs(x-float64(i)) > 1e-2 {
			t.Errorf("the bowl: %d. is %v", i, x)
		}
	}
	steps := 0
	logistic := func(at, slope []float64) float64 { // least at log 3
		steps++
		e := math.Exp(at[0])
		slope[0] = e/(1+e)*4 - 3
		return 4*math.Log1p(e) - 3*at[0]
	}
	if at := minimize([]float64{-20}, 100, logistic); math.Abs(at[0]-math.Log(3)) > 1e-3 {
		t.Errorf("the logistic function: %v, want %v", at[0], math.Log(3))
	}
	if steps > 100 {
		t.Errorf("it took %d steps", steps)
	}
	if at := minimize([]float64{1, 2}, 0, bowl); at[0] != 1 || at[1] != 2 {
		t.Errorf("no step goes to %v", at)
	}
}

func readMadeUp(t *testing.T) ([]eval.Session, []example) {
	t.Helper()
	sessions, err := eval.ReadSessions(madeUp)
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(sessions)
	if err != nil {
		t.Fatal(err)
	}
	return sessions, all
}

func TestRead(t *testing.T) {
	sessions, all := readMadeUp(t)
	perColumn, unsure := map[int]int{}, 0
	for _, x := range all {
		perColumn[x.column]++
		if x.weight == 0 {
			unsure++
		}
		if len(x.named) == 0 || x.session >= len(sessions) {
			t.Errorf("%q has no features", x.text)
		}
	}
	if perColumn[1] != len(sessions) || perColumn[3] != len(sessions) || len(perColumn) != 3 || unsure != 1 {
		t.Errorf("statements by column: %v; %d teach nothing", perColumn, unsure)
	}
}

// TestFitSeparates: what was fitted on some sessions tells the decisions and limits of others from the rest.
func TestFitSeparates(t *testing.T) {
	sessions, all := readMadeUp(t)
	var some []example
	for _, x := range all {
		if x.session < len(sessions)/2 && x.weight > 0 {
			some = append(some, x)
		}
	}
	m := fit(some, pulls{1, 1})
	again := fit(some, pulls{1, 1})
	if string(again.Encode()) != string(m.Encode()) {
		t.Error("the same examples are fitted to something else")
	}
	for _, x := range all {
		p := m.Worth(x.named, x.words, x.share)
		if is := p > 0.5; is != (x.column > 0) {
			t.Errorf("worth %.2f: %q", p, x.text)
		}
	}
	drawn := fit(some, pulls{1e6, 1e6})
	for _, x := range all {
		if p := drawn.Worth(x.named, x.words, x.share); math.Abs(p-16./71) > 0.02 {
			t.Errorf("drawn to zero, %q is worth %.2f and not the base rate", x.text, p)
		}
	}
}

func TestTrainWritesWeights(t *testing.T) {
	out := filepath.Join(t.TempDir(), "weights.bin")
	of := licences{}
	if err := of.Set("made-up: MIT, written for a test"); err != nil {
		t.Fatal(err)
	}
	if err := train(out, "", "", pulls{1, 2}, of, []string{madeUp}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := score.Decode(string(b))
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(filepath.Join(filepath.Dir(out), aboutFile))
	if err != nil {
		t.Fatal(err)
	}
	digest, err := eval.Digest(madeUp)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| made-up | 8 | 16 | MIT, written for a test | `" + digest + "` |", "16 of which state an item",
		"by 1 (named features) and 2 (words)", "\n**decision**: ", "\n**preference**: ",
		strings.Join(strongest(m, memory.Decision), "; ") + ".\n",
	} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%s lacks %q:\n%s", aboutFile, want, said)
		}
	}
	if n := len(strongest(m, memory.Decision)); n != topFeatures {
		t.Errorf("%d features are named", n)
	}
	whole, _ := filepath.Abs(madeUp)
	if strings.Contains(string(said), filepath.Dir(whole)) {
		t.Error("it names a path of this machine")
	}
}

// TestWeightsAreDescribed: the weights of this build say which data they are of, and under which licences.
func TestWeightsAreDescribed(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "pkg", "capture", "score", aboutFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range score.Categories {
		want := "**" + string(c) + "**: " + strings.Join(strongest(score.Shipped(), c), "; ") + "."
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is of other weights: fit them again (CONTRIBUTING.md), or it lacks\n%s",
				aboutFile, want)
		}
	}
}

func TestCrossValidation(t *testing.T) {
	for _, by := range []string{"session", "repo"} {
		run := filepath.Join(t.TempDir(), "run.json")
		shipped := score.Shipped()
		if err := train("", by, run, pulls{1, 1}, nil, []string{madeUp}); err != nil {
			t.Fatal(err)
		}
		if score.Shipped() != shipped {
			t.Error("the last model stays in use")
		}
		b, err := os.ReadFile(run)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), `.jsonl"`); n != 8 {
			t.Errorf("by %s: %d sessions were judged", by, n)
		}
	}
}

func TestTrainRefuses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "weights.bin")
	for name, c := range map[string]struct {
		out, cv string
		dirs    []string
		says    string
	}{
		"no data":      {out, "", nil, "name the directories"},
		"nothing":      {"", "", []string{madeUp}, "want -o FILE"},
		"both":         {out, "repo", []string{madeUp}, "want -o FILE"},
		"no labels":    {out, "", []string{t.TempDir()}, "labelled sessions"},
		"no licence":   {out, "", []string{madeUp}, `-licence "made-up: ..."`},
		"other folds":  {"", "year", []string{madeUp}, "it is session, repo or lang"},
		"one fold all": {"", "lang", []string{madeUp}, "one part"},
	} {
		err := train(c.out, c.cv, "", pulls{1, 1}, licences{}, c.dirs)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("it wrote weights though it refused")
	}
	for _, bad := range []string{"", "MIT", ": MIT", "v2:"} {
		if err := (licences{}).Set(bad); err == nil {
			t.Errorf("-licence %q is taken", bad)
		}
	}
}
