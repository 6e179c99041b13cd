package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestSeries: after the parts of a series, whatever came between them and whether it was ended or not, the
// index has all records as they are, and nothing of what was replaced is left after the next save.
func TestSeries(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(t *testing.T, s *Store){
		"nothing":       func(*testing.T, *Store) {},
		"another save":  func(t *testing.T, s *Store) { apply(t, s, create(preference("other", 0))) },
		"another index": func(t *testing.T, s *Store) { indexed(s) },
		"a hand": func(t *testing.T, s *Store) {
			write(t, s.file("preferences/hand.json"), string(preference("hand", 0).Encode()))
		},
		"another save and index": func(t *testing.T, s *Store) {
			apply(t, s, create(preference("other", 0)))
			indexed(s)
		},
	} {
		for _, ended := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ended), func(t *testing.T) {
				t.Parallel()
				root := newRoot(t)
				opt := Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x.idx")}
				s := Open(root, opt)
				for i := range 6 {
					apply(t, s, create(preference(fmt.Sprint("p", i), 0)))
				}
				if _, err := indexed(s); err != nil {
					t.Fatal(err)
				}
				heads, err := s.Heads()
				if err != nil {
					t.Fatal(err)
				}
				r := s.Series()
				for i := range 3 {
					some, bad := r.Whole(heads.Records[2*i : 2*i+2])
					if len(bad) > 0 {
						t.Fatal(bad)
					}
					err := r.Apply(background, planOf(update(some[0], preference(some[0].ID, 1)),
						update(some[1], preference(some[1].ID, 1))))
					if err != nil {
						t.Fatal(err)
					}
					if i == 0 {
						between(t, Open(root, opt))
					}
				}
				if ended {
					r.End()
				}
				s = Open(root, opt)
				l := load(t, s)
				if ended && name == "nothing" && !s.InStep() {
					t.Error("the index is not up to date at the end")
				}
				if ended {
					for name := range tree(t, root) {
						if leftover(filepath.Base(name)) {
							t.Errorf("left behind: %s", name)
						}
					}
				}
				if b, err := indexed(s); err != nil || !bytes.Equal(b, titlesOf(l.Records)) {
					t.Errorf("search index %q, %v, want %q", b, err, titlesOf(l.Records))
				}
				apply(t, s, create(preference("last", 0)))
				for name := range tree(t, root) {
					if leftover(filepath.Base(name)) {
						t.Errorf("left behind after the next save: %s", name)
					}
				}
				indexOf(t, s, load(t, s).Records)
			})
		}
	}
}

// TestSeriesGuards: a record that changed since Whole read it is not overwritten.
func TestSeriesGuards(t *testing.T) {
	s := Open(newRoot(t), Options{})
	apply(t, s, create(preference("a", 0)))
	r := s.Series()
	defer r.End()
	some, _ := r.Whole(load(t, s).Records)
	apply(t, s, update(some[0], preference("a", 1)))
	if err := r.Apply(background, planOf(update(some[0], preference("a", 2)))); !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
	if got := summary(load(t, s)); got != "preferences/a.json=1" {
		t.Error(got)
	}
}

// TestLastMoment: what another hand writes between the last check of a file and its replacement is put back,
// and what it makes at the place of a new one stays.
func TestLastMoment(t *testing.T) {
	s := Open(newRoot(t), Options{})
	apply(t, s, create(preference("a", 0)))
	was := read(t, s, "preferences/a.json")
	s.step = func(step string) error {
		if step == "file 0" {
			write(t, s.file("preferences/a.json"), string(preference("a", 7).Encode()))
			write(t, s.file("preferences/b.json"), string(preference("b", 7).Encode()))
		}
		return nil
	}
	err := s.Apply(background, planOf(update(was, preference("a", 1)), create(preference("b", 1))))
	if !errors.Is(err, ErrByHand) {
		t.Error(err)
	}
	if got := summary(load(t, s)); got != "preferences/a.json=7 preferences/b.json=7" {
		t.Error(got)
	}
}
