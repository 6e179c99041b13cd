package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// TestSettleWritten: what a memory file says that was written since is known, and open again when the lines
// go.
func TestSettleWritten(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	now := time.Now().UTC()
	said := finding.Finding{Text: "We use Postgres because billing needs concurrent writers.",
		By: finding.Typed, Session: "s1", Time: now.Add(-time.Minute), Category: memory.Decision,
		Level: finding.Sure, Score: 0.9}
	asked := said
	asked.Text, asked.Explicit = "Remember: orders are kept in Redis, not in memory.", true
	var numbers []int
	err := s.Update(func(st *stage.State) error {
		added, err := s.AddFindings(st, transcript.Mark{Offset: 100, UUID: "u"},
			[]finding.Finding{said, asked}, now)
		for _, f := range added {
			numbers = append(numbers, f.Number)
		}
		return err
	})
	if err != nil || len(numbers) != 2 {
		t.Fatal(numbers, err)
	}
	state := func(i int) finding.State {
		t.Helper()
		book, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range book.Each(nil) {
			if f.Number == numbers[i] {
				return f.State
			}
		}
		return ""
	}
	settle := func(want finding.State) {
		t.Helper()
		if _, err := s.SettleWritten(nil, now); err != nil || state(0) != want || state(1) != finding.Open {
			t.Errorf("%v: %s, %s", err, state(0), state(1))
		}
	}
	settle(finding.Open)
	path := filepath.Join(s.Config.Memdir.Dir, "db.md")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	const text = "# Db\n\n- We use Postgres because billing needs concurrent writers.\n" +
		"- Orders are kept in Redis, not in memory.\n"
	write("# Db\n\n- We don't use Postgres because billing needs concurrent writers.\n", now)
	settle(finding.Open)
	write(text, now.Add(-2*time.Minute)) // before it was said
	settle(finding.Open)
	write(text, now)
	settle(finding.Known)
	if err := s.ReopenWritten(now); err != nil || state(0) != finding.Known {
		t.Errorf("%v: %s", err, state(0))
	}
	write("# Db\n\n- We use MySQL.\n", now)
	if err := s.ReopenWritten(now); err != nil || state(0) != finding.Open {
		t.Errorf("the line is gone, %v: %s", err, state(0))
	}
}
