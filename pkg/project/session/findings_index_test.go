package session

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
)

// talked has a session of its own notice n other things, each with some bytes that explain it.
func talked(t *testing.T, id string, n, explained int) {
	t.Helper()
	s := open1(t, id)
	var found []finding.Finding
	for i := range n {
		found = append(found, finding.Finding{
			Text: fmt.Sprintf("Module %d of %s is named after bird %d.", i, id, 7*i), By: finding.Typed,
			Session: id, Record: fmt.Sprint(id, i), Category: memory.Preference, Level: finding.Sure,
			Origin: finding.FromPerson, Time: time.Now().UTC(),
			Context: []finding.Line{{By: finding.Agent, Text: strings.Repeat("long ", explained/5)}},
		})
	}
	err := s.Update(func(st *stage.State) error {
		_, err := s.AddFindings(st, transcript.Mark{Offset: int64(n)}, found, time.Now().UTC())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// begun is a session that begins as the hooks have it: its start reads the journal whole.
func begun(t *testing.T, id string) *Session {
	t.Helper()
	s := open1(t, id)
	if _, err := s.Book(); err != nil {
		t.Fatal(err)
	}
	s = open1(t, id) // another process
	s.hook = true
	return s
}

// TestFarBackInTheJournal: what other sessions noticed is known however much stands
// behind it in the journal, whether it waits or was settled.
func TestFarBackInTheJournal(t *testing.T) {
	const (
		waits    = "We keep the billing jobs in Postgres, since Redis lost them on restart."
		rejected = "Never mock the database in integration tests."
		saved    = "The staging cluster is called heron and runs in Frankfurt."
	)
	for name, between := range map[string]int{"a little behind": 100, "far behind": 390} {
		for _, starts := range []bool{true, false} {
			if !starts && between > 100 {
				continue // a hook reads only so much of the journal
			}
			t.Run(fmt.Sprint(name, starts), func(t *testing.T) {
				home(t)
				before := open1(t, "s0")
				now := time.Now().UTC()
				for _, text := range []string{waits, rejected, saved} {
					if _, err := before.NoteFindings([]finding.Finding{saidBefore(text)}, now); err != nil {
						t.Fatal(err)
					}
				}
				moved(t, before, now, finding.Reject, 2)
				if err := before.MoveFindings(finding.Move{At: now, Act: finding.Save, Numbers: []int{3},
					To: "decisions/heron.json", By: "agent"}); err != nil {
					t.Fatal(err)
				}
				talked(t, "s1", between, 1800*between/100)
				s := open1(t, "s2")
				if starts {
					s = begun(t, "s2")
				}
				s.hook = true
				if size := s.Journal().Size(); size < recentBytes*3/2 || between > 100 && size < 2*readAhead {
					t.Fatalf("a journal of only %d bytes", size)
				}
				f, found, err := heardAbout(s, "where do the billing jobs live, redis or postgres?",
					records.Floor)
				if err != nil || !found || f.Number != 1 {
					t.Errorf("a prompt brings %d %q, %v", f.Number, f.Text, err)
				}
				subjects, err := s.subjects("I changed my mind, keep the billing jobs in Redis.", false)
				is := func(c change.Subject) bool { return c.Ref == "#1" && c.Text == waits }
				if err != nil || !slices.ContainsFunc(subjects, is) {
					t.Errorf("what a change is held against: %d subjects without it, %v", len(subjects), err)
				}
				again := func(text string) []finding.Finding {
					f := saidBefore(text)
					f.Session, f.Record = s.ID, "r-"+text
					return []finding.Finding{f}
				}
				for _, text := range []string{rejected, "OK, " + saved} {
					if added, err := s.AddFindings(&s.State, transcript.Mark{Offset: 1}, again(text),
						now); err != nil || len(added) != 0 {
						t.Errorf("%q is noticed again: %v, %v", text, added, err)
					}
				}
				// What waits goes on in what is said now, so that it is there once.
				added, err := s.AddFindings(&s.State, transcript.Mark{Offset: 2}, again("So "+waits), now)
				if err != nil || len(added) != 1 {
					t.Fatal(added, err)
				}
				book := bookNow(t, s)
				if f, _ := book.Find(1); f.State != finding.Merged || f.To != FindingPath(added[0].Number) {
					t.Errorf("the first is %s, %s", f.State, f.To)
				}
				if added, err := s.AddFindings(&s.State, transcript.Mark{Offset: 3}, again(waits),
					now); err != nil || len(added) != 0 {
					t.Errorf("and is noticed once more: %v, %v", added, err)
				}
			})
		}
	}
}

// TestTheIndexIsBounded: of very many findings the newest are searched, and what was said
// is known of more.
func TestTheIndexIsBounded(t *testing.T) {
	home(t)
	for i := range (maxOpen + maxEnded + 50) / 50 {
		talked(t, fmt.Sprint("s1", i), 50, 5)
	}
	s := begun(t, "s2")
	x, err := s.indexedFindings(true)
	if err != nil {
		t.Fatal(err)
	}
	count := func(lines []byte) (n, first int) {
		n = strings.Count(string(lines), "\n")
		first, _ = finding.Peek(lines)
		return n, first
	}
	if n, first := count(x.open); n != maxOpen || first != maxEnded+51 || x.index.Len() != maxOpen {
		t.Errorf("%d wait from %d on, %d searched", n, first, x.index.Len())
	}
	if n, first := count(x.ended); n != maxEnded || first != 51 {
		t.Errorf("%d more from %d on", n, first)
	}
	talked(t, "s3", 30, 5) // and each that comes takes the place of one
	if x, err = s.indexedFindings(true); err != nil {
		t.Fatal(err)
	}
	if n, first := count(x.open); n != maxOpen || first != maxEnded+81 || x.index.Len() != maxOpen {
		t.Errorf("then %d wait from %d on, %d searched", n, first, x.index.Len())
	}
	if n, first := count(x.ended); n != maxEnded || first != 81 {
		t.Errorf("then %d more from %d on", n, first)
	}
}

// TestTheIndexAfterAPowerCut knows nothing of what a power cut took, though as much stands
// there again.
func TestTheIndexAfterAPowerCut(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	noticed(t, s, time.Now().UTC(), finding.Sure, "we use pnpm")
	size := s.Journal().Size()
	noticed(t, s, time.Now().UTC(), finding.Sure, "we use Postgres for the jobs")
	begun(t, "s2")
	if err := os.Truncate(string(s.Journal()), size); err != nil {
		t.Fatal(err)
	}
	noticed(t, open1(t, "s1"), time.Now().UTC(), finding.Sure, "we use Nomad and never Kubernetes at all")
	x, err := open1(t, "s3").indexedFindings(false)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := x.withNumbers(2); err != nil || len(all) != 1 ||
		all[0].Text != "we use Nomad and never Kubernetes at all" {
		t.Errorf("finding 2 is %+v, %v", all, err)
	}
}

// TestTheIndexFollowsARewrittenJournal also where a hook meets it first.
func TestTheIndexFollowsARewrittenJournal(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	now := time.Now().UTC()
	noticed(t, s, now.Add(-100*day), finding.Sure, "we use pnpm", "we use Postgres for the jobs")
	begun(t, "s2")
	moved(t, s, now.Add(-100*day), finding.Reject, 1)
	if err := s.rewriteJournal(now); err != nil {
		t.Fatal(err)
	}
	x, err := open1(t, "s3").indexedFindings(true)
	if err != nil || strings.Contains(string(x.open), "pnpm") ||
		!strings.Contains(string(x.open), "Postgres") {
		t.Errorf("%s, %v", x.open, err)
	}
}
