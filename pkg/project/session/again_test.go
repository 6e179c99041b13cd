package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// TestSaidAgain: what is said twice is one finding, in the person's words and as sure as
// the surer one, and no session is offered it twice.
func TestSaidAgain(t *testing.T) {
	type line struct {
		by       finding.Speaker
		text     string
		level    finding.Level
		explicit bool
	}
	person := func(text string) line { return line{finding.Typed, text, finding.Sure, false} }
	maybe := func(text string) line { return line{finding.Typed, text, finding.Candidate, false} }
	asked := func(text string) line { return line{finding.Typed, text, finding.Sure, true} }
	agent := func(text string) line { return line{finding.Agent, text, finding.Sure, false} }
	const d = "We keep the billing jobs in Postgres"
	for name, tt := range map[string]struct {
		said []line
		want []string // what waits at the end, and how sure
		told int      // how often something was offered
	}{
		"a full stop": {[]line{person(d), person(d + ".")}, []string{d + " sure"}, 1},
		"other quotes": {[]line{person("Call it 'heron' in staging"),
			person("call it “heron” in staging")}, []string{"Call it 'heron' in staging sure"}, 1},
		"remember": {[]line{person(d), asked("Remember: " + d)}, []string{d + " sure"}, 1},
		"remember first": {[]line{asked("Remember: " + d), person(d)},
			[]string{"Remember: " + d + " sure"}, 1},
		"an echo": {[]line{person(d), agent("OK, so we keep the billing jobs in Postgres.")},
			[]string{d + " sure"}, 1},
		"a shorter echo": {[]line{person(d + ", because they must survive a restart"),
			agent("Understood: " + d)}, []string{d + ", because they must survive a restart sure"}, 1},
		"the agent first": {[]line{agent("We keep the billing jobs in Postgres."), person(d)},
			[]string{d + " sure"}, 1},
		"from a candidate": {[]line{maybe(d),
			person("Please note that we keep the billing jobs in Postgres")},
			[]string{"Please note that we keep the billing jobs in Postgres sure"}, 1},
		"a guess, and an echo": {[]line{maybe(d), agent("Decision: we keep the billing jobs in Postgres")},
			[]string{d + " candidate", "Decision: we keep the billing jobs in Postgres sure"}, 1},
		"a guess, and echoes": {[]line{maybe(d), agent("OK, " + d), agent("So " + d + ".")},
			[]string{d + " candidate", "OK, " + d + " sure"}, 1},
		"other words": {[]line{person(d), person("Our billing jobs are kept in Postgres")},
			[]string{d + " sure"}, 1},
		"an echo that adds": {[]line{person(d),
			agent("OK, so we keep the billing jobs in Postgres with PgBouncer.")},
			[]string{d + " sure", "OK, so we keep the billing jobs in Postgres with PgBouncer. sure"}, 2},
		"a reason": {[]line{person(d), asked(d + " because Redis lost them")},
			[]string{d + " sure", d + " because Redis lost them sure"}, 2},
		"the opposite": {[]line{person(d), person("We don't keep the billing jobs in Postgres")},
			[]string{d + " sure", "We don't keep the billing jobs in Postgres sure"}, 2},
		"a name like C#": {[]line{person("Write the plugin in C++"), person("Write the plugin in C#")},
			[]string{"Write the plugin in C++ sure", "Write the plugin in C# sure"}, 2},
		"another number": {[]line{person("Keep backups for 30 days"), person("Keep backups for 90 days")},
			[]string{"Keep backups for 30 days sure", "Keep backups for 90 days sure"}, 2},
	} {
		for _, apart := range []bool{false, true} { // in one turn, and in one each
			t.Run(fmt.Sprint(name, apart), func(t *testing.T) {
				home(t)
				s := open1(t, "s1")
				told, offset := 0, int64(0)
				end := func(found []finding.Finding) {
					err := s.Update(func(st *stage.State) error {
						_, err := s.AddFindings(st, transcript.Mark{Offset: offset}, found, time.Now().UTC())
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					book, _ := s.Recent()
					statements, _ := s.Waiting(book, false)
					statements = slices.DeleteFunc(statements,
						func(f finding.Status) bool { return f.Told == s.ID })
					told += len(statements)
					if err := s.MoveFindings(finding.Move{Act: finding.Offer,
						Numbers: finding.Numbers(statements)}); err != nil {
						t.Fatal(err)
					}
				}
				var found []finding.Finding
				for i, l := range tt.said {
					offset++
					found = append(found, finding.Finding{Text: l.text, By: l.by, Level: l.level,
						Explicit: l.explicit,
						Session:  s.ID, Category: memory.Decision, Record: fmt.Sprint("r", i), Offset: offset,
						Time: time.Now().UTC()})
					if apart {
						end(found)
						found = nil
					}
				}
				if !apart {
					end(found)
				}
				book, err := s.Book()
				if err != nil {
					t.Fatal(err)
				}
				var waits []string
				for _, f := range book.Waiting() {
					waits = append(waits, f.Text+" "+string(f.Level))
				}
				want := slices.Clone(tt.want)
				if !apart && len(want) == 1 && tt.said[0].by.Person() { // the first words stay
					want[0] = tt.said[0].text + " sure"
				}
				if !slices.Equal(waits, want) {
					t.Errorf("waits %q, want %q", waits, want)
				}
				if told != tt.told {
					t.Errorf("offered %d, want %d", told, tt.told)
				}
				sum := 0
				for _, n := range book.Count() {
					sum += n
				}
				if sum != book.Len() || len(book.Each(nil)) != sum {
					t.Errorf("%d in all states, %d noticed", sum, book.Len())
				}
			})
		}
	}
}

// TestAskedForAgain: what the person asks for that a memory has already is that memory,
// and is a finding of its own once the memory is gone.
func TestAskedForAgain(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	note := func(text string) int {
		t.Helper()
		f := saidBefore(text)
		f.Explicit, f.Session = true, s.ID
		noted, err := s.NoteFindings([]finding.Finding{f}, time.Now())
		if err != nil || len(noted) != 1 {
			t.Fatal(noted, err)
		}
		return noted[0].Number
	}
	first := note("We keep the billing jobs in Postgres")
	if err := s.MoveFindings(finding.Move{Act: finding.Save, Numbers: []int{first},
		To: "decisions/none.json"}); err != nil {
		t.Fatal(err)
	}
	if again := note("Remember: we keep the billing jobs in Postgres."); again == first {
		t.Error("the memory is not there, and what was asked for is said to be kept")
	}
	second := note("Staging is called heron")
	if err := s.MoveFindings(finding.Move{Act: finding.Know, Numbers: []int{second},
		To: "/home/x/memory/staging.md"}); err != nil {
		t.Fatal(err)
	}
	if again := note("OK, remember: staging is called heron"); again != second {
		t.Errorf("%d, want %d", again, second)
	}
}
