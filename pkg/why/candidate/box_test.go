package candidate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/disk"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func inboxFile(b Box) string { return filepath.Join(b.Dir, boxFile) }

func box(t *testing.T) Box { return Box{filepath.Join(t.TempDir(), "p", "inbox")} }

func candidate(quote string) Candidate {
	return Candidate{Quote: quote, Text: quote, Source: ".agents/memory/scratch/general.md:2", Wing: "p",
		Room: "decisions"}
}

func sameText(a, b Candidate) bool { return strings.EqualFold(a.Text, b.Text) }

func add(t *testing.T, b Box, budget int, at time.Time, quotes ...string) []Added {
	t.Helper()
	var all []Candidate
	for _, q := range quotes {
		all = append(all, candidate(q))
	}
	got, err := b.Add(all, budget, at, sameText)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAdd(t *testing.T) {
	b := box(t)
	if w, err := b.Waiting(now); len(w) != 0 || err != nil {
		t.Fatalf("an inbox that is not there: %v, %v", w, err)
	}
	got := add(t, b, 3, now, "one", "ONE", "two", "three", "four")
	want := []Why{"", twice, "", "", Exceeded}
	for i, a := range got {
		if a.Why != want[i] {
			t.Errorf("%s: %q, want %q", a.Quote, a.Why, want[i])
		}
	}
	if got[1].Like != got[0].ID || len(got[0].ID) != 6 || got[0].ID[0] != 'c' {
		t.Errorf("%+v", got[:2])
	}
	if w, _ := b.Waiting(now); len(w) != 3 {
		t.Errorf("%d wait", len(w))
	}
	if again := add(t, b, 3, now.Add(24*time.Hour), "four", "one"); again[0].Why != "" ||
		again[1].Why != twice {
		t.Errorf("the next day: %+v", again)
	}
	if none := add(t, box(t), 0, now, "one"); none[0].Why != Exceeded {
		t.Errorf("without a budget: %+v", none)
	}
}

func TestTheDayIsThePersons(t *testing.T) {
	b, zone := box(t), time.FixedZone("", -8*3600)
	evening := time.Date(2026, 11, 21, 23, 0, 0, 0, zone)
	add(t, b, 1, evening, "one")
	if a := add(t, b, 1, evening.Add(30*time.Minute), "two"); a[0].Why != Exceeded {
		t.Errorf("the same evening: %q", a[0].Why)
	}
	if a := add(t, b, 1, evening.Add(2*time.Hour), "two"); a[0].Why != "" {
		t.Errorf("the next day: %q", a[0].Why)
	}
}

func TestRejectedStaysAway(t *testing.T) {
	b := box(t)
	id := add(t, b, 9, now, "one")[0].ID
	if _, err := b.Mark(" "+strings.ToUpper(id), Rejected, now); err != nil {
		t.Fatal(err)
	}
	if a := add(t, b, 9, now.AddDate(1, 0, 0), "One"); a[0].Why != refused || a[0].Like != id {
		t.Errorf("%+v", a)
	}
	if _, err := b.Later(id, now.Add(time.Hour), now); !errors.Is(err, errSettled) {
		t.Errorf("put off: %v", err)
	}
	if _, err := b.Edit(id, "x"); !errors.Is(err, errSettled) {
		t.Errorf("edited: %v", err)
	}
	if c, err := b.Mark(id, Promoted, now, "d1"); err != nil || len(c.Stored) != 1 {
		t.Errorf("a changed mind: %v, %v", c, err)
	}
	if _, err := b.Mark(id, Rejected, now); !errors.Is(err, errSettled) {
		t.Errorf("rejected when it was promoted: %v", err)
	}
	if c, err := b.Mark(id, Promoted, now); err != nil || len(c.Stored) != 1 {
		t.Errorf("promoted again: %v, %v", c, err)
	}
	if a := add(t, b, 9, now, "one"); a[0].Why != written {
		t.Errorf("%+v", a)
	}
}

func TestLater(t *testing.T) {
	b := box(t)
	id := add(t, b, 9, now, "one")[0].ID
	tomorrow := now.AddDate(0, 0, 1)
	if _, err := b.Later(id, tomorrow, now); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]int{now: 0, tomorrow.Add(-time.Second): 0, tomorrow: 1} {
		if w, _ := b.Waiting(at); len(w) != want {
			t.Errorf("%v: %d wait, want %d", at, len(w), want)
		}
	}
	if c, err := b.Edit(id, "uno"); err != nil || c.Text != "uno" || c.Quote != "one" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestReopen: a no and a "later" are taken back; what is promoted stays.
func TestReopen(t *testing.T) {
	b := box(t)
	id := add(t, b, 3, now, "one")[0].ID
	if _, err := b.Reopen(id, now); !errors.Is(err, errSettled) {
		t.Errorf("one that waits: %v", err)
	}
	for name, answer := range map[string]func() (Candidate, error){
		"no":    func() (Candidate, error) { return b.Mark(id, Rejected, now) },
		"later": func() (Candidate, error) { return b.Later(id, now.Add(time.Hour), now) }} {
		if _, err := answer(); err != nil {
			t.Fatal(err)
		}
		c, err := b.Reopen(id, now)
		if err != nil || c.State != Waiting || !c.Until.IsZero() || !c.Waits(now) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if _, err := b.Mark(id, Promoted, now, "d1"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reopen(id, now); !errors.Is(err, errSettled) {
		t.Errorf("a promoted one: %v", err)
	}
}

func TestUnknown(t *testing.T) {
	b := box(t)
	for _, id := range []string{"", "c00000", "../x"} {
		if _, err := b.Find(id); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := b.Mark(id, Rejected, now); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
	}
	id := add(t, b, 1, now, "one")[0].ID
	for _, s := range []State{Waiting, Later, "odd"} {
		if _, err := b.Mark(id, s, now); err == nil {
			t.Errorf("marked %s", s)
		}
	}
}

// TestDamage: a file that can't be read is an error that names it, and stays.
func TestDamage(t *testing.T) {
	for text, want := range map[string]error{"{": nil, "": nil, `{"version":9}`: disk.ErrNewer,
		`{"version":"x"}`: nil} {
		b := box(t)
		add(t, b, 1, now, "one")
		if err := os.WriteFile(inboxFile(b), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := b.Add([]Candidate{candidate("two")}, 9, now, sameText)
		if err == nil || !strings.Contains(err.Error(), inboxFile(b)) ||
			want != nil && !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
		if left, _ := os.ReadFile(inboxFile(b)); string(left) != text {
			t.Errorf("%q became %q", text, left)
		}
	}
}

func TestPrivate(t *testing.T) {
	b := box(t)
	add(t, b, 1, now, "one")
	if err := b.See(func(s *Seen) { s.Entries = "s1" }); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{b.Dir: 0o700, inboxFile(b): 0o600,
		filepath.Join(b.Dir, seenFile): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if s, err := b.Seen(); err != nil || s.Entries != "s1" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestBounded: answered candidates are forgotten at last, those that wait never.
func TestBounded(t *testing.T) {
	all := []Candidate{{ID: "first", State: Rejected}, {ID: "open", State: Waiting}}
	for i := range maxSettled {
		all = append(all, Candidate{ID: fmt.Sprint(i), State: Rejected})
	}
	if got := bounded(all); len(got) != maxSettled+1 || got[0].ID != "open" {
		t.Errorf("%d left, the first %s", len(got), got[0].ID)
	}
}

// TestTwoProcesses: what several processes add at once is all there, under
// different ids, and the day's budget holds over all of them.
func TestTwoProcesses(t *testing.T) {
	if dir := os.Getenv("INBOX_RACE"); dir != "" {
		for i := range 25 {
			_, err := (Box{dir}).Add([]Candidate{candidate(fmt.Sprint(os.Getpid(), " ", i))}, 40, now,
				sameText)
			if err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	b := box(t)
	var running []*exec.Cmd
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTwoProcesses$")
		cmd.Env = append(os.Environ(), "INBOX_RACE="+b.Dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	all, err := b.All()
	ids := map[string]bool{}
	for _, c := range all {
		ids[c.ID] = true
	}
	if err != nil || len(all) != 40 || len(ids) != 40 {
		t.Errorf("%d candidates with %d ids, %v", len(all), len(ids), err)
	}
}

// TestLife: whatever is done in whatever order, what is promoted stays so, what
// is rejected never waits again, and nothing is added that is there.
func TestLife(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp("", "inbox")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(dir)
		b, at := Box{filepath.Join(dir, "p", "inbox")}, now
		was := map[string]Candidate{}
		r.Repeat(map[string]func(*rapid.T){
			"add": func(r *rapid.T) {
				q := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(r, "quote")
				if _, err := b.Add([]Candidate{candidate(q)}, 2, at, sameText); err != nil {
					r.Fatal(err)
				}
			},
			"answer": func(r *rapid.T) {
				id := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(r, "quote")
				to := rapid.SampledFrom([]State{Rejected, Promoted, Later}).Draw(r, "to")
				all, _ := b.All()
				for _, c := range all {
					if c.Quote != id {
						continue
					}
					if to == Later {
						_, _ = b.Later(c.ID, at.Add(time.Hour), at)
					} else {
						_, _ = b.Mark(c.ID, to, at)
					}
				}
			},
			"wait": func(*rapid.T) { at = at.Add(5 * time.Hour) },
			"": func(r *rapid.T) {
				all, err := b.All()
				if err != nil {
					r.Fatal(err)
				}
				quotes := map[string]bool{}
				for _, c := range all {
					if quotes[c.Quote] {
						r.Fatalf("%s is there twice", c.Quote)
					}
					quotes[c.Quote] = true
					old := was[c.ID].State
					if old == Promoted && c.State != Promoted || old == Rejected && c.Open() {
						r.Fatalf("%s was %s and is %s", c.ID, old, c.State)
					}
					was[c.ID] = c
				}
				if len(all) < len(was) {
					r.Fatal("one is gone")
				}
			},
		})
	})
}
