package learn

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/memory"
)

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func set(families ...cues.Family) (s cues.Set) {
	for _, f := range families {
		s |= 1 << f
	}
	return s
}

// choice is a decision that the person typed.
var choice = Traits{memory.Decision, Person, "words", set(cues.Choice, cues.We)}

// answers returns n answers about findings like t that were sure.
func answers(t Traits, kept bool, n int) (all []Answer) {
	for i := range n {
		all = append(all, Answer{Number: i + 1, At: day.Add(time.Duration(i) * time.Hour), Kept: kept,
			Score: 0.67, Traits: t})
	}
	return all
}

func traits(t *rapid.T) Traits {
	return Traits{
		Category: rapid.SampledFrom(memory.Categories()).Draw(t, "category"),
		By:       rapid.SampledFrom([]string{Person, "agent", "plan"}).Draw(t, "by"),
		Heard:    rapid.SampledFrom([]string{"words", "answer", "option"}).Draw(t, "heard"),
		Cues:     cues.Set(rapid.Uint64Range(0, 1<<cues.Count-1).Draw(t, "cues")),
	}
}

func someAnswers(t *rapid.T) (all []Answer) {
	for range rapid.IntRange(0, 2*Limit).Draw(t, "answers") {
		all = append(all, Answer{Number: rapid.IntRange(1, 3*Limit).Draw(t, "number"),
			At:    day.Add(time.Duration(rapid.IntRange(0, 1000).Draw(t, "at")) * time.Minute),
			Kept:  rapid.Bool().Draw(t, "kept"),
			Score: rapid.Float64Range(0.01, 1).Draw(t, "score"), Traits: traits(t)})
	}
	return all
}

// TestLayer: what is learned stays in its bounds, never lowers a rule of the person's, and depends neither on
// the order of the answers nor on how they are stored.
func TestLayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := someAnswers(t)
		l := New(all)
		for _, w := range l.Weights() {
			if math.Abs(w.Adds) > maxWeight || w.Kept+w.Rejected == 0 {
				t.Fatalf("%+v", w)
			}
		}
		if l.Kept()+l.Rejected() > Limit {
			t.Fatalf("%d kept, %d rejected", l.Kept(), l.Rejected())
		}
		x, p := traits(t), rapid.Float64Range(0, 1).Draw(t, "p")
		shift, q := l.Shift(x), l.Adjust(x, p)
		if math.Abs(shift) > maxShift || q < 0 || q > 1 || q > p && shift <= 0 || q < p && shift >= 0 {
			t.Fatalf("%+v: %v becomes %v by %v", x, p, q, shift)
		}
		if x.By == Person && x.Cues.Has(cues.Rule) && q < p {
			t.Fatalf("a rule falls from %v to %v", p, q)
		}
		mixed := slices.Clone(all)
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if !reflect.DeepEqual(New(mixed), l) {
			t.Fatal("another order of the answers teaches something else")
		}
		lines := Encode(mixed)
		again, err := Parse(lines)
		if err != nil || !reflect.DeepEqual(New(again), l) || !bytes.Equal(Encode(again), lines) {
			t.Fatalf("%v: what was stored teaches something else:\n%s", err, lines)
		}
	})
}

func TestNothingLearnedChangesNothing(t *testing.T) {
	if l := New(nil); l != nil || l.Adjust(choice, 0.4) != 0.4 || l.Weights() != nil || !l.Since().IsZero() {
		t.Errorf("%+v", l)
	}
	other := Traits{memory.Runbook, "agent", "words", choice.Cues}
	if got := New(answers(choice, false, 50)).Adjust(other, 0.4); got != 0.4 {
		t.Errorf("what was said of decisions moves a runbook to %v", got)
	}
}

// TestRounding: a shift of next to nothing does not go the wrong way.
func TestRounding(t *testing.T) {
	for _, shift := range []float64{1e-18, 1e-17, 1e-16, 1e-15} {
		for i := 1; i < 1000; i++ {
			p := float64(i) / 1000
			if q := adjusted(p, shift); q < p {
				t.Errorf("%v becomes %v by %v", p, q, shift)
			}
			if q := adjusted(p, -shift); q > p {
				t.Errorf("%v becomes %v by %v", p, q, -shift)
			}
		}
	}
}

// TestAFewAnswers: one moves little, three that agree visibly, many no further than the bound, and what is
// unlikely anyway teaches nothing by its rejection.
func TestAFewAnswers(t *testing.T) {
	shift := func(kept bool, n int) float64 { return New(answers(choice, kept, n)).Shift(choice) }
	one, three, many := shift(false, 1), shift(false, 3), shift(false, 100)
	if one > -0.1 || one < -0.25 || three > -0.45 || three < -0.65 || many != -maxShift {
		t.Errorf("one moves it by %.2f, three by %.2f, many by %.2f", one, three, many)
	}
	if kept := shift(true, 100); kept < 0.5 || kept > maxShift {
		t.Errorf("100 that were kept move it by %.2f", kept)
	}
	unlikely := answers(choice, false, 9)
	unlikely = append(unlikely, answers(choice, true, 1)...)
	for i := range unlikely {
		unlikely[i].Number, unlikely[i].Score = i+1, 0.1
	}
	if got := New(unlikely).Shift(choice); math.Abs(got) > 0.001 {
		t.Errorf("one of ten that were likely to a tenth was kept, and that moves the next by %v", got)
	}
	rule := choice
	rule.Cues |= set(cues.Rule)
	if l := New(answers(rule, false, 50)); l.Shift(rule) != 0 || l.Shift(choice) >= 0 {
		t.Errorf("the person's rule moves by %v, another decision by %v", l.Shift(rule), l.Shift(choice))
	}
	rule.By = "agent"
	if l := New(answers(rule, false, 50)); l.Shift(rule) >= 0 {
		t.Errorf("the agent's rule moves by %v", l.Shift(rule))
	}
	rule.By = Person
	if l := New(answers(rule, true, 50)); l.Shift(rule) <= 0 {
		t.Errorf("a rule that was kept moves by %v", l.Shift(rule))
	}
}

// TestOldAnswersDoNotCount: of a finding the last answer counts, and of all the newest.
func TestOldAnswersDoNotCount(t *testing.T) {
	twice := answers(choice, false, 1)
	twice = append(twice, Answer{Number: 1, At: day.Add(time.Minute), Kept: true, Score: 0.67,
		Traits: choice})
	if l := New(twice); l.Kept() != 1 || l.Rejected() != 0 {
		t.Errorf("%d kept, %d rejected", l.Kept(), l.Rejected())
	}
	all := answers(choice, false, 2*Limit)
	for i := Limit; i < 2*Limit; i++ {
		all[i].Kept = true
	}
	if l := New(all); l.Kept() != Limit || l.Rejected() != 0 || !l.Since().Equal(all[Limit].At) {
		t.Errorf("%d kept, %d rejected since %s", l.Kept(), l.Rejected(), l.Since())
	}
	if n := bytes.Count(Encode(all), []byte("\n")); n != Limit {
		t.Errorf("%d lines", n)
	}
	if left := Without(all, []int{1, 2, 77, 5000}); len(left) != 2*Limit-3 || len(all) != 2*Limit {
		t.Errorf("%d are left of %d", len(left), len(all))
	}
}

func TestWeights(t *testing.T) {
	all := answers(choice, false, 3)
	all = append(all, Answer{Number: 9, At: day, Kept: true, Score: 0.5,
		Traits: Traits{memory.Runbook, "agent", "words", set(cues.Fix)}})
	var got []string
	for _, w := range New(all).Weights() {
		got = append(got, fmt.Sprintf("%+.2f %s %s %s %d %d", w.Adds, w.Category, w.Of, w.Name, w.Kept,
			w.Rejected))
	}
	want := `-0.13 decision by person 0 3
-0.13 decision category  0 3
-0.13 decision cue choice 0 3
-0.13 decision cue we 0 3
-0.13 decision heard words 0 3
+0.04 runbook by agent 1 0
+0.04 runbook category  1 0
+0.04 runbook cue fix 1 0
+0.04 runbook heard words 1 0`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestParse(t *testing.T) {
	good := string(Encode(answers(choice, true, 1)))
	want := `{"version":1,"at":"2026-11-20T09:00:00Z","finding":1,"kept":true,"category":"decision",` +
		`"by":"person","heard":"words","cues":"choice we","score":0.67}` + "\n"
	if good != want {
		t.Errorf("got %s, want %s", good, want)
	}
	for lines, n := range map[string]int{
		"": 0, "\n": 0, "{}\n": 0, "null\n[1]\n\"x\"\n" + good: 1,
		good[:20] + "\n" + good: 1, good + good[:30]: 1,
		strings.Replace(good, "choice we", "choice gone we", 1):     1,
		strings.Replace(good, "decision", "session", 1):             0,
		strings.Replace(good, `"finding":1`, `"finding":0`, 1):      0,
		strings.Replace(good, "0.67", "1.5", 1):                     0,
		strings.Replace(good, "2026-11-20T09:00:00Z", "friday", 1):  0,
		strings.Replace(good, `"version":1`, `"version":"one"`, 1):  0,
		strings.Replace(good, `"kept":true`, `"kept":maybe`, 1):     0,
		strings.Replace(good, `"person"`, `"a\"b"`, 1):              0,
		strings.Replace(good, `"by"`, `"more":-7,"by"`, 1):          1,
		"\x00\xff\n" + strings.Replace(good, `"kept":true,`, "", 1): 1,
	} {
		all, err := Parse([]byte(lines))
		if err != nil || len(all) != n {
			t.Errorf("%q: %d answers, %v; want %d", lines, len(all), err, n)
		}
		for _, a := range all {
			if a.Cues != choice.Cues {
				t.Errorf("%q: cues %b", lines, a.Cues)
			}
		}
	}
	newer := strings.Replace(good, `"version":1`, `"version":2`, 1)
	if all, err := Parse([]byte(newer + good)); !errors.Is(err, ErrNewer) || len(all) != 1 {
		t.Errorf("%d answers, %v", len(all), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Encode(answers(choice, true, 2)))
	f.Fuzz(func(t *testing.T, lines []byte) {
		all, _ := Parse(lines)
		written := Encode(all)
		again, err := Parse(written)
		if err != nil || !bytes.Equal(Encode(again), written) || !reflect.DeepEqual(New(again), New(all)) {
			t.Fatalf("%v: written twice it differs:\n%s", err, written)
		}
	})
}

// BenchmarkLearn reads as many answers as count, as Stop does.
func BenchmarkLearn(b *testing.B) {
	all := answers(choice, false, Limit)
	for i := range all {
		all[i].Cues = set(cues.Choice, cues.Reason, cues.We, cues.Contrast)
	}
	lines := Encode(all)
	b.ReportAllocs()
	for b.Loop() {
		all, err := Parse(lines)
		if l := New(all); err != nil || l.Rejected() != Limit {
			b.Fatal(err)
		}
	}
}

// BenchmarkAdjust judges one statement.
func BenchmarkAdjust(b *testing.B) {
	l := New(answers(choice, false, Limit))
	b.ReportAllocs()
	for b.Loop() {
		if l.Adjust(choice, 0.5) >= 0.5 {
			b.Fatal("it does not fall")
		}
	}
}
