package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
)

// saidBefore is a sure statement of the person in another session.
func saidBefore(text string) finding.Finding {
	return finding.Finding{
		Text: text, By: finding.Typed, Origin: finding.FromPerson, Session: "s0", Level: finding.Sure,
		Category: memory.Decision,
		Time:     time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		Context:  []finding.Line{{By: finding.Agent, Text: "Where do they live?"}},
	}
}

func heardAbout(s *Session, prompt string, floor float64) (f FoundFinding, found bool, err error) {
	l, err := s.Hearing()
	if err != nil {
		return f, false, err
	}
	return l.About(prompt, floor, nil)
}

// TestHeard: a prompt brings what was said about it, and a prompt about something else
// nothing.
func TestHeard(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	texts := []string{
		"We keep the billing jobs in Postgres, since Redis lost them on restart.",
		"The staging cluster is called heron and runs in Frankfurt.",
		"Never mock the database in integration tests.",
		"Commit messages are imperative and name the area first.",
	}
	for _, text := range texts {
		if _, err := s.AddFindings(&s.State, transcript.Mark{}, []finding.Finding{saidBefore(text)},
			time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for prompt, want := range map[string]int{
		"where do the billing jobs live, redis or postgres?": 1,
		"how do I reach the staging cluster in frankfurt":    2,
		"write an integration test with a mock database":     3,
		"fix the typo in the readme":                         0,
		"run the tests":                                      0,
		"please add a button to the settings page":           0,
		"thanks, that works":                                 0,
		"what's the weather like in Paris":                   0,
		"commit this":                                        0,
		"refactor this function so that it returns an error": 0,
	} {
		for range 2 { // from the journal, then from the cache
			f, found, err := heardAbout(s, prompt, records.Floor)
			if err != nil || found != (want > 0) || f.Number != want {
				t.Errorf("%q: %d %q %.2f, %v; want %d", prompt, f.Number, f.Text, f.Score, err, want)
			}
		}
	}
}

// TestOverruledIsNotHeard: of two statements about one thing that wait, the newer one is told.
func TestOverruledIsNotHeard(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	for i, text := range []string{
		"We decided to set the request timeout to 30 seconds because the proxy cuts at 60.",
		"We decided to set the request timeout to 20 seconds because the proxy cuts at 60.",
	} {
		f := saidBefore(text)
		f.Time = f.Time.Add(time.Duration(i) * time.Hour)
		if _, err := s.AddFindings(&s.State, transcript.Mark{}, []finding.Finding{f}, f.Time); err != nil {
			t.Fatal(err)
		}
	}
	f, found, err := heardAbout(s, "what is the request timeout?", records.Floor)
	if err != nil || !found || f.Number != 2 {
		t.Errorf("%d %q, %v; want the newer one", f.Number, f.Text, err)
	}
}

// TestALittleNewsIsNotWritten: a prompt right after a turn finds what was said in it, and
// does not write the whole cache for that.
func TestALittleNewsIsNotWritten(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	written := ""
	say := func(text string, explained int, writes bool) {
		t.Helper()
		f := saidBefore(text)
		f.Context[0].Text = strings.Repeat("Where? ", explained/7)
		added, err := s.NoteFindings([]finding.Finding{f}, time.Now())
		if err != nil || len(added) != 1 {
			t.Fatal(added, err)
		}
		found, is, err := heardAbout(s, text, records.Floor)
		if err != nil || !is || found.Number != added[0].Number {
			t.Errorf("%.20q: %d, %v; want %d", text, found.Number, err, added[0].Number)
		}
		now := string(readFile(t, s.indexPath()))
		if (now != written) != writes {
			t.Errorf("%.20q: the cache was written: %t", text, now != written)
		}
		written = now
	}
	say("We keep the billing jobs in Postgres.", 100, true)
	say("The staging cluster is called heron.", 100, false)
	say("Never mock the database in integration tests.", 100, false)
	say("Invoices go out on Fridays.", unwritten, true)
	say("Commit messages name the area first.", 100, false)
}

// TestHeardFollowsTheJournal drives a journal by random turns, moves and rewritings and
// holds what a prompt is held against to what the journal says.
func TestHeardFollowsTheJournal(t *testing.T) {
	home(t)
	runs, repeats := 0, 0
	defer func() {
		if repeats < runs {
			t.Errorf("%d findings looked up by what they say, in %d runs", repeats, runs)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		runs++
		s, err := Open(Call{ID: "s1", Cwd: "/"})
		if err != nil {
			t.Fatal(err)
		}
		s.Dirs.State += fmt.Sprint("-", runs)
		s.Dirs.Cache += fmt.Sprint("-", runs)
		n := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				var found []finding.Finding
				for range rapid.IntRange(1, 3).Draw(t, "findings") {
					n++
					f := saidBefore(fmt.Sprint("We keep thing ", n, " as it is."))
					f.By = rapid.SampledFrom([]finding.Speaker{finding.Typed, finding.Chosen,
						finding.Agent}).Draw(t, "by")
					f.Level = rapid.SampledFrom([]finding.Level{finding.Sure, finding.Sure,
						finding.Candidate}).Draw(t, "level")
					if target := rapid.IntRange(-6, n).Draw(t, "target"); target > 0 {
						f.Kind, f.Target = finding.Change, FindingPath(target)
					}
					found = append(found, f)
				}
				if _, err := s.AddFindings(&s.State, transcript.Mark{}, found, time.Now()); err != nil {
					t.Fatal(err)
				}
			case 2, 3:
				m := finding.Move{At: time.Now(), Act: rapid.SampledFrom([]finding.Act{finding.Offer,
					finding.Save, finding.Merge, finding.Know, finding.PutAside, finding.Reject,
					finding.Expire,
					finding.TakeBack}).Draw(t, "act"),
					Numbers: []int{rapid.IntRange(1, n+1).Draw(t, "number")}}
				if err := s.MoveFindings(m); err != nil {
					t.Fatal(err)
				}
			case 4:
				ctx, cancel := s.lockContext()
				err := s.Journal().Rewrite(ctx, func(lines []byte) ([]byte, error) {
					var b finding.Book
					b.Load(lines)
					return b.Append(nil, nil), nil
				})
				cancel()
				if err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "prompt") {
				continue
			}
			book, err := s.Book()
			if err != nil {
				t.Fatal(err)
			}
			denied := Denied(book)
			want := map[string]string{}
			for _, f := range book.Each(func(f finding.Status) bool {
				return isTellable(f) &&
					!denied[f.Number]
			}) {
				want[FindingPath(f.Number)] = f.Text
			}
			h, err := s.indexedFindings(false)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			if h != nil {
				err = h.index.Each(func(e records.Entry) bool {
					if e.Status == memory.Active {
						got[e.Path] = e.Title
					}
					return true
				})
			}
			if err != nil || !maps.Equal(got, want) {
				t.Fatalf("%v, %v; want %v", slices.Sorted(maps.Keys(got)), err,
					slices.Sorted(maps.Keys(want)))
			}
			all := book.Each(nil)
			var said []finding.Finding
			for _, f := range all {
				said = append(said, finding.Finding{Digest: f.Digest})
			}
			known, err := s.withEarlier(&finding.Book{}, said)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range known.Each(nil) {
				if b, _ := book.Find(f.Number); b.State != f.State || b.To != f.To || b.Digest != f.Digest ||
					b.Level != f.Level || b.By != f.By {
					t.Fatalf("%+v is %+v", b, f)
				}
				repeats++
			}
			for path := range got {
				number, _ := findingNumber(path)
				if f, err := h.withNumbers(number); len(f) != 1 || err != nil || f[0].Text != want[path] ||
					f[0].Session != "s0" || f[0].Context != nil {
					t.Fatalf("%+v, %v", f, err)
				}
			}
		}
	})
}

// TestNoticedFrom: whose words a statement is, by whose the prompts of its session are.
func TestNoticedFrom(t *testing.T) {
	for _, c := range []struct {
		prompts finding.Origin
		by      finding.Speaker
		marked  transcript.Marked
		want    finding.Origin
	}{
		{finding.FromPerson, finding.Typed, transcript.ByHand, finding.FromPerson},
		{finding.FromPerson, finding.Typed, transcript.Unmarked, finding.FromAgent},
		{finding.FromPerson, finding.Typed, transcript.BySDK, finding.Tainted},
		{finding.FromPerson, finding.Agent, transcript.Unmarked, finding.FromAgent},
		{finding.FromAgent, finding.Typed, transcript.BySDK, finding.FromAgent},
		{finding.NoOrigin, finding.Typed, transcript.BySDK, finding.NoOrigin},
	} {
		if got := originOf(c.prompts, c.by, c.marked); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestAPlanIsNotHeard: what a person chose is told, but not a plan before it was judged.
func TestAPlanIsNotHeard(t *testing.T) {
	chosen := finding.Status{State: finding.Open,
		Finding: finding.Finding{Text: "We keep Postgres for billing.",
			By: finding.Chosen, Level: finding.Sure, Origin: finding.FromPerson,
			Context: []finding.Line{{By: finding.Chosen, Role: finding.Answer, Text: "Postgres"}}}}
	if !isTellable(chosen) {
		t.Error("what was chosen is not told")
	}
	chosen.Context = []finding.Line{{By: finding.Agent, Role: finding.Plan, Text: chosen.Text}}
	if isTellable(chosen) {
		t.Error("a plan is told before it was judged")
	}
}
