package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/kept"

	"pgregory.net/rapid"
)

// withTitles returns a store with an index of its own, and its counter.
func withTitles(t testing.TB, root string) (*Store, *titler) {
	t.Helper()
	of := &titler{}
	return Open(root, Options{Derive: of, Cache: filepath.Join(t.TempDir(), "deep", "x.idx")}), of
}

// TestIndex: the index is right after every kind of change, and only what changed is read for it.
func TestIndex(t *testing.T) {
	s, of := withTitles(t, newRoot(t))
	var many []plan.Edit
	for i := range 30 {
		many = append(many, create(preference(fmt.Sprint("p", i), 0)))
	}
	apply(t, s, append(many, create(preference("a", 0)), create(decision("d")))...)
	of.puts.Store(0)
	again := func(what string, reads int) {
		t.Helper()
		want := titlesOf(load(t, s).Records)
		if got, err := indexed(s); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", what, got, err, want)
		}
		if of.puts.Load() != int64(reads) {
			t.Errorf("%s: %d records were read for it, want %d", what, of.puts.Load(), reads)
		}
		if got, err := indexed(s); err != nil || !bytes.Equal(got, want) || of.puts.Load() != int64(reads) {
			t.Errorf("%s: once more: %q, %v, %d were read", what, got, err, of.puts.Load())
		}
		of.puts.Store(0)
	}
	again("after a save", 0)
	was, err := s.Read("preferences/a.json")
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, update(was, preference("a", 1)), create(preference("a2", 0)))
	again("after another save", 2)
	write(t, s.file("preferences/by-hand.json"), string(preference("by-hand", 0).Encode()))
	again("a record is new", 1)
	if err := os.Remove(s.file("decisions/d.json")); err != nil {
		t.Fatal(err)
	}
	again("a record is gone", 0)
	write(t, s.file("runbooks/x.json"), string(runbook().Encode()))
	again("a folder is new", 1)
	write(t, s.file("runbooks/bad.json"), "{")
	again("a record is bad", 0)
	if err := os.RemoveAll(s.file("runbooks")); err != nil {
		t.Fatal(err)
	}
	again("a folder is gone", 0)
	if err := os.Remove(s.opt.Cache); err != nil {
		t.Fatal(err)
	}
	again("its head was deleted", len(deltaOf(t, s)))
	if err := os.Remove(kept.Base(s.opt.Cache)); err != nil {
		t.Fatal(err)
	}
	again("its base was deleted", len(load(t, s).Records))
	other := Open(s.root, Options{}) // a process without an index
	if was, err = other.Read("preferences/a.json"); err != nil {
		t.Fatal(err)
	}
	apply(t, other, update(was, preference("a", 2)))
	again("another program saved", 1)
	if err := os.Remove(s.file(indexName)); err != nil {
		t.Fatal(err)
	}
	again("index.md is gone", 0)
	if err := os.RemoveAll(s.root); err != nil {
		t.Fatal(err)
	}
	if b, err := indexed(s); err != nil || len(b) > 0 {
		t.Errorf("the store is gone: %q, %v", b, err)
	}
}

// deltaOf returns the records that are not in the base.
func deltaOf(t *testing.T, s *Store) []string {
	t.Helper()
	old, _ := s.storedIndex()
	if old == nil {
		t.Fatal("no index")
	}
	defer old.Close()
	in := map[string]memory.File{}
	all, _ := entriesOf(old)
	for _, r := range all {
		in[r.Path] = r.File
	}
	var out []string
	for _, r := range load(t, s).Records {
		if in[r.Path] != r.File {
			out = append(out, r.Path)
		}
	}
	return out
}

// TestEditedInPlace: editing a record's file changes no folder. The edit is found when that record is asked
// for, and whenever all are looked at.
func TestEditedInPlace(t *testing.T) {
	for name, find := range map[string]func(*Store) (*Index, error){
		"Refresh": func(s *Store) (*Index, error) { return s.Refresh("preferences/a.json") },
		"Sync":    (*Store).Sync,
		"Rebuild": (*Store).Rebuild,
	} {
		s, of := withTitles(t, newRoot(t))
		apply(t, s, create(preference("a", 0)), create(preference("b", 0)))
		write(t, s.file("preferences/a.json"), string(preference("a", 5).Encode()))
		of.puts.Store(0)
		want := titlesOf(load(t, s).Records)
		if got, err := textOf(find(s)); err != nil || !bytes.Equal(got, want) || of.puts.Load() > 1 &&
			name != "Rebuild" {
			t.Errorf("%s: %q, %v, read %d; want %q", name, got, err, of.puts.Load(), want)
		}
		if got, err := indexed(s); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s, then Index: %q, %v; want %q", name, got, err, want)
		}
	}
}

// TestInStep: a rebuilt index is up to date until somebody else adds a record. Files that could not be read
// for it are reported.
func TestInStep(t *testing.T) {
	s, _ := withTitles(t, newRoot(t))
	for i := range 300 { // more than are read at once
		write(t, s.file(fmt.Sprintf("preferences/p%d.json", i)),
			string(preference(fmt.Sprint("p", i), 0).Encode()))
	}
	write(t, s.file("preferences/p0.json"), "{")
	write(t, s.file("preferences/p280.json"), "{")
	if s.InStep() {
		t.Error("in step before it is made")
	}
	ix, err := s.Rebuild()
	if err != nil {
		t.Fatal(err)
	}
	ix.Close()
	if len(ix.Bad) != 2 || ix.Bad[0].Path != "preferences/p0.json" ||
		ix.Bad[1].Path != "preferences/p280.json" {
		t.Errorf("bad are %v", ix.Bad)
	}
	if faults, all, err := s.Validate(); err != nil || !faults.OK() || len(all) != 298 || !s.InStep() {
		t.Errorf("in step is %t; %+v, %d, %v", s.InStep(), faults, len(all), err)
	}
	write(t, s.file("preferences/other.json"), string(preference("other", 0).Encode()))
	if s.InStep() {
		t.Error("in step with a record that is not in it")
	}
}

// TestPartial: the next call reads what one call has no time for.
func TestPartial(t *testing.T) {
	s, of := withTitles(t, newRoot(t))
	for i := range 20 {
		write(t, s.file(fmt.Sprintf("preferences/p%d.json", i)),
			string(preference(fmt.Sprint("p", i), 0).Encode()))
	}
	s.opt.Budget = 1
	ix, err := s.Sync()
	if err != nil || !ix.Partial || of.puts.Load() == 20 {
		t.Fatalf("%+v, %v; %d read", ix, err, of.puts.Load())
	}
	ix.Close()
	s.opt.Budget = time.Minute
	if got, err := indexed(s); err != nil || !bytes.Equal(got, titlesOf(load(t, s).Records)) {
		t.Errorf("%q, %v", got, err)
	}
	if of.puts.Load() != 20 {
		t.Errorf("%d reads for 20 records", of.puts.Load())
	}
}

// TestMendLines: a lost index.md comes back with the next save and with Sync, and a right one is not written
// again.
func TestMendLines(t *testing.T) {
	s, _ := withTitles(t, newRoot(t))
	apply(t, s, create(preference("a", 0)), create(decision("d")))
	path := s.file(indexName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string]func() error{
		"gone":  func() error { return os.Remove(path) },
		"empty": func() error { return os.WriteFile(path, nil, 0o644) },
		"cut":   func() error { return os.WriteFile(path, whole[:len(whole)-9], 0o644) },
		"stale": func() error {
			return os.WriteFile(path,
				append(bytes.Clone(whole),
					"- [DECISION] Gone -> .claude/memory/decisions/gone.json #tags:x\n"...), 0o644)
		},
		"untouched": func() error { return nil },
		"touched":   func() error { return os.Chtimes(path, time.Now(), time.Now()) },
	}
	for name, break_ := range damage {
		for _, look := range []bool{false, true} { // an Index in between does not mend it
			for mender, mend := range map[string]func(){
				"Sync": func() { textOf(s.Sync()) },
				"Apply": func() {
					apply(t, s, create(preference("passing", 0)))
					was, err := s.Read("preferences/passing.json")
					if err != nil {
						t.Fatal(err)
					}
					apply(t, s, plan.Edit{Path: was.Path, Verb: plan.Revert, Before: was.Digest})
				},
			} {
				if err := break_(); err != nil {
					t.Fatal(err)
				}
				if look {
					indexed(s)
				}
				mend()
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
					t.Errorf("%s, %s: %q, %v", name, mender, got, err)
				}
			}
		}
	}
	before := s.indexLines()
	textOf(s.Sync())
	textOf(s.Rebuild())
	if s.indexLines() != before {
		t.Error("index.md was right and was written again")
	}
	// A store that nobody wrote with us is not touched.
	other, _ := withTitles(t, newRoot(t))
	write(t, other.file("preferences/a.json"), string(preference("a", 0).Encode()))
	textOf(other.Sync())
	if got := tree(t, other.root); len(got) != 1 {
		t.Errorf("looking wrote: %v", got)
	}
}

// TestIndexBroken damages each byte of the index's files and cuts them at each length. Each time the index is
// right, and is repaired.
func TestIndexBroken(t *testing.T) {
	t.Parallel()
	s, _ := withTitles(t, newRoot(t))
	apply(t, s, create(preference("a", 0)))
	apply(t, s, create(preference("b", 0)))
	want, err := indexed(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{s.opt.Cache, kept.Base(s.opt.Cache)} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			broken := bytes.Clone(whole)
			broken[i] ^= 0x40
			for _, b := range [][]byte{broken, whole[:i]} {
				write(t, path, string(b))
				if got, err := indexed(s); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s, byte %d of %d: %q, %v", filepath.Base(path), i, len(b), got, err)
				}
			}
		}
	}
	ix, was := s.storedIndex()
	if ix == nil || was.state != s.currentState() {
		t.Error("it was not mended")
	}
	ix.Close()
}

// TestStand: a stand that was damaged matches no store.
func TestStand(t *testing.T) {
	n := stand{state{1, -2, 1 << 62}, lines{4, 5, 6}}
	if got := decodeStand(n.encode()); got != n {
		t.Errorf("%v, want %v", got, n)
	}
	if got := decodeStand(n.encode()[1:]); got != unknownStand() {
		t.Errorf("%v of a part of it", got)
	}
}

// TestIndexWithoutCache: an index that cannot be stored is made each time, and saves do not fail.
func TestIndexWithoutCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	dir := t.TempDir()
	for name, cache := range map[string]string{"below a file": filepath.Join(file, "x.idx"),
		"a directory": dir, "nowhere": ""} {
		s := Open(newRoot(t), Options{})
		of := &titler{}
		s.opt.Derive, s.opt.Cache = of, cache
		apply(t, s, create(preference("a", 0)))
		for range 2 {
			if b, err := indexed(s); err != nil || string(b) != "preferences/a.json active 0\n" {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
		if b, err := os.ReadFile(s.file(indexName)); err != nil ||
			!strings.Contains(string(b), "About a -> ") {
			t.Errorf("%s: index.md: %s, %v", name, b, err)
		}
	}
	if _, err := indexed(Open(newRoot(t), Options{})); err == nil {
		t.Error("without Derive there is an index")
	}
}

// TestIndexFollows: after any sequence of saves, edits by hand and losses, the index fits the records, and
// after a save index.md does too.
func TestIndexFollows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		s := Open(filepath.Join(dir, fmt.Sprint(n), "memory"),
			Options{Derive: &titler{}, Cache: filepath.Join(dir, fmt.Sprint(n), "x.idx")})
		id := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			path := "preferences/" + id.Draw(rt, "id") + ".json"
			switch what := rapid.IntRange(0, 7).Draw(rt, "what"); what {
			case 0, 1, 2:
				was, err := s.Read(path)
				id := strings.TrimSuffix(filepath.Base(path), ".json")
				edit := create(preference(id, 0))
				if err == nil {
					r := preference(id, was.TimesUpdated+1)
					r.Title = rapid.SampledFrom([]string{"About x", "about X", "Zebra", "- arrow -> here",
						"[x] ] -"}).Draw(rt, "title")
					edit = update(was, r)
				}
				if err := s.Apply(background, planOf(edit)); err != nil {
					rt.Fatal(err)
				}
				text, err := os.ReadFile(s.file(indexName))
				if l := load(t, s); err != nil || !bytes.Equal(text, memory.Index(l.Records)) {
					rt.Fatalf("index.md %s, %v; records %s", text, err, summary(l))
				}
			case 3:
				write(t, s.file(path),
					string(preference(strings.TrimSuffix(filepath.Base(path), ".json"),
						rapid.IntRange(0, 9).Draw(rt, "n")).Encode()))
				textOf(s.Refresh(path))
			case 4:
				os.Remove(s.file(path))
			case 5:
				os.Remove(s.opt.Cache)
			case 6:
				os.Remove(kept.Base(s.opt.Cache))
			case 7:
				os.Remove(s.file(indexName))
			}
			if rapid.Bool().Draw(rt, "look") {
				want := titlesOf(load(t, s).Records)
				if got, err := indexed(s); err != nil || !bytes.Equal(got, want) {
					rt.Fatalf("%q, %v; want %q", got, err, want)
				}
			}
		}
	})
}

// thousand returns a store with 1,000 records of ordinary size.
func thousand(b *testing.B) *Store {
	b.Helper()
	s := Open(newRoot(b), Options{Derive: titles, Cache: filepath.Join(b.TempDir(), "x.idx")})
	for i := range 1000 {
		r := preference(fmt.Sprintf("record-%d", i), 500)
		write(b, s.file(memory.Path(r.Category, r.ID)), string(r.Encode()))
	}
	apply(b, s, create(preference("last", 0)))
	return s
}

func BenchmarkIndexFresh(b *testing.B) {
	s := thousand(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := indexed(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	s := thousand(b)
	b.ReportAllocs()
	for b.Loop() {
		if l, err := s.Load(); err != nil || len(l.Records) != 1001 {
			b.Fatal(err, len(l.Records))
		}
	}
}

func BenchmarkApply(b *testing.B) {
	s := thousand(b)
	n := 0
	for b.Loop() {
		was, err := s.Read("preferences/last.json")
		n++
		if err = errors.Join(err,
			s.Apply(background,
				planOf(update(was, preference("last", n%500)),
					create(preference(fmt.Sprintf("new-%d", n), 0))))); err != nil {
			b.Fatal(err)
		}
	}
}
