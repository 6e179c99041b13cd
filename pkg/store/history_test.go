package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

// past returns the whole history, latest first.
func past(t testing.TB, s *Store) (out []Applied) {
	t.Helper()
	if err := s.History(func(a Applied) bool {
		out = append(out, a)
		return true
	}, func(b Bad) { t.Errorf("%s: %v", b.Path, b.Err) }); err != nil {
		t.Fatal(err)
	}
	return out
}

func undo(t testing.TB, s *Store, a Applied) {
	t.Helper()
	if err := s.Apply(background, a.Undo()); err != nil {
		t.Fatal(err)
	}
}

func TestUndo(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")})
	records := func() map[string]string {
		out := tree(t, root)
		for name := range out {
			if strings.HasPrefix(name, ".") {
				delete(out, name)
			}
		}
		return out
	}
	same := func(what string, want map[string]string) {
		t.Helper()
		got := records()
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s\n%s\nwant\n%s", what, name, got[name], want[name])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d files, want %d", what, len(got), len(want))
		}
		index, err := indexed(s)
		if fresh := titlesOf(load(t, s).Records); err != nil || !bytes.Equal(index, fresh) {
			t.Errorf("%s: search file %q, want %q; %v", what, index, fresh, err)
		}
	}
	if len(past(t, s)) != 0 {
		t.Error("an empty store has a history")
	}
	apply(t, s, create(preference("a", 0)), create(preference("b", 0)))
	first := records()
	a, b := read(t, s, "preferences/a.json"), read(t, s, "preferences/b.json")
	m, err := b.Retire("why", time.Now())
	apply(t, s, update(a, preference("a", 1)), moved(t, b, plan.Retire, m, err), create(preference("c", 0)))
	second := records()
	b = read(t, s, b.Path)
	apply(t, s, plan.Edit{Path: b.Path, Verb: plan.Delete, Before: b.Digest, Category: string(b.Category),
		Title: b.Title})
	third := records()
	if _, ok := third["preferences/b.json"]; ok {
		t.Error("was not deleted")
	}

	h := past(t, s)
	if len(h) != 3 || h[0].Digest == h[1].Digest || h[0].At.Before(h[1].At) || len(h[1].Edits) != 3 ||
		h[1].Edits[2].Old != nil ||
		string(h[1].Edits[0].Old) != strings.TrimPrefix(first["preferences/a.json"], "----------") {
		t.Fatalf("history: %+v", h)
	}
	undo(t, s, h[0])
	same("delete undone", second)
	undo(t, s, h[1])
	same("update, retire and create undone", first)
	undo(t, s, past(t, s)[0])
	same("the undo undone", second)
	if err := s.Apply(background, h[0].Undo()); !errors.Is(err, ErrExists) {
		t.Errorf("undone twice: %v", err)
	}
	a = read(t, s, a.Path)
	apply(t, s, update(a, preference("a", 2)))
	if err := s.Apply(background, h[1].Undo()); !errors.Is(err, ErrConflict) {
		t.Errorf("changed since: %v", err)
	}
	if got := read(t, s, a.Path).TimesUpdated; got != 2 {
		t.Errorf("a conflict wrote: %d", got)
	}
}

// TestUndoOfForeignRecord: an undo restores the old bytes, even of a record that would be written differently
// today.
func TestUndoOfForeignRecord(t *testing.T) {
	s := Open(newRoot(t), Options{})
	r := preference("a", 0)
	for i := range 20 {
		r.Tags = append(r.Tags, fmt.Sprint("t", i))
	}
	foreign := bytes.ReplaceAll(r.Encode(), []byte("  "), []byte("\t"))
	write(t, s.file("preferences/a.json"), string(foreign))
	was := read(t, s, "preferences/a.json")
	m, err := was.Retire("", time.Now())
	apply(t, s, moved(t, was, plan.Retire, m, err))
	undo(t, s, past(t, s)[0])
	if b, err := os.ReadFile(s.file("preferences/a.json")); err != nil || !bytes.Equal(b, foreign) {
		t.Errorf("%v\n%s", err, b)
	}
}

// TestDeleteCutShort stops a plan that deletes before each step. The next process finds all of it or nothing.
func TestDeleteCutShort(t *testing.T) {
	t.Parallel()
	for i, at := range steps {
		for _, next := range []string{"Load", "Apply", "History"} {
			root := newRoot(t)
			s := Open(root, Options{})
			apply(t, s, create(preference("a", 0)), create(preference("b", 0)))
			a, b := read(t, s, "preferences/a.json"), read(t, s, "preferences/b.json")
			m, err := b.Retire("", time.Now())
			apply(t, s, moved(t, b, plan.Retire, m, err))
			b = read(t, s, b.Path)
			s.step = func(step string) error {
				if step == at {
					return errStopped
				}
				return nil
			}
			err = s.Apply(background,
				planOf(update(a, preference("a", 1)),
					plan.Edit{Path: b.Path, Verb: plan.Delete, Before: b.Digest}))
			if !errors.Is(err, errStopped) {
				t.Fatalf("%s: %v", at, err)
			}
			s = Open(root, Options{})
			want := "preferences/a.json=0 preferences/b.json=0"
			if i > 3 {
				want = "preferences/a.json=1"
			}
			switch next {
			case "Apply":
				apply(t, s, create(preference("c", 0)))
				want += " preferences/c.json=0"
			case "History":
				if got := len(past(t, s)); got != 2 && i <= 3 || got != 3 && i > 3 {
					t.Errorf("%s: %d plans", at, got)
				}
			}
			if got := summary(load(t, s)); got != want {
				t.Errorf("%s, then %s: %s, want %s", at, next, got, want)
			}
			if s.inUse() {
				t.Errorf("%s, then %s: the log is still there", at, next)
			}
		}
	}
}

// TestReadDuringDelete: a deletion that nobody can finish now is read as if it were done.
func TestReadDuringDelete(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)), create(preference("b", 0)))
	b := read(t, s, "preferences/b.json")
	m, err := b.Retire("", time.Now())
	apply(t, s, moved(t, b, plan.Retire, m, err))
	b = read(t, s, b.Path)
	s.step = func(step string) error {
		if step == "file 0" {
			return errStopped
		}
		return nil
	}
	if err := s.Apply(background,
		planOf(plan.Edit{Path: b.Path, Verb: plan.Delete, Before: b.Digest})); !errors.Is(err,
		ErrUnfinished) {
		t.Fatal(err)
	}
	s = Open(root, Options{})
	defer hold(t, s).close()
	if got := summary(load(t, s)); got != "preferences/a.json=0" {
		t.Error(got)
	}
}

// TestHistoryIsData: files in .history are read with as little trust as any others.
func TestHistoryIsData(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("a", 0)))
	apply(t, s, create(preference("b", 0)))
	h := past(t, s)
	write(t, s.file(historyName+"/"+h[0].Name), `{"version": 1`)
	write(t, s.file(historyName+"/notes.txt"), "mine")
	if err := os.Symlink("/etc/passwd",
		s.file(historyName+"/20990101T000000.000000000Z-000000000000.json")); err != nil {
		t.Fatal(err)
	}
	var got []Applied
	var bad []string
	if err := s.History(func(a Applied) bool {
		got = append(got, a)
		return true
	}, func(b Bad) { bad = append(bad, b.Path) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Name != h[1].Name || len(bad) != 2 {
		t.Errorf("%v, bad %v", got, bad)
	}
	other := newRoot(t)
	if err := errors.Join(os.MkdirAll(other, 0o755),
		os.Symlink(s.file(historyName), filepath.Join(other, historyName))); err != nil {
		t.Fatal(err)
	}
	if err := Open(other, Options{}).History(func(Applied) bool { return true }, nil); err == nil {
		t.Error("a link was followed")
	}
}

// TestPrune: the history is bounded by count, bytes and age. Young plans stay unless the hard limit is
// reached. The last plan and files that are not ours always stay.
func TestPrune(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	// One plan of 100 bytes a day, the first one 9 days old.
	for name, tt := range map[string]struct {
		keep Keep
		want int
	}{
		"all":             {Keep{Grace: day}, 10},
		"count":           {Keep{Grace: day, Count: 4}, 4},
		"bytes":           {Keep{Grace: day, Bytes: 350}, 3},
		"age":             {Keep{Grace: day, Age: 5*day + day/2}, 6},
		"grace":           {Keep{Grace: 7 * day, Count: 1}, 7},
		"grace by bytes":  {Keep{Grace: 7 * day, Bytes: 1}, 7},
		"hard limit":      {Keep{Grace: 7 * day, MaxBytes: 250}, 2},
		"the last always": {Keep{Grace: day, MaxBytes: 1}, 1},
		"default grace":   {Keep{Count: 1}, 10},
	} {
		s := Open(newRoot(t), Options{Keep: tt.keep})
		for i := range 10 {
			at := now.Add(-time.Duration(i) * day).Format(historyStamp)
			write(t, s.file(historyName+"/"+at+"-0123456789ab.json"), strings.Repeat("x", 100))
		}
		write(t, s.file(historyName+"/2020-notes.txt"), "mine")
		h := hold(t, s)
		h.prune(now)
		h.close()
		entries, err := os.ReadDir(s.file(historyName))
		if err != nil || len(entries) != tt.want+1 {
			t.Errorf("%s: %d left, want %d", name, len(entries)-1, tt.want)
		}
		if last := entries[len(entries)-1].Name(); !strings.HasPrefix(last, "20261120") {
			t.Errorf("%s: the last is %s", name, last)
		}
	}
	// Saving prunes.
	s := Open(newRoot(t), Options{Keep: Keep{Grace: time.Nanosecond, Count: 3}})
	apply(t, s, create(preference("a", 0)))
	for i := range pruneEvery + 2 {
		apply(t, s, update(read(t, s, "preferences/a.json"), preference("a", i+1)))
	}
	if got := len(past(t, s)); got > 8 {
		t.Errorf("%d plans are kept, want few more than 3", got)
	}
}

// TestUndoBringsBackTheBytes: after any plan and its undo every file is as it
// was, byte for byte.
func TestUndoBringsBackTheBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := Open(dir, Options{})
		files := func() string {
			var b strings.Builder
			l, err := s.Load()
			if err != nil || len(l.Bad) > 0 {
				t.Fatal(err, l.Bad)
			}
			for _, r := range l.Records {
				fmt.Fprintln(&b, r.Path, r.Digest)
			}
			return b.String()
		}
		var states []string
		for range rapid.IntRange(1, 5).Draw(t, "plans") {
			states = append(states, files())
			l, _ := s.Load()
			var p plan.Plan
			for _, id := range []string{"a", "b", "c"} {
				path := memory.Path(memory.Preference, id)
				i := slices.IndexFunc(l.Records, func(r memory.Stored) bool { return r.Path == path })
				switch what := rapid.IntRange(0, 2).Draw(t, "what"); {
				case i < 0 && what > 0:
					p.Edits = append(p.Edits, create(preference(id, 0)))
				case i >= 0 && what == 1 && l.Records[i].Status == memory.Active:
					p.Edits = append(p.Edits,
						update(l.Records[i], preference(id, l.Records[i].TimesUpdated+1)))
				case i >= 0 && what == 2 && l.Records[i].Status == memory.Active:
					m, err := l.Records[i].Retire("", time.Now())
					if err != nil {
						t.Fatal(err)
					}
					e := update(l.Records[i], m.Record)
					e.Verb = plan.Retire
					p.Edits = append(p.Edits, e)
				case i >= 0 && what == 2:
					p.Edits = append(p.Edits,
						plan.Edit{Path: path, Verb: plan.Delete, Before: l.Records[i].Digest})
				}
			}
			if len(p.Edits) == 0 {
				states = states[:len(states)-1]
				continue
			}
			if err := s.Apply(background, p); err != nil {
				t.Fatal(err)
			}
		}
		var all []Applied
		if err := s.History(func(a Applied) bool { all = append(all, a); return true }, nil); err != nil {
			t.Fatal(err)
		}
		for i, a := range all {
			if err := s.Apply(background, a.Undo()); err != nil {
				t.Fatal(err)
			}
			if got, want := files(), states[len(states)-1-i]; got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
		}
	})
}

// FuzzRedo: a file in .history is either read as a whole plan or refused. A plan that is read has a valid
// undo.
func FuzzRedo(f *testing.F) {
	edits := []plan.Edit{
		create(preference("a", 0)),
		{Path: "preferences/b.json", Verb: plan.Delete, Before: plan.DigestOf([]byte("{}"))},
		{Path: "preferences/c.json", Verb: plan.Revert, After: []byte("\xff")},
	}
	b, err := newRedo(planOf(edits...), []guard{{}, {before: []byte("{}"), mode: 0o600}, {}},
		time.Unix(0, 0)).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(bytes.Replace(b, []byte(`"version":1`), []byte(`"version":3`), 1))
	f.Add([]byte(`{"version": 1, "edits": [{"before": {"base64": "!"}}]}`))
	b, err = newRedo(planOf(plan.Edit{Path: "a/b.md", Verb: plan.Revert, After: []byte{}}), []guard{{}},
		time.Unix(0, 0)).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, other := Open("none", Options{}), OpenNotes("none", "none", Options{})
		log, err := s.parseRedo(b)
		switch alike, otherErr := other.parseRedo(b); {
		case err == nil && otherErr == nil && len(log.Edits) > 0:
			t.Fatalf("a log of both kinds:\n%s", b)
		case err != nil:
			s, log, err = other, alike, otherErr
		}
		if err != nil {
			return
		}
		again, err := log.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := s.parseRedo(again)
		if err != nil || back.plan().Digest() != log.Digest {
			t.Fatalf("written again it does not read the same: %v\n%s", err, again)
		}
		var a Applied
		for i, e := range log.plan().Edits {
			a.Edits = append(a.Edits, Done{e, log.Edits[i].Before, fs.FileMode(log.Edits[i].Mode),
				log.Edits[i].WasModified})
		}
		if err := a.Undo().Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestLater: after a clock was set back, what comes next is still the newest.
func TestLater(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	now := time.Date(2026, 11, 23, 20, 0, 0, 5, time.UTC)
	if got := s.Later(now); !got.Equal(now) {
		t.Errorf("without a history: %v", got)
	}
	last := time.Date(2027, 1, 2, 3, 4, 5, 600, time.UTC)
	for _, at := range []time.Time{last, now.Add(-time.Hour)} {
		name := s.ownFile(historyName + "/" + at.Format(historyStamp) + "-0123456789ab.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700),
			os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := s.Later(now), time.Date(2027, 1, 2, 3, 4, 6, 0, time.UTC); !got.Equal(want) {
		t.Errorf("set back: %v, want %v", got, want)
	}
	if got := s.Later(last.Add(time.Minute)); !got.Equal(last.Add(time.Minute)) {
		t.Errorf("gone on: %v", got)
	}
}
