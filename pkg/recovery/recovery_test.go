package recovery

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memdir/snapshot"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

func TestMissingLines(t *testing.T) {
	kept := map[string]bool{"one": true, "two": true}
	for text, want := range map[string][]string{
		"": {}, "one\n  two  \n": {}, "one\n\nthree\n  four\n": {"three", "four"},
	} {
		if got := missingLines([]byte(text), kept); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// memories is a directory of Markdown memories with three snapshots: of two files on the first day,
// with one changed on the second, with the other deleted on the third.
func memories(t *testing.T) (Directory, time.Time) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "memory")
	place := &session.Place{Dirs: layout.Dirs{State: filepath.Join(base, "state")}}
	s := &session.Session{Place: place, Memdir: &session.Memdir{InFlight: &session.InFlight{Place: place}}}
	put := func(name, text string) {
		t.Helper()
		err := errors.Join(os.MkdirAll(dir, 0o700),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	day := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	open := func(at time.Time) Directory {
		t.Helper()
		all, err := Open(s, []string{dir, filepath.Join(base, "none")}, at, func(err error) { t.Error(err) })
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	put("MEMORY.md", "# Memory\n\n- [A](a.md)\n- [B](b.md)\n")
	put("a.md", "# A\n\nfirst\n")
	put("b.md", "# B\n\nkept\n")
	open(day)
	put("a.md", "# A\n\nsecond\n")
	open(day.AddDate(0, 0, 1))
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	put("MEMORY.md", "# Memory\n\n- [A](a.md)\n")
	return open(day.AddDate(0, 0, 2)), day
}

func TestChoose(t *testing.T) {
	d, _ := memories(t)
	for _, tt := range []struct {
		which  string
		number int
		err    string
	}{
		{"", 2, ""}, // the newest since which a file was lost
		{"1", 1, ""}, {"3", 3, ""}, {"4", 0, "snapshot 4: there are 3"}, {"0", 0, "snapshot 0"},
		{"2026-11-20", 3, ""}, {"2026-11-21T09:00", 2, ""}, {"2026-11-21T08:00Z", 3, ""},
		{"2030-01-01", 1, ""},
		{"2026-11-19", 0, "no snapshot is that old"}, {"yesterday", 0, ErrWhich.Error()},
	} {
		p, err := Choose([]Directory{d}, tt.which, nil, func(error) {})
		if said := ""; err != nil {
			if said = err.Error(); tt.err == "" || !strings.Contains(said, tt.err) {
				t.Errorf("%q: %v", tt.which, err)
			}
		} else if p.Number != tt.number || tt.err != "" {
			t.Errorf("%q: snapshot %d, want %d", tt.which, p.Number, tt.number)
		}
	}
}

func TestChangesAndBack(t *testing.T) {
	d, _ := memories(t)
	p, err := Choose([]Directory{d}, "3", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := p.Changes(func(err error) { t.Error(err) })
	want := []Change{
		{Kind: Changed, Name: "MEMORY.md", Lines: []string{"- [B](b.md)"}},
		{Kind: Changed, Name: "a.md", Lines: []string{"first"}}, {Kind: Gone, Name: "b.md"},
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	if err != nil || !reflect.DeepEqual(changes, want) {
		t.Errorf("%+v, %v", changes, err)
	}
	back, err := p.BringBack(nil)
	if err != nil || len(back.Edits) != 2 || back.Edits[0].Path != "b.md" ||
		!strings.Contains(string(back.Edits[1].After), "- [B](b.md)") {
		t.Errorf("%+v, %v", back, err)
	}
	was, same, err := p.AsItWas([]string{filepath.Join(d.Root, "a.md"), "./b.md"})
	if err != nil || len(same) > 0 || len(was.Edits) != 3 || string(was.Edits[0].After) != "# A\n\nfirst\n" ||
		!strings.Contains(string(was.Edits[2].After), "- [B](b.md)") {
		t.Errorf("%+v, %q, %v", was, same, err)
	}
	free, err := Choose([]Directory{d}, "", []string{"a.md"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The newest snapshot since which a file was lost has a.md as it is now.
	if was, same, err := free.AsItWas([]string{"a.md", "b.md"}); err != nil || len(same) > 0 ||
		free.Number != 3 ||
		len(was.Edits) != 3 || string(was.Edits[0].After) != "# A\n\nfirst\n" ||
		was.Edits[1].Verb != plan.Create {
		t.Errorf("%+v, %q, %v", was, same, err)
	}
	newest, err := d.Version(0)
	if err != nil {
		t.Fatal(err)
	}
	now := Pick{Directory: d, Version: newest}
	if _, same, err := now.AsItWas([]string{"a.md"}); err != nil || !slices.Equal(same, []string{"a.md"}) {
		t.Errorf("%q, %v", same, err)
	}
	if _, _, err := now.AsItWas([]string{"b.md"}); err == nil ||
		!strings.Contains(err.Error(), "is not in snapshot 1") {
		t.Error(err)
	}
}

func TestHad(t *testing.T) {
	d := Directory{Root: "/m", all: []snapshot.Snapshot{{Files: []snapshot.File{{Name: "a.md"}}},
		{Files: []snapshot.File{{Name: "sub/b.md"}}}}}
	for names, want := range map[string]bool{"a.md": true, "/m/sub/b.md": true, "a.md,sub/b.md": true,
		"a.md,c.md": false} {
		if got := d.had(strings.Split(names, ",")); got != want {
			t.Errorf("%s: %v", names, got)
		}
	}
}
