package finding

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/memory"
)

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func one(n int, text string) Finding {
	return Finding{Number: n, Text: text, By: Typed, Session: "s", Record: "u1", Offset: 12, Time: day, Branch: "main",
		Category: memory.Decision, Score: .625, Cue: "we decided", Level: Sure, Origin: FromPerson, Digest: Digest(text),
		Context: []Line{{Agent, Said, "Redis or Postgres?"}, {Typed, Answer, "the second"}}}
}

func TestTransitions(t *testing.T) {
	// Each act has at least one state that allows it, and every end but the kept
	// ones can still be saved by a person.
	for _, a := range Acts() {
		if !slices.ContainsFunc(States(), func(s State) bool { _, err := s.Next(a); return err == nil }) {
			t.Errorf("no state takes %s", a)
		}
	}
	for _, c := range []struct {
		from State
		act  Act
		to   State // "" is refused
	}{
		{Open, Offer, Offered}, {Offered, Offer, Offered}, {Open, Save, Saved}, {Offered, Merge, Merged},
		{Open, Know, Known}, {Offered, PutAside, SetAside}, {Open, Reject, Rejected}, {Offered, Expire, Expired},
		{Saved, TakeBack, SetAside}, {Merged, TakeBack, SetAside}, {Known, TakeBack, SetAside},
		{Saved, Offer, ""}, {Saved, Save, ""}, {Saved, Expire, ""}, {SetAside, Offer, ""}, {Rejected, Offer, ""},
		{Expired, Offer, ""}, {SetAside, Save, Saved}, {Rejected, Save, Saved}, {Expired, Save, Saved},
		{Open, TakeBack, ""}, {Rejected, TakeBack, ""},
	} {
		to, err := c.from.Next(c.act)
		if (err == nil) != (c.to != "") || err == nil && to != c.to {
			t.Errorf("%s takes %s: %s, %v; want %q", c.from, c.act, to, err, c.to)
		}
	}
}

func TestWhatIsTakenBackIsNeverOfferedAgain(t *testing.T) {
	for _, s := range States() {
		back, err := s.Next(TakeBack)
		if err != nil {
			continue
		}
		if _, err := back.Next(Offer); err == nil {
			t.Errorf("%s, taken back, is %s and can be offered", s, back)
		}
	}
}

func TestLinesRoundTrip(t *testing.T) {
	var b Book
	f := one(1, "we use Postgres \u2028 \"quoted\" <b>")
	f.Kind, f.Target, f.Explicit, f.Moment = Change, "#7", true, memory.Progress
	turn := Turn{At: day, Session: "s", Mark: Mark{1, 2, 300, "tail", "u1", "said"}, Findings: []Finding{f, one(2, "b")}}
	move := Move{At: day.Add(time.Hour), Session: "s2", Act: Save, Numbers: []int{1}, To: "decisions/x.json", By: "agent", Why: "w"}
	lines := move.Append(turn.Append(nil, 1), 3)
	if broken, err := b.Load(lines); broken != 0 || err != nil {
		t.Fatal(broken, err)
	}
	got, _ := b.Find(1)
	want := Status{Finding: f, State: Saved, Since: move.At, To: move.To, Why: "w", MovedBy: "agent"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if m, ok := b.Mark("s"); !ok || m != turn.Mark {
		t.Errorf("mark %+v", m)
	}
	var again Book
	if broken, err := again.Load(b.Append(nil, nil)); broken != 0 || err != nil {
		t.Fatal(broken, err)
	}
	if !reflect.DeepEqual(b, again) {
		t.Errorf("a rewritten journal says something else:\n%+v\n%+v", b, again)
	}
	if n, ok := NextNumber(append(lines, "{\"next\":9"...)); !ok || n != 3 {
		t.Errorf("next number behind a torn line: %d, %t", n, ok)
	}
}

func TestBrokenLinesCostThemselves(t *testing.T) {
	var b Book
	lines := Turn{At: day, Session: "s", Findings: []Finding{one(1, "a")}}.Append(nil, 1)
	lines = append(lines, "{\"version\":1,\"line\":\"turn\",\"findings\":[{\"number\":2\n\x00\x00junk\n{\"version\":2,\"line\":\"x\"}\n"...)
	lines = Move{At: day, Act: Reject, Numbers: []int{1, 5}}.Append(lines, 2)
	broken, err := b.Load(lines)
	if broken != 2 || err == nil {
		t.Errorf("%d broken lines, error %v; want 2 and a newer version", broken, err)
	}
	if s, _ := b.Find(1); s.State != Rejected || b.Len() != 1 {
		t.Errorf("%+v", s)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(Turn{At: day, Session: "s", Mark: Mark{Offset: 4}, Findings: []Finding{one(1, "a")}}.Append(nil, 1))
	f.Add(Move{At: day, Act: Save, Numbers: []int{1}}.Append(nil, 2))
	f.Add(Status{Finding: one(3, "c"), State: Expired}.append(nil, 4))
	f.Fuzz(func(t *testing.T, lines []byte) {
		var b, again Book
		b.Load(lines)
		written := b.Append(nil, nil)
		if broken, err := again.Load(written); broken != 0 || err != nil {
			t.Fatalf("%d broken, %v in what was written:\n%s", broken, err, written)
		}
		if !bytes.Equal(again.Append(nil, nil), written) {
			t.Fatal("written twice, it differs")
		}
	})
}

// TestEveryFindingIsInOneState drives a book by random turns and acts, through
// its lines and through rewriting, and checks the sum.
func TestEveryFindingIsInOneState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Book
		var lines []byte
		noticed := 0
		aside := map[int]bool{}
		now := day
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(-60, 600).Draw(t, "clock")) * time.Minute)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				turn := Turn{At: now, Session: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "session")}
				for range rapid.IntRange(0, 4).Draw(t, "findings") {
					turn.Findings = append(turn.Findings, one(b.Next()+len(turn.Findings), fmt.Sprint("text ", noticed)))
					noticed++
				}
				lines = turn.Append(lines, b.Next())
				if err := b.AddTurn(turn); err != nil {
					t.Fatal(err)
				}
			case 2, 3:
				m := Move{At: now, Session: "a", Act: rapid.SampledFrom(Acts()).Draw(t, "act"), To: "decisions/x.json",
					Numbers: rapid.SliceOfN(rapid.IntRange(0, b.Next()), 1, 5).Draw(t, "numbers")}
				lines = m.Append(lines, b.Next())
				for _, n := range b.AddMove(m) {
					if s, _ := b.Find(n); m.Act == Offer && aside[n] {
						t.Fatalf("finding %d was taken back and is offered: %+v", n, s)
					}
					if m.Act == TakeBack {
						aside[n] = true
					} else if m.Act == Save || m.Act == Merge || m.Act == Know {
						delete(aside, n)
					}
				}
			case 4:
				for _, s := range b.Due(now, Ages{Sure: 60 * 24 * time.Hour, Candidate: 14 * 24 * time.Hour}) {
					m := Move{At: now, Act: Expire, Numbers: []int{s.Number}, By: "keepsake"}
					lines = m.Append(lines, b.Next())
					b.AddMove(m)
				}
			case 5: // the journal is rewritten
				b.Forget(now, Ages{Text: time.Hour})
				lines = b.Append(nil, nil)
			}
		}
		var again Book
		if broken, err := again.Load(lines); broken != 0 || err != nil {
			t.Fatalf("%d broken lines, %v", broken, err)
		}
		if !reflect.DeepEqual(b.Each(nil), again.Each(nil)) || b.Next() != again.Next() {
			t.Fatal("the lines say something else than the book")
		}
		sum := 0
		for n := range maps.Values(b.Count()) {
			sum += n
		}
		if sum != noticed || b.Len() != noticed {
			t.Fatalf("%d noticed, %d in all states", noticed, sum)
		}
		for _, s := range b.Waiting() {
			if s.Text == "" {
				t.Fatalf("finding %d waits and has no text", s.Number)
			}
		}
	})
}
