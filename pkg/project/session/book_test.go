package session

import (
	"os"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
)

// TestTheJournalIsReadOnce: whoever asks again gets what was read before, and of what was
// written meanwhile only that is added.
func TestTheJournalIsReadOnce(t *testing.T) {
	home(t)
	s, other := open1(t, "s1"), open1(t, "s2")
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	same := func(read func() (*finding.Book, error)) *finding.Book {
		t.Helper()
		first, err := read()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := read(); err != nil || again != first {
			t.Errorf("read twice: %v", err)
		}
		return first
	}
	states := func(b *finding.Book) (all string) {
		for _, f := range b.Each(nil) {
			all += string(f.State) + " "
		}
		return all
	}
	if b := same(s.Recent); b.Len() != 0 {
		t.Error("there is no journal yet")
	}
	noticed(t, other, now, finding.Sure, "we use Postgres", "we use pnpm")
	recent, before := same(s.Recent), same(s.Book)
	if states(recent) != "open open " || states(before) != "open open " {
		t.Errorf("recent %s, all %s", states(recent), states(before))
	}
	moved(t, other, now, finding.Reject, 1)
	noticed(t, other, now, finding.Sure, "we use Go")
	if got := states(same(s.Book)); got != "rejected open open " {
		t.Error("after what another session wrote:", got)
	}
	if got := states(before); got != "open open " {
		t.Error("a book changed under whoever has it:", got)
	}
	whole(t, s)
	if err := other.rewriteJournal(now.Add(100 * day)); err != nil {
		t.Fatal(err)
	}
	if got := states(same(s.Book)); got != "open open " {
		t.Error("after the journal was rewritten:", got)
	}
	if got := states(same(s.Recent)); got != "open open " {
		t.Error("at its end after it was rewritten:", got)
	}
	if err := os.Truncate(string(s.Journal()), s.Journal().Size()/2); err != nil {
		t.Fatal(err)
	}
	cut, err := loadBook(s.Journal())
	if err != nil || states(same(s.Book)) != states(cut) {
		t.Error("after a power cut:", states(same(s.Book)), err)
	}
	if err := os.Remove(string(s.Journal())); err != nil {
		t.Fatal(err)
	}
	if b := same(s.Book); b.Len() != 0 {
		t.Error("after the journal went:", states(b))
	}
}

// TestABookOfNewerLines has what can be read, and says each time that there is more.
func TestABookOfNewerLines(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	noticed(t, s, now, finding.Sure, "we use Postgres")
	f, err := os.OpenFile(string(s.Journal()), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"version":9,"line":"turn","next":9}` + "\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if b, err := s.Book(); b.Len() != 1 || err == nil {
			t.Errorf("%d findings, %v", b.Len(), err)
		}
	}
}
