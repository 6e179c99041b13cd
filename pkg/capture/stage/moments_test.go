package stage

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func TestMoments(t *testing.T) {
	d := Desk{filepath.Join(t.TempDir(), "base", "s1")}
	if said, err := d.Moments(); said != nil || err != nil {
		t.Fatal(said, err)
	}
	a := Moment{memory.Progress, "Phase 2 is done.", true}
	b := Moment{memory.Pattern, "One gotcha: the cache.", false}
	for _, m := range []Moment{a, b, a} {
		if err := d.Note(m); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := d.Moments(); err != nil || !reflect.DeepEqual(said, []Moment{a, b}) {
		t.Errorf("%+v, %v", said, err)
	}
	for i := range 40 {
		if err := d.Note(Moment{memory.Entity,
			fmt.Sprintf("%d %s\nAKIAIOSFODNN7EXAMPLE", i, strings.Repeat("x", 500*(i%2))),
			true}); err != nil {
			t.Fatal(err)
		}
	}
	said, err := d.Moments()
	if err != nil || len(said) != maxMoments || !strings.HasPrefix(said[0].Text, "16 ") ||
		!strings.HasPrefix(said[maxMoments-1].Text, "39 ") {
		t.Fatalf("%d, %v", len(said), err)
	}
	for _, m := range said {
		if len(m.Text) > maxMoment || strings.ContainsAny(m.Text, "\n") ||
			strings.Contains(m.Text, "AKIAIOSFODNN7EXAMPLE") {
			t.Errorf("%q", m.Text)
		}
	}
}

// TestMomentsWaitForALaterSession: they go to pending with the desk, and from
// there onto another, once.
func TestMomentsWaitForALaterSession(t *testing.T) {
	dir := t.TempDir()
	p, one, two := Pending{filepath.Join(dir, "pending")}, Desk{filepath.Join(dir, "base", "s1")},
		Desk{filepath.Join(dir, "base", "s2")}
	done := Moment{memory.Progress, "Phase 2 is done.", true}
	if err := one.Note(done); err != nil {
		t.Fatal(err)
	}
	if err := one.Put(Context{Category: memory.Decision, Score: 1,
		Snippets: []Snippet{{Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Take("s1", one); err != nil {
		t.Fatal(err)
	}
	tom := Moment{memory.Entity, "Tom joined the team.", true}
	if err := two.Note(tom, done); err != nil {
		t.Fatal(err)
	}
	if waiting, err := p.Waiting(); err != nil || len(waiting) != 1 {
		t.Errorf("%v, %v", waiting, err)
	}
	for range 2 {
		if _, err := p.Claim(two); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := two.Moments(); err != nil || !reflect.DeepEqual(said, []Moment{tom, done}) {
		t.Errorf("%+v, %v", said, err)
	}
}

func TestMomentsOfANewerVersion(t *testing.T) {
	d := Desk{filepath.Join(t.TempDir(), "base", "s1")}
	if err := d.Write(MomentsName, []byte(`{"version":99,"moments":7}`)); err != nil {
		t.Fatal(err)
	}
	if err := d.Note(Moment{memory.Progress, "x", true}); !errors.Is(err, ErrNewer) {
		t.Errorf("%v", err)
	}
	if b, err := d.Read(MomentsName); err != nil || !strings.Contains(string(b), "99") {
		t.Errorf("%s, %v", b, err)
	}
}
