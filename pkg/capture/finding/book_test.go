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
	return Finding{Number: n, Text: text, By: Typed, Session: "s", Record: "u1", Offset: 12, Time: day,
		Branch:   "main",
		Category: memory.Decision, Score: .625, Cue: "we decided", Level: Sure, Origin: FromPerson,
		Digest:  Digest(text),
		Context: []Line{{Agent, Said, "Redis or Postgres?"}, {Typed, Answer, "the second"}}}
}

var acts = []Act{Offer, Save, Merge, Know, PutAside, Reject, Expire, TakeBack, Tell, Warn}

func TestTransitions(t *testing.T) {
	// Each act has at least one state that allows it, and every end but the kept
	// ones can still be saved by a person.
	for _, a := range acts {
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
		{Open, Know, Known}, {Offered, PutAside, SetAside}, {Open, Reject, Rejected},
		{Offered, Expire, Expired},
		{Saved, TakeBack, SetAside}, {Merged, TakeBack, SetAside}, {Known, TakeBack, SetAside},
		{Saved, Offer, ""}, {Saved, Save, ""}, {Saved, Expire, ""}, {SetAside, Offer, ""},
		{Rejected, Offer, ""},
		{Expired, Offer, ""}, {SetAside, Save, Saved}, {Rejected, Save, Saved}, {Expired, Save, Saved},
		{Open, Tell, Open}, {Offered, Tell, Offered}, {Open, Warn, Open}, {Offered, Warn, Offered},
		{Saved, Tell, ""}, {Expired, Warn, ""},
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
	turn := Turn{At: day, Session: "s", Mark: Mark{1, 2, 300, "tail", "u1", "said"},
		Findings: []Finding{f, one(2, "b")}}
	move := Move{At: day.Add(time.Hour), Session: "s2", Act: Save, Numbers: []int{1}, To: "decisions/x.json",
		By: "agent", Why: "w"}
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
	if !reflect.DeepEqual(b.Each(nil), again.Each(nil)) || !reflect.DeepEqual(b.marks, again.marks) ||
		b.Next() != again.Next() {
		t.Errorf("a rewritten journal says something else:\n%+v\n%+v", b, again)
	}
	if n, ok := NextNumber(append(lines, "{\"next\":9"...)); !ok || n != 3 {
		t.Errorf("next number behind a torn line: %d, %t", n, ok)
	}
}

func TestBrokenLinesCostThemselves(t *testing.T) {
	var b Book
	lines := Turn{At: day, Session: "s", Findings: []Finding{one(1, "a")}}.Append(nil, 1)
	lines = append(lines,
		"{\"version\":1,\"line\":\"turn\",\"findings\":[{\"number\":2\n\x00\x00junk\n"+
			"{\"version\":2,\"line\":\"x\"}\n"...)
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
	f.Add(Status{Finding: one(3, "c"), State: Expired}.Append(nil, 4))
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
		var lines, settled []byte
		noticed := 0
		aside := map[int]bool{}
		now := day
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(-60, 600).Draw(t, "clock")) * time.Minute)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				turn := Turn{At: now, Session: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "session")}
				for range rapid.IntRange(0, 4).Draw(t, "findings") {
					turn.Findings = append(turn.Findings, one(b.Next()+len(turn.Findings),
						fmt.Sprint("text ", noticed)))
					noticed++
				}
				lines = turn.Append(lines, b.Next())
				if err := b.AddTurn(turn); err != nil {
					t.Fatal(err)
				}
			case 2, 3:
				m := Move{At: now, Session: "a", Act: rapid.SampledFrom(acts).Draw(t, "act"),
					To:      "decisions/x.json",
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
				m := Move{At: now, Act: Expire, By: "keepsake"}
				m.Numbers = Numbers(b.Due(now, Ages{Sure: 60 * 24 * time.Hour,
					Candidate: 14 * 24 * time.Hour}))
				lines = m.Append(lines, b.Next())
				b.AddMove(m)
			case 5: // the journal is rewritten, perhaps only half
				stay, gone := b.Split(now, Ages{Text: time.Hour})
				settled = gone.Append(settled, nil)
				if rapid.Bool().Draw(t, "killed") {
					continue
				}
				lines = Turn{At: now}.Append(stay.Append(nil, nil), stay.Next())
				b = Book{}
				if broken, err := b.Load(lines); broken != 0 || err != nil {
					t.Fatalf("%d broken lines, %v", broken, err)
				}
			}
		}
		var again, old Book
		for _, l := range []struct {
			book  *Book
			lines []byte
		}{{&again, lines}, {&old, settled}} {
			if broken, err := l.book.Load(l.lines); broken != 0 || err != nil {
				t.Fatalf("%d broken lines, %v", broken, err)
			}
		}
		if !reflect.DeepEqual(b.Each(nil), again.Each(nil)) || b.Next() != again.Next() {
			t.Fatal("the lines say something else than the book")
		}
		again.Fill(&old)
		sum := 0
		for n := range maps.Values(again.Count()) {
			sum += n
		}
		if sum != noticed || again.Len() != noticed {
			t.Fatalf("%d noticed, %d in all states", noticed, sum)
		}
		for _, s := range again.Waiting() {
			if s.Text == "" {
				t.Fatalf("finding %d waits and has no text", s.Number)
			}
		}
	})
}

// TestClocks: neither a clock that was set back for a while nor one that ran ahead
// makes a finding older than it is.
func TestClocks(t *testing.T) {
	at := func(days int) time.Time { return day.AddDate(0, 0, days) }
	ages := Ages{Sure: 60 * 24 * time.Hour, Candidate: 14 * 24 * time.Hour, Text: 30 * 24 * time.Hour}
	var b Book
	add := func(days int) {
		f := one(b.Next(), fmt.Sprint(days))
		f.Time = at(days)
		if err := b.AddTurn(Turn{At: at(days), Session: "s", Findings: []Finding{f}}); err != nil {
			t.Fatal(err)
		}
	}
	add(100) // 1
	add(20)  // 2: the clock was set back by 80 days
	add(101) // 3
	add(900) // 4: it ran ahead
	add(102) // 5
	for now, want := range map[int][]int{30: nil, 103: nil, 160: nil, 161: {1, 2}, 165: {1, 2, 3, 5},
		950: {1, 2, 3}, 961: {1, 2, 3, 4, 5}} {
		if got := Numbers(b.Due(at(now), ages)); !slices.Equal(got, want) {
			t.Errorf("day %d: %v are due, want %v", now, got, want)
		}
	}
	b.AddMove(Move{At: at(10), Act: Reject, Numbers: []int{1}})
	b.AddMove(Move{At: at(103), Act: Reject, Numbers: []int{2}})
	for now, want := range map[int]int{11: 0, 120: 0, 131: 0, 133: 1, 134: 2} {
		stay, gone := b.Split(at(now), ages)
		if gone.Len() != want || stay.Len()+gone.Len() != b.Len() || stay.Next() != b.Next() {
			t.Errorf("day %d: %d go, want %d", now, gone.Len(), want)
		}
		for _, s := range gone.Each(nil) {
			if s.Text != "" || s.Context != nil || s.Digest == "" || s.State != Rejected {
				t.Errorf("kept %+v", s)
			}
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]int{"7": 7, "#7": 7, "[7]": 7, " [12] ": 12, "0": 0, "-3": 0, "": 0,
		"#":   0,
		"7 8": 0, "seven": 0, "kx3f2a": 0} {
		n, ok := ParseNumber(text)
		if ok != (want > 0) || ok && n != want {
			t.Errorf("%q: %d, %v, want %d", text, n, ok, want)
		}
	}
}

// TestThen: a book of an earlier time has what was said until then, in the state that it had.
func TestThen(t *testing.T) {
	at := func(hours int) time.Time { return day.Add(time.Duration(hours) * time.Hour) }
	later := one(2, "We use Go.")
	later.Time = at(4)
	var b Book
	for _, turn := range []Turn{{At: at(1), Findings: []Finding{one(1, "We use tabs.")}},
		{At: at(5), Findings: []Finding{later}}} {
		if err := b.AddTurn(turn); err != nil {
			t.Fatal(err)
		}
	}
	b.AddMove(Move{At: at(2), Act: Offer, Numbers: []int{1}})
	b.AddMove(Move{At: at(3), Act: Save, Numbers: []int{1}, To: "decisions/tabs.json"})
	last := -1
	for _, tt := range []struct {
		hours int
		want  map[State]int
	}{{-1, map[State]int{}}, {0, map[State]int{Open: 1}}, {3, map[State]int{Saved: 1}},
		{6, map[State]int{Saved: 1, Open: 1}}} {
		then, happened := b.Then(at(tt.hours))
		if got := then.Count(); !maps.Equal(got, tt.want) || happened <= last {
			t.Errorf("after %d hours: %v, %d happened; want %v, more than %d", tt.hours, got, happened,
				tt.want, last)
		}
		last = happened
	}
}
