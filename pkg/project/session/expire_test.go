package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

// noticed adds statements to the journal as one turn of a session does.
func noticed(t *testing.T, s *Session, now time.Time, level finding.Level, texts ...string) (numbers []int) {
	t.Helper()
	var found []finding.Finding
	for _, text := range texts {
		found = append(found, finding.Finding{
			Text: text, By: finding.Typed, Session: s.ID, Record: finding.Digest(text), Time: now,
			Category: memory.Decision, Score: .5, Cue: "we decided",
			Level: level, Origin: finding.FromPerson,
		})
	}
	touch(t, s, func(st *stage.State) {
		added, err := s.AddFindings(st, transcript.Mark{Offset: st.Mark.Offset + 100, UUID: "u"}, found, now)
		if err != nil {
			t.Fatal(err)
		}
		numbers = finding.NumbersOf(added)
	})
	return numbers
}

func moved(t *testing.T, s *Session, now time.Time, act finding.Act, numbers ...int) {
	t.Helper()
	if err := s.MoveFindings(finding.Move{At: now, Act: act, Numbers: numbers, To: "decisions/x.json",
		By: "agent"}); err != nil {
		t.Fatal(err)
	}
}

// ends has a session be over.
func ends(t *testing.T, s *Session) {
	t.Helper()
	touch(t, s, func(st *stage.State) { st.Over = true })
}

func whole(t *testing.T, s *Session) *finding.Book {
	t.Helper()
	book, err := s.Whole()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestWhatWaitsExpires: what waits expires after its time, and not before the person was
// told and had a day.
func TestWhatWaitsExpires(t *testing.T) {
	begun := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	type look struct {
		days float64
		row  string // what the person who begins a session is told of the end; "-" where nobody sits there
		one  finding.State
		two  finding.State
	}
	const (
		open, over = finding.Open, finding.Expired
		first      = "; it expires within a week"
		second     = "; 1 thing that may be worth keeping expires within a week"
	)
	for name, looks := range map[string][]look{
		"day by day": {{10, "", open, open}, {11.1, second, open, open}, {12, "", open, open},
			{13, "", open, open}, {13.9, "", open, open}, {14.1, "", open, over}, {56, "", open, over},
			{57.1, first, open, over}, {58, "", open, over}, {60.1, "", over, over}},
		"nobody was there for weeks": {{20, second, open, open}, {20.5, "", open, open},
			{21.1, "", open, over}, {80, first, open, over}, {80.9, "", open, over}, {81, "", over, over}},
		"nobody ever is": {{20, "-", open, open}, {43.9, "-", open, open}, {44.1, "-", open, over},
			{89.9, "-", open, over}, {90.1, "-", over, over}},
		"at once": {{70, "-", open, over}, {75, first, open, over}},
	} {
		t.Run(name, func(t *testing.T) {
			home(t)
			s := open1(t, "s1")
			noticed(t, s, begun, finding.Sure, "one")
			noticed(t, s, begun, finding.Candidate, "two")
			ends(t, s)
			s = open1(t, "s2")
			for _, l := range looks {
				now := begun.Add(time.Duration(l.days * float64(day)))
				if err := s.TidyFindings(now); err != nil { // as a session's start does, before it tells
					t.Fatal(err)
				}
				if l.row != "-" {
					w, err := s.EarlierFindings(now)
					row := w.Row()
					if i := strings.Index(row, ";"); i >= 0 {
						row = row[i:]
					} else {
						row = ""
					}
					if err != nil || row != l.row {
						t.Errorf("day %v: told %q, %v; want %q", l.days, row, err, l.row)
					}
				}
				book := whole(t, s)
				one, _ := book.Find(1)
				two, _ := book.Find(2)
				if one.State != l.one || two.State != l.two || two.State == over &&
					two.MovedBy != "keepsake" {
					t.Errorf("day %v: %s and %s", l.days, one.State, two.State)
				}
			}
		})
	}
	home(t)
	s := open1(t, "s1")
	noticed(t, s, begun, finding.Sure, "one")
	if err := s.TidyFindings(begun.Add(100 * day)); err != nil {
		t.Fatal(err)
	}
	if n := noticed(t, s, begun.Add(101*day), finding.Sure, "one"); len(n) != 1 { // said again
		t.Errorf("what has expired is not noticed again: %v", n)
	}
	ends(t, s)
	s.Config.Capture.FindingDays, s.Config.Capture.CandidateDays = 0, 0
	if w, err := open1(t, "s2").EarlierFindings(begun.Add(102 * day)); err != nil || w.Findings != 1 {
		t.Errorf("%+v, %v", w, err)
	}
	if err := s.TidyFindings(begun.Add(10000 * day)); err != nil {
		t.Fatal(err)
	}
	if n := len(whole(t, s).Waiting()); n != 1 {
		t.Errorf("%d wait for ever", n)
	}
}

// TestWhatIsToldAtTheStart: how much waits is told once a day, and at once when there is
// more; a rewritten journal knows of it too.
func TestWhatIsToldAtTheStart(t *testing.T) {
	home(t)
	begun := time.Date(2026, 1, 1, 9, 0, 0, 0, time.Local)
	note := func(id, text string, now time.Time) {
		s := open1(t, id)
		noticed(t, s, now, finding.Sure, text)
		ends(t, s)
	}
	note("s1", "one", begun)
	tell := func(now time.Time, want int) {
		t.Helper()
		w, err := open1(t, "s9").EarlierFindings(now)
		if err != nil || w.Findings != want {
			t.Errorf("%s: told of %d, %v; want %d", now, w.Findings, err, want)
		}
	}
	tell(begun, 1)
	tell(begun.Add(time.Hour), 0)
	note("s2", "two", begun.Add(2*time.Hour))
	tell(begun.Add(3*time.Hour), 2)
	tell(begun.Add(4*time.Hour), 0)
	moved(t, open1(t, "s2"), begun.Add(5*time.Hour), finding.Save, 1)
	tell(begun.Add(6*time.Hour), 0)
	if err := open1(t, "s9").rewriteJournal(begun.Add(7 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	tell(begun.Add(8*time.Hour), 0)
	tell(begun.Add(15*time.Hour+time.Minute), 1) // midnight is over
	tell(begun.Add(16*time.Hour), 0)
}

// TestSettledTextsGo: what was settled long ago has no text anywhere, and is known
// by its number and its statement all the same.
func TestSettledTextsGo(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	begun := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	noticed(t, s, begun, finding.Sure, "the first secret thing", "the second secret thing", "an open thing")
	moved(t, s, begun, finding.Save, 1)
	moved(t, s, begun, finding.Reject, 2)
	os.WriteFile(string(s.Journal()), append(readFile(t, string(s.Journal())), "{\"broken\n"...), 0o600)
	// small, and not old enough to be worth it
	if err := s.TidyFindings(begun.Add(29 * day)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readFile(t, string(s.Journal()))), "secret thing") {
		t.Error("rewritten without need")
	}
	if err := s.TidyFindings(begun.Add(31 * day)); err != nil {
		t.Fatal(err)
	}
	text := string(readFile(t, string(s.Journal()))) + string(readFile(t, string(s.settledLog())))
	if strings.Contains(text, "secret thing") || !strings.Contains(text, "an open thing") ||
		!strings.Contains(text, "{\"broken\n") {
		t.Errorf("%s", text)
	}
	book := whole(t, s)
	one, _ := book.Find(1)
	if one.State != finding.Saved || one.To != "decisions/x.json" ||
		one.Digest != finding.Digest("the first secret thing") || book.Len() != 3 {
		t.Errorf("%+v", one)
	}
	later := begun.Add(62 * day)
	if n := noticed(t, s, later, finding.Sure, "The first secret thing!", "the second secret thing",
		"news"); len(n) != 1 || n[0] != 4 {
		t.Errorf("noticed %v; what was settled is settled, and numbers go on", n)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRewritesKeepTheMark: a session goes on behind a journal that was rewritten, and
// reads again what a power cut took before that.
func TestRewritesKeepTheMark(t *testing.T) {
	home(t)
	begun := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for name, lost := range map[string]bool{"whole": false, "after a power cut": true} {
		t.Run(name, func(t *testing.T) {
			home(t)
			s, other := open1(t, "s1"), open1(t, "s2")
			noticed(t, s, begun, finding.Sure, "one")
			moved(t, s, begun, finding.Save, 1)
			size := s.Journal().Size()
			noticed(t, s, begun, finding.Sure, "two") // up to 200
			if lost {
				os.Truncate(string(s.Journal()), size)
			}
			noticed(t, other, begun, finding.Sure, "three")
			if err := other.rewriteJournal(begun.Add(100 * day)); err != nil {
				t.Fatal(err)
			}
			if n, ok := finding.NextNumber(lastLine(t, s)); !ok || n != other.must(t).Next() {
				t.Errorf("next number %d", n)
			}
			want := int64(200)
			if lost {
				want = 100
			}
			for range 2 {
				touch(t, s, func(st *stage.State) {
					if err := s.Resume(st); err != nil {
						t.Fatal(err)
					}
				})
				if at := s.State.Mark.Offset; at != want {
					t.Errorf("goes on at %d, want %d", at, want)
				}
			}
		})
	}
}

func (s *Session) must(t *testing.T) *finding.Book { return whole(t, s) }

func lastLine(t *testing.T, s *Session) []byte {
	lines := strings.Split(strings.TrimSpace(string(readFile(t, string(s.Journal())))), "\n")
	return []byte(lines[len(lines)-1] + "\n")
}

// TestAThousandSessionsLeaveABoundedFolder: a year of three sessions a day, each with
// twelve candidates and some things that were kept.
func TestAThousandSessionsLeaveABoundedFolder(t *testing.T) {
	base := home(t)
	begun := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	line := strings.Repeat("what explains it, word for word, and at some length; ", 6)
	most, sessions := int64(0), 1000
	if testing.Short() {
		sessions = 300 // so that the first are forgotten
	}
	for i := range sessions {
		now := begun.Add(time.Duration(i) * (365 * day / 1000))
		s := open1(t, fmt.Sprintf("s%d", i))
		var found []finding.Finding
		for j := range 16 {
			f := finding.Finding{
				Text: fmt.Sprintf("statement %d of session %d, which is as long as people make them in "+
					"real life", j, i), By: finding.Typed, Session: s.ID,
				Record: "9f0e3c1a-4f4e-4a0e-9d5f-0123456789ab", Time: now, Branch: "main",
				Commit:   "0123456789abcdef0123456789abcdef01234567",
				Category: memory.Decision, Level: finding.Candidate, Origin: finding.FromPerson,
				Context: []finding.Line{{By: finding.Agent, Text: line}},
			}
			if j >= 12 {
				f.Level = finding.Sure
			}
			found = append(found, f)
		}
		var added []finding.Finding
		err := s.Update(func(st *stage.State) (err error) {
			added, err = s.AddFindings(st, transcript.Mark{Offset: 1000, UUID: "u"}, found, now)
			return err
		})
		if err != nil || len(added) != 16 {
			t.Fatal(len(added), err)
		}
		moved(t, s, now, finding.Save, added[12].Number, added[13].Number)
		if i%5 == 0 { // the others find the lock taken
			if _, err := s.EarlierFindings(now); err != nil {
				t.Fatal(err)
			}
			if err := s.TidyFindings(now); err != nil {
				t.Fatal(err)
			}
		}
		if age := i - 250; age >= 0 { // as Sweep forgets, by the clock of the machine
			if err := s.Sessions().Remove(fmt.Sprintf("s%d", age)); err != nil {
				t.Fatal(err)
			}
		}
		most = max(most, s.Journal().Size())
	}
	s := open1(t, fmt.Sprintf("s%d", sessions-1))
	book := whole(t, s)
	if book.Len() != 16*sessions {
		t.Errorf("%d findings are known", book.Len())
	}
	size := int64(0)
	filepath.WalkDir(string(s.state()), func(_ string, d fs.DirEntry, _ error) error {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	t.Logf("%s: %d KiB, the journal %d KiB (at most %d), settled %d KiB", filepath.Base(base), size>>10,
		s.Journal().Size()>>10, most>>10, s.settledLog().Size()>>10)
	if size > 12<<20 || most > 2<<20 {
		t.Errorf("%d bytes in all, the journal once %d", size, most)
	}
	// The log of what was settled is bounded for ever.
	for i := 0; s.settledLog().Size() < settledMax*9/10 && i < 100; i++ {
		if err := s.appendSettled(context.Background(), bookOfMany(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		if err := s.appendSettled(context.Background(), bookOfMany(200+i)); err != nil {
			t.Fatal(err)
		}
		if n := s.settledLog().Size(); n > settledMax+1<<20 {
			t.Fatalf("%d bytes", n)
		}
	}
	if old, err := loadBook(s.settledLog()); err != nil || old.Len() == 0 {
		t.Errorf("%v", err)
	}
}

func bookOfMany(i int) *finding.Book {
	var b finding.Book
	var turn finding.Turn
	for j := range 1000 {
		turn.Findings = append(turn.Findings, finding.Finding{Number: 100000 + 1000*i + j, Text: "x",
			Digest: fmt.Sprintf("%016x", i*1000+j), Session: "s"})
	}
	b.AddTurn(turn)
	b.AddMove(finding.Move{Act: finding.Reject, Numbers: finding.NumbersOf(turn.Findings)})
	_, gone := b.Split(time.Now(), finding.Ages{Text: 1})
	return gone
}

// TestSilencedWritesNoJournal: by each of the settings that say so.
func TestSilencedWritesNoJournal(t *testing.T) {
	for name, value := range map[string]string{"KEEPSAKE_TRIAGE_ENABLED": "false",
		"KEEPSAKE_CAPTURE_ON_STOP": "off", "KEEPSAKE": "off"} {
		t.Run(name, func(t *testing.T) {
			project := home(t)
			t.Setenv(name, value)
			path := filepath.Join(filepath.Dir(project), "s1.jsonl")
			os.WriteFile(path,
				[]byte(`{"type":"user","uuid":"u1","promptSource":"typed","message":{"role":"user","content":"We decided to use Postgres instead of SQLite."}}`+"\n"), 0o600)
			s, err := Open(Call{ID: "s1", Transcript: path, Cwd: "/"})
			if err != nil {
				t.Fatal(err)
			}
			s.Pending().Add("s0", stage.Context{Category: memory.Decision, Excerpt: "x",
				Snippets: []stage.Snippet{{Text: "x"}}})
			if err := s.Migrate(time.Now()); err != nil {
				t.Fatal(err)
			}
			if name != "KEEPSAKE" { // with which the hooks themselves do nothing
				if err := s.TidyFindings(time.Now()); err != nil {
					t.Fatal(err)
				}
				if err := s.Finish(); err != nil {
					t.Fatal(err)
				}
			}
			if !absent(string(s.Journal())) {
				t.Error("there is a journal")
			}
		})
	}
}
