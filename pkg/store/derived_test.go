package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/memory"
)

// counting is titles that counts how often it was called.
type counting struct{ calls int }

func (c *counting) derive(records []memory.Stored) []byte {
	c.calls++
	return titles(records)
}

// TestIndex: the search file is made when it must be and not otherwise.
func TestIndex(t *testing.T) {
	s := Open(newRoot(t), Options{})
	var c counting
	s.opt.Derive, s.opt.Cache = c.derive, filepath.Join(t.TempDir(), "deep", "x.idx")
	apply(t, s, create(preference("a", 0)), create(decision("d")))
	c.calls = 0
	again := func(what string, calls int) {
		t.Helper()
		want := titles(load(t, s).Records)
		if got, err := s.Index(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", what, got, err, want)
		}
		if c.calls != calls {
			t.Errorf("%s: derived %d times, want %d", what, c.calls, calls)
		}
		if got, err := s.Index(); err != nil || !bytes.Equal(got, want) || c.calls != calls {
			t.Errorf("%s: once more: %q, %v, derived %d times", what, got, err, c.calls)
		}
		c.calls = 0
	}
	again("after a save", 0)
	write(t, s.file("preferences/by-hand.json"), string(preference("by-hand", 0).Encode()))
	again("a record is new", 1)
	if err := os.Remove(s.file("decisions/d.json")); err != nil {
		t.Fatal(err)
	}
	again("a record is gone", 1)
	write(t, s.file("runbooks/x.json"), string(runbook().Encode()))
	again("a folder is new", 1)
	if err := os.RemoveAll(s.file("runbooks")); err != nil {
		t.Fatal(err)
	}
	again("a folder is gone", 1)
	if err := os.Remove(s.opt.Cache); err != nil {
		t.Fatal(err)
	}
	again("it was deleted", 1)
	other := Open(s.root, Options{}) // somebody without a search file
	was, err := other.Read("preferences/a.json")
	if err != nil {
		t.Fatal(err)
	}
	apply(t, other, update(was, preference("a", 1)))
	again("another program saved", 1)
	if err := os.Remove(s.file(indexName)); err != nil {
		t.Fatal(err)
	}
	again("index.md is gone", 1)
	if err := os.RemoveAll(s.root); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Index(); err != nil || len(b) > 0 {
		t.Errorf("the store is gone: %q, %v", b, err)
	}
}

// TestIndexBroken breaks the search file byte by byte and cuts it at each
// length; it is made anew each time.
func TestIndexBroken(t *testing.T) {
	s := Open(newRoot(t), Options{})
	var c counting
	s.opt.Derive, s.opt.Cache = c.derive, filepath.Join(t.TempDir(), "x.idx")
	apply(t, s, create(preference("a", 0)))
	want, err := s.Index()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.opt.Cache)
	if err != nil {
		t.Fatal(err)
	}
	st := s.state()
	if p, ok := openDerived(whole, st); !ok || !bytes.Equal(p, want) {
		t.Fatal("the whole file does not open")
	}
	for i := range whole {
		broken := bytes.Clone(whole)
		broken[i] ^= 0x40
		if _, ok := openDerived(broken, st); ok {
			t.Errorf("opens with byte %d broken", i)
		}
		if _, ok := openDerived(whole[:i], st); ok {
			t.Errorf("opens with %d bytes", i)
		}
	}
	c.calls = 0
	write(t, s.opt.Cache, string(whole[:len(whole)-1]))
	if got, err := s.Index(); err != nil || !bytes.Equal(got, want) || c.calls != 1 {
		t.Errorf("%q, %v, derived %d times", got, err, c.calls)
	}
	if got, err := os.ReadFile(s.opt.Cache); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("it was not mended: %v", err)
	}
}

// TestIndexWithoutCache: where the search file cannot be kept it is made each
// time, and a save does not fail for it.
func TestIndexWithoutCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	dir := t.TempDir()
	for name, cache := range map[string]string{"below a file": filepath.Join(file, "x.idx"), "a directory": dir} {
		s := Open(newRoot(t), Options{})
		var c counting
		s.opt.Derive, s.opt.Cache = c.derive, cache
		apply(t, s, create(preference("a", 0)))
		for range 2 {
			if b, err := s.Index(); err != nil || string(b) != "preferences/a.json active 0\n" {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
		if c.calls != 3 {
			t.Errorf("%s: derived %d times, want 3", name, c.calls)
		}
	}
	if _, err := Open(newRoot(t), Options{}).Index(); err == nil {
		t.Error("without Derive there is an index")
	}
}

// thousand returns a store with 1,000 records of ordinary size.
func thousand(b *testing.B) *Store {
	b.Helper()
	s := Open(newRoot(b), Options{Derive: titles, Cache: filepath.Join(b.TempDir(), "x.idx")})
	for i := range 1000 {
		r := preference(fmt.Sprintf("record-%d", i), 500)
		write(b, s.file(memory.Path(r.Category, r.ID)), string(r.Encode()))
	}
	// What is derived in practice has about 1 KB per record.
	s.opt.Derive = func(r []memory.Stored) []byte { return bytes.Repeat(titles(r), 20) }
	apply(b, s, create(preference("last", 0)))
	return s
}

func BenchmarkIndexFresh(b *testing.B) {
	s := thousand(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Index(); err != nil {
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
		if err = errors.Join(err, s.Apply(background, planOf(update(was, preference("last", n%500)), create(preference(fmt.Sprintf("new-%d", n), 0))))); err != nil {
			b.Fatal(err)
		}
	}
}
