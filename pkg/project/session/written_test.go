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
	"keepsake/pkg/plan"
)

// TestSettleWritten: what a memory file says that was written since is known, and open again when the lines
// go or change, unless another file has them now or a plan of Keepsake's took them away.
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
	reopen := func(read func() (*finding.Book, error), want finding.State, to string) {
		t.Helper()
		if err := s.ReopenWritten(read, now); err != nil || state(0) != want {
			t.Errorf("%v: %s, want %s", err, state(0), want)
		}
		book, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range book.Each(nil) {
			if f.Number == numbers[0] && f.To != to {
				t.Errorf("it is in %q, want %q", f.To, to)
			}
		}
	}
	reopen(s.Book, finding.Known, path)

	// Moved by hand, it is known from the other file.
	other := filepath.Join(s.Config.Memdir.Dir, "billing.md")
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	now = time.Now().UTC()
	reopen(s.Recent, finding.Known, other)
	path = other

	// The rest of the file may change, and the line may not.
	write("# Db\n\n- Orders are elsewhere.\n- We use Postgres because billing needs concurrent writers.\n",
		now)
	reopen(s.Recent, finding.Known, path)
	write("# Db\n\n- We use MySQL.\n", now)
	reopen(s.Recent, finding.Open, "")
	write(text, now)
	settle(finding.Known)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	reopen(s.Book, finding.Open, "")

	// What was said in other words is known as long as nobody writes there.
	write("# Db\n\n- Billing: Postgres, as it needs concurrent writers.\n", now)
	now = time.Now().UTC()
	if err := s.MoveFindings(finding.Move{Act: finding.Know, Numbers: numbers[:1], To: path,
		By: "agent"}); err != nil {
		t.Fatal(err)
	}
	reopen(s.Recent, finding.Known, path)

	// A plan of Keepsake's takes the line away, and the person knows.
	write(text, now)
	p := plan.Plan{Version: plan.Version, Edits: []plan.Edit{{Path: "billing.md", Verb: plan.Update,
		Before: plan.DigestOf([]byte(text)), After: []byte("# Db\n"), Category: "memory", Title: "Db"}}}
	if err := s.Notes(s.Config.Memdir.Dir).Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	reopen(s.Recent, finding.Known, path)
}
