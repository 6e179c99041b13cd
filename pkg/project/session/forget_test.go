package session

import (
	"context"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
)

// TestErasingBringsNothingBack: a turn that does not count, since its numbers are taken,
// does not count after something was erased either.
func TestErasingBringsNothingBack(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	noticed(t, s, now, finding.Sure, "we use Postgres", "we use pnpm")
	moved(t, s, now, finding.Reject, 1)
	now = now.Add(40 * day)
	if err := s.rewriteJournal(now); err != nil {
		t.Fatal(err)
	}
	_, err := s.Journal().Append(context.Background(), true, func([]byte) ([]byte, error) {
		again := finding.Finding{Number: 1, Text: "we use Postgres", Session: "s1", Level: finding.Sure}
		return finding.Turn{At: now, Session: "s1", Findings: []finding.Finding{again}}.Append(nil, 3), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	erased, err := s.EraseFindings(finding.Erasure{Numbers: []int{2}}, "person", now)
	if err != nil || len(erased) != 1 {
		t.Fatal(erased, err)
	}
	if f, found := bookNow(t, s).Find(1); found {
		t.Errorf("finding 1 is %s again", f.State)
	}
	if f, _ := whole(t, s).Find(1); f.State != finding.Rejected {
		t.Errorf("finding 1 is %s", f.State)
	}
	if broken, err := s.BrokenFindings(); broken != 1 || err != nil {
		t.Errorf("%d lines can't be read, %v; want the one from before", broken, err)
	}
	if numbers := noticed(t, s, now, finding.Sure, "we use Go"); len(numbers) != 1 || numbers[0] != 3 {
		t.Errorf("the next number is %v", numbers)
	}
}

// TestErasingAgesNothing: what was noticed while the clock was set back is as old after
// something was erased as before.
func TestErasingAgesNothing(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	now := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	if err := s.syncJournal(context.Background(), now); err != nil {
		t.Fatal(err)
	}
	noticed(t, s, now.Add(-80*day), finding.Sure, "we use Postgres", "we use pnpm", "we use Go")
	now = now.Add(day)
	due := func() []int { return finding.Numbers(bookNow(t, s).Due(now, s.ages())) }
	if n := due(); len(n) > 0 {
		t.Fatal("due before:", n)
	}
	// The clock is still set back, and then it is right.
	for number, at := range []time.Time{now.Add(-80 * day), now} {
		if _, err := s.EraseFindings(finding.Erasure{Numbers: []int{number + 1}}, "person", at); err != nil {
			t.Fatal(err)
		}
		if n := due(); len(n) > 0 {
			t.Errorf("due after %d was erased: %v", number+1, n)
		}
	}
}

func bookNow(t *testing.T, s *Session) *finding.Book {
	t.Helper()
	book, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	return book
}
