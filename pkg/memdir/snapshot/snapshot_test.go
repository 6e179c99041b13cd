package snapshot

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A folder is a directory of memories by name and text.
type folder map[string]string

func (f folder) files(version int64) (all []File) {
	for name, text := range f {
		all = append(all, File{Name: name, Size: int64(len(text)), Modified: version})
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (f folder) read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func take(t *testing.T, b Box, at time.Time, f folder, version int64) string {
	t.Helper()
	_, is, err := b.Take(at, f.files(version), f.read, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return is.Name
}

func names(t *testing.T, b Box) []string {
	t.Helper()
	all, err := b.Names()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTake keeps a copy of each text once, and takes no snapshot of what it has.
func TestTake(t *testing.T) {
	b := Box{filepath.Join(t.TempDir(), "notes", "snapshots")}
	if name := take(t, b, day, folder{}, 1); name != "" || len(names(t, b)) != 0 {
		t.Errorf("a snapshot of nothing: %q", name)
	}
	f := folder{"MEMORY.md": "- [A](a.md) — a\n", "a.md": "old\n", "empty.md": ""}
	first := take(t, b, day, f, 1)
	if again := take(t, b, day.Add(time.Hour), f, 1); again != first {
		t.Errorf("nothing changed: %s and %s", first, again)
	}
	if again := take(t, b, day.Add(time.Hour), f, 2); again != first || len(names(t, b)) != 1 {
		t.Errorf("written again with the same text: %s and %s", first, again)
	}
	f["a.md"] = "new\n"
	delete(f, "empty.md")
	f["b.md"] = "old\n"
	second := take(t, b, day.Add(2*time.Hour), f, 3)
	was, err := b.Load(first)
	is, ierr := b.Load(second)
	if err != nil || ierr != nil {
		t.Fatal(err, ierr)
	}
	var got []string
	for _, c := range Diff(was, is) {
		got = append(got, fmt.Sprintf("%s>%s %s", c.Was.Name, c.Is.Name, c.Moved))
	}
	if want := []string{"a.md>a.md ", "empty.md> ", ">b.md "}; !slices.Equal(got, want) {
		t.Errorf("differs %q, want %q", got, want)
	}
	for _, x := range was.Files {
		if text, err := b.Read(x); err != nil ||
			string(text) != map[string]string{"MEMORY.md": "- [A](a.md) — a\n", "a.md": "old\n"}[x.Name] {
			t.Errorf("%s: %q %v", x.Name, text, err)
		}
	}
	if all, _ := os.ReadDir(b.copies()); len(all) != 4 {
		t.Errorf("%d copies of 4 texts", len(all))
	}
	err = filepath.WalkDir(filepath.Dir(b.Dir), func(path string, d fs.DirEntry, err error) error {
		if info, _ := d.Info(); info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDiffOfMoves: what lies under another name is not gone.
func TestDiffOfMoves(t *testing.T) {
	was := Snapshot{Files: []File{{Name: "a.md", Digest: "1"}, {Name: "b.md", Digest: "2"}, {Name: "c.md"}}}
	over := Diff(Snapshot{Files: []File{{Name: "a.md", Digest: "1"}, {Name: "b.md", Digest: "2"}}},
		Snapshot{Files: []File{{Name: "b.md", Digest: "1"}}})
	if len(over) != 2 || over[0].Moved != "b.md" || over[1].Is.Name != "b.md" {
		t.Errorf("moved over another: %+v", over)
	}
	is := Snapshot{Files: []File{{Name: "archive/a.md", Digest: "1"}}}
	all := Diff(was, is)
	if gone := Gone(all); len(all) != 3 || len(gone) != 2 || gone[0].Name != "b.md" ||
		gone[1].Name != "c.md" || all[0].Moved != "archive/a.md" {
		t.Errorf("%+v", all)
	}
}

// TestTakeInTime: what there was no time for is copied the next time.
func TestTakeInTime(t *testing.T) {
	b := Box{t.TempDir()}
	f := folder{"a.md": "a", "b.md": "b"}
	_, late, err := b.Take(day, f.files(1), f.read, -1)
	s, lerr := b.Load(late.Name)
	if err != nil || lerr != nil || len(s.Files) != 2 || s.Files[0].Digest != "" {
		t.Fatalf("%+v %v %v", s, err, lerr)
	}
	if _, err := b.Read(s.Files[0]); err == nil || !strings.Contains(err.Error(), "a.md") {
		t.Errorf("read: %v", err)
	}
	s, err = b.Load(take(t, b, day.Add(time.Hour), f, 1))
	if err != nil || s.Files[0].Digest == "" || s.Files[1].Digest == "" {
		t.Errorf("%+v %v", s, err)
	}
}

// TestBoxStaysSmall keeps thirty, the last of each day rather than all of today, and
// forgets the copies that no snapshot has.
func TestBoxStaysSmall(t *testing.T) {
	b := Box{t.TempDir()}
	n := 0
	next := func(at time.Time) string {
		n++
		return take(t, b, at, folder{"a.md": fmt.Sprint("text ", n)}, int64(n))
	}
	var lasts []string
	for d := range 5 {
		for h := range 3 {
			lasts = append(lasts[:min(len(lasts), d)],
				next(day.AddDate(0, 0, d).Add(time.Duration(h)*time.Hour)))
		}
	}
	for i := range 60 {
		next(day.AddDate(0, 0, 5).Add(time.Duration(i) * time.Minute))
	}
	all := names(t, b)
	if len(all) > maxKept || len(all) < maxKept-more || !slices.Equal(all[:5], lasts) {
		t.Errorf("%d kept: %q, want first %q", len(all), all, lasts)
	}
	if copies, _ := os.ReadDir(b.copies()); len(copies) != len(all) {
		t.Errorf("%d copies for %d snapshots", len(copies), len(all))
	}
	for d := range maxKept + 3 {
		next(day.AddDate(0, 1, d))
	}
	if all := names(t, b); len(all) > maxKept || len(all) < maxKept-more || all[0] <= lasts[0] {
		t.Errorf("one a day: %d from %s on", len(all), all[0])
	}
}

// TestBoxBytes: the copies take no more than they may, and the newest snapshot stays.
func TestBoxBytes(t *testing.T) {
	b := Box{t.TempDir()}
	big := strings.Repeat("x", maxFile-16)
	for i := range 4 {
		f := folder{}
		for j := range 40 {
			f[fmt.Sprintf("%d.md", j)] = fmt.Sprintf("%d %d %s", i, j, big)
		}
		take(t, b, day.AddDate(0, 0, i), f, int64(i))
	}
	size, err := b.size()
	if all := names(t, b); err != nil || size > maxBytes || len(all) != 3 {
		t.Errorf("%d bytes in %d snapshots, %v", size, len(all), err)
	}
}

// TestDamage: a damaged list costs itself, a damaged copy is told.
func TestDamage(t *testing.T) {
	b := Box{t.TempDir()}
	f := folder{"a.md": "a"}
	first := take(t, b, day, f, 1)
	s, err := b.Load(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.copies(), s.Files[0].Digest), []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Read(s.Files[0]); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged copy: %v", err)
	}
	if err := os.WriteFile(b.list(first), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Load(first); err == nil {
		t.Error("a damaged list was read")
	}
	if second := take(t, b, day.Add(time.Hour), f, 1); second == first {
		t.Error("no snapshot after a damaged one")
	}
	if back := take(t, b, day.AddDate(0, 0, -1), folder{"a.md": "c"}, 2); back != names(t, b)[2] {
		t.Errorf("the clock was set back: %s in %q", back, names(t, b))
	}
}
