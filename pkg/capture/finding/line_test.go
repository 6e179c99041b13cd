package finding

import "testing"

func TestPeek(t *testing.T) {
	odd := `"finding":{"number":9,"target":"decisions/no.json"`
	f := one(12, odd)
	f.Cue, f.Context = odd, []Line{{Typed, Said, odd}}
	target := f
	target.Kind, target.Target = Change, `decisions/"use"-redis.json`
	for _, c := range []struct {
		line   []byte
		number int
		target string
	}{
		{Status{Finding: f, State: Open, To: odd, Why: odd}.Append(nil, 13), 12, ""},
		{Status{Finding: target, State: Rejected, To: odd, Why: odd}.Append(nil, 13), 12, target.Target},
		{Turn{At: day, Session: "s", Findings: []Finding{target}}.Append(nil, 12), 0, ""},
		{Move{At: day, Act: Save, Numbers: []int{12}, To: odd}.Append(nil, 13), 0, ""},
		{nil, 0, ""},
	} {
		if n, target := Peek(c.line); n != c.number || target != c.target {
			t.Errorf("%s: %d, %q; want %d, %q", c.line, n, target, c.number, c.target)
		}
	}
	line := Status{Finding: f, State: Open}.Append(nil, 13)
	if n := testing.AllocsPerRun(10, func() { Peek(line) }); n > 0 {
		t.Errorf("%v allocations to look at a line", n)
	}
}
