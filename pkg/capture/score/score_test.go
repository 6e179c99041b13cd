package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/memory"
)

// input is a statement with the cues that its words have.
func input(from Source, said string) *Input {
	return &Input{Text: said, From: from, Of: 1, Size: len(said), Cues: cues.Find(said)}
}

// inputs are statements of many kinds.
func inputs() []*Input {
	choice := input(Typed, "We decided to use Postgres for the queue because jobs must survive a restart.")
	choice.Table, choice.Heard = [5]float64{0.8, 0, 0.1}, ByPhrase
	limit := input(Agent, "The API **doesn't support** more than 100 items a page, see `docs/limits.md`.")
	limit.Item, limit.Index, limit.Of = true, 3, 12
	limit.Before, limit.After, limit.Under = cues.Find("root cause"), cues.Find("for now"),
		cues.Find("## Limits")
	picked := input(Picked, "the second one — A lease in the queue's table")
	picked.Reply, picked.Events, picked.Heard = cues.Find("Which one do you want?"), 1<<10|1<<8|1, ByOption
	pasted := input(Typed, "go build -> ok (3.2s)")
	pasted.Pasted, pasted.Foreign, pasted.Question = true, true, true
	return []*Input{choice, limit, picked, pasted, {}, input(Agent, "Done."), input(Plan, "# Phases"),
		input(Answer, "Wir nehmen Postgres, weil Aufträge einen Neustart überleben müssen"),
		input(Refusal, "数据库改用 Postgres，因为队列不能丢任务。"), input(Typed, strings.Repeat("word 7 ", 500))}
}

// TestTheWeightsAreOfThisBuild fails for a feature that was added, or taken away, without fitting the weights
// again: CONTRIBUTING.md says how.
func TestTheWeightsAreOfThisBuild(t *testing.T) {
	m, err := Decode(weights)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(m.Encode()); got != weights {
		t.Error("what was decoded is encoded to something else")
	}
	if len(weights) > 512<<10 {
		t.Errorf("weights of %d bytes: every hook carries them", len(weights))
	}
	for c, scale := range m.scale {
		if !(scale > 0) || math.IsInf(float64(scale), 0) {
			t.Errorf("the words of column %d have the scale %v", c, scale)
		}
	}
	for at, w := range m.named {
		for c, x := range w {
			if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 50 {
				t.Errorf("%s: weight %v in column %d", name(at, manyEvents()), x, c)
			}
		}
	}
}

func manyEvents() (names []string) {
	for i := range Events {
		names = append(names, "event "+string(rune('A'+i)))
	}
	return names
}

func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"nothing":      {"", "no weights of this version"},
		"another file": {"PNG" + weights, "no weights of this version"},
		"another version": {strings.Replace(weights, "weights 1", "weights 0", 1),
			"no weights of this version"},
		"the magic alone": {magic, "weights of 0 bytes"},
		"cut off":         {weights[:len(weights)-1], "these features need"},
		"another feature": {weights + strings.Repeat("\x00", 4*columns), "these features need"},
	} {
		m, err := Decode(c.data)
		if err == nil || m != nil {
			t.Errorf("%s: decoded", name)
			continue
		}
		if said := err.Error(); !strings.Contains(said, c.says) || !strings.Contains(said, "internal/train") {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// someWeights returns weights as a trainer makes them.
func someWeights(n int, seed uint64) (all [][columns]float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	all = make([][columns]float64, n)
	for i := range all {
		for c := range all[i] {
			all[i][c] = r.NormFloat64() * float64(c) // nothing in the first column
		}
	}
	return all
}

func TestNewQuantises(t *testing.T) {
	byName, byWord := someWeights(named, 1), someWeights(buckets, 2)
	m := New(byName, byWord)
	for i, w := range byName {
		for c, x := range w {
			if m.named[i][c] != float32(x) {
				t.Fatalf("feature %d: %v, want %v", i, m.named[i], w)
			}
		}
	}
	for i, w := range byWord {
		for c, x := range w {
			got := float64(int8(m.words[i*columns+c])) * float64(m.scale[c])
			if math.Abs(got-x) > 0.501*float64(m.scale[c]) {
				t.Fatalf("word %d: %v is kept as %v, in steps of %v", i, x, got, m.scale[c])
			}
		}
	}
	again, err := Decode(string(m.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if again.words != m.words || again.scale != m.scale || !slices.Equal(again.named, m.named) {
		t.Error("decoded to something else")
	}
	if o := again.Judge(inputs()[0]); o != m.Judge(inputs()[0]) {
		t.Error("judges otherwise")
	}
}

// isJudgement complains about odds that are no probabilities.
func isJudgement(t *testing.T, said string, o Odds) {
	t.Helper()
	sum := 0.0
	for _, p := range o {
		if !(p >= 0 && p <= 1) {
			t.Fatalf("%q: %v", said, o)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("%q: %v adds up to %v", said, o, sum)
	}
}

func TestJudge(t *testing.T) {
	m := Shipped()
	for _, in := range inputs() {
		o := m.Judge(in)
		isJudgement(t, in.Text, o)
		for range 3 {
			if again := m.Judge(in); again != o {
				t.Errorf("%q: %v, then %v", in.Text, o, again)
			}
		}
		var f Features
		f.Extract(inputs()[0]) // is used again
		f.Extract(in)
		if p := m.Worth(f.Named, f.Words, f.Share); p != 1-o[0] {
			t.Errorf("%q: worth %v, want %v", in.Text, p, 1-o[0])
		}
	}
	all := inputs()
	if high, low := m.Judge(all[0]), m.Judge(all[5]); high[0] > 0.5 || high[1] < high[2] || low[0] < 0.9 {
		t.Errorf("a decision with its reason: %v; a word: %v", high, low)
	}
}

func TestWorthLeavesOut(t *testing.T) {
	o := Odds{0.2, 0.1, 0.3, 0.15, 0.05, 0.2}
	for _, c := range []struct {
		off  []memory.Category
		want memory.Category
		p    float64
	}{
		{nil, memory.Runbook, 0.8},
		{[]memory.Category{memory.Runbook}, memory.Preference, 0.5},
		{[]memory.Category{memory.Decision, memory.Runbook, memory.Preference}, memory.Constraint, 0.2},
		{[]memory.Category{memory.SessionSummary}, memory.Runbook, 0.8},
		{Categories[:], "", 0},
	} {
		off := map[memory.Category]bool{}
		for _, cat := range c.off {
			off[cat] = true
		}
		if got, p := o.Worth(off); got != c.want || math.Abs(p-c.p) > 1e-12 {
			t.Errorf("without %v: %s %v, want %s %v", c.off, got, p, c.want, c.p)
		}
	}
}

// TestReasonsAddUp: what is shown as speaking for a category is all there is.
func TestReasonsAddUp(t *testing.T) {
	m := Shipped()
	for _, in := range inputs() {
		for i, c := range Categories {
			o, reasons := m.Explain(in, c, manyEvents())
			if o != m.Judge(in) {
				t.Errorf("%q: explained are other odds", in.Text)
			}
			sum, last := 0.0, math.Inf(1)
			for _, r := range reasons {
				sum += r.Adds
				if a := math.Abs(r.Adds); a > last {
					t.Errorf("%q: %s stands behind a weaker one", in.Text, r.Name)
				} else {
					last = a
				}
				if r.Name == "" || r.Name == `""` {
					t.Errorf("%q: a reason without a name", in.Text)
				}
			}
			if want := math.Log(o[i+1] / o[0]); math.Abs(sum-want) > 1e-3 {
				t.Errorf("%q, %s: the reasons add up to %v, want %v", in.Text, c, sum, want)
			}
		}
	}
}

func TestFeaturesHaveNames(t *testing.T) {
	seen := map[string]int{}
	for at := range named {
		said := name(at, manyEvents())
		if strings.HasSuffix(said, "unknown") {
			continue // a cue that doesn't exist yet
		}
		if other, ok := seen[said]; ok || strings.HasSuffix(said, " ") || said == "" {
			t.Errorf("features %d and %d are called %q", other, at, said)
		}
		seen[said] = at
	}
	if len(seen) < named-6*(cueBits-cues.Count) {
		t.Errorf("%d of %d features have a name", len(seen), named)
	}
	kinds := map[pair]bool{}
	for _, p := range pairs {
		if p.a == p.b || kinds[p] || kinds[pair{p.b, p.a}] {
			t.Errorf("%s and %s are twice among the pairs, or one family", p.a, p.b)
		}
		kinds[p] = true
	}
}

func TestStrongest(t *testing.T) {
	byName := make([][columns]float64, named)
	byName[atCue+int(cues.Choice)] = [columns]float64{-1, 2}
	byName[atHeard+int(ByOption)] = [columns]float64{0, 1, 5}
	byName[atForm+isHeading] = [columns]float64{3, 1}
	m := New(byName, make([][columns]float64, buckets))
	want := []Reason{{"cue: choice", 3}, {"heard by: a pick", 1}}
	if got := m.Strongest(memory.Decision, 12, manyEvents()); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := m.Strongest(memory.Decision, 1, manyEvents()); !slices.Equal(got, want[:1]) {
		t.Errorf("got %v, want %v", got, want[:1])
	}
	in := input(Typed, "we decided that")
	in.Cues = 1 << cues.Choice
	if got := m.Cue(in, memory.Decision); got != "cue: choice" {
		t.Errorf("the cue is %q", got)
	}
	if got := m.Cue(in, memory.Runbook); got != "cue: choice" { // it speaks against none
		t.Errorf("the cue of a runbook is %q", got)
	}
	if in.Cues = 0; m.Cue(in, memory.Decision) != "words" {
		t.Error("a cue that isn't there")
	}
}

func TestUse(t *testing.T) {
	mine := New(make([][columns]float64, named), make([][columns]float64, buckets))
	shipped := Shipped()
	restore := Use(mine)
	if Shipped() != mine {
		t.Error("the model is not used")
	}
	if o := mine.Judge(inputs()[0]); o != (Odds{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}) {
		t.Errorf("a model that knows nothing says %v", o)
	}
	if restore(); Shipped() != shipped {
		t.Error("the model is used for ever")
	}
}

func FuzzJudge(f *testing.F) {
	for _, in := range inputs() {
		f.Add(in.Text, uint8(in.From), uint16(in.Index), uint16(in.Of), uint64(in.Cues), in.Events,
			in.Pasted, 0.5)
	}
	f.Add("\xff\xfe é’ ’x 日\x80本", uint8(4), uint16(9), uint16(0), uint64(1)<<63, uint32(1)<<31, true, 1.0)
	m := Shipped()
	f.Fuzz(func(t *testing.T, said string, from uint8, index, of uint16, set uint64, events uint32, flag bool,
		table float64) {
		if !(table >= 0 && table <= 1) {
			table = 0
		}
		in := Input{Text: said, From: Source(from) % sources, Index: int(min(index, of)), Of: int(of),
			Size: len(said), Pasted: flag, Foreign: !flag, Cues: cues.Set(set), Before: cues.Set(set >> 1),
			After: cues.Set(set << 1), Under: cues.Set(set), Reply: cues.Set(^set), Events: events,
			Heard: Heard(from) % heardBy, Table: [5]float64{table, 0, 1 - table}}
		isJudgement(t, said, m.Judge(&in))
		var x Features
		x.Extract(&in)
		for _, v := range x.Named {
			if int(v.At) >= named || math.IsNaN(float64(v.Value)) {
				t.Fatalf("feature %d has the value %v", v.At, v.Value)
			}
		}
		for i, at := range x.Words {
			if at >= buckets || slices.Contains(x.Words[:i], at) {
				t.Fatalf("bucket %d of %v", at, x.Words)
			}
		}
		if len(x.Words) > 2*(maxWords+1) {
			t.Fatalf("%d words", len(x.Words))
		}
		if l := float64(x.Share) * float64(x.Share) * float64(len(x.Words)); len(x.Words) > 0 &&
			math.Abs(l-1) > 1e-3 {
			t.Fatalf("the words have the length %v", l)
		}
		_, reasons := m.Explain(&in, memory.Decision, manyEvents())
		if len(reasons) != len(x.Named)+len(x.Words) {
			t.Fatalf("%d reasons of %d features", len(reasons), len(x.Named)+len(x.Words))
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	all, size := inputs(), 0
	for _, in := range all {
		size += len(in.Text)
	}
	m := Shipped()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range all {
			m.Judge(in)
		}
	}
}
