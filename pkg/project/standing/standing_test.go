package standing

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestRows(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "state", "standing", "tree.json")}
	if rows, err := f.Read(); rows != nil || err != nil {
		t.Errorf("without a file: %v, %v", rows, err)
	}
	if err := f.Replace(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Error("a file without rows")
	}
	all := []Row{
		{Path: "decisions/b.json", Digest: "d1", Text: "its check fails: x.go is gone"},
		{Path: "decisions/a.json", Digest: "d2", Text: "its check fails: y.go is gone", LeaveOut: true},
		{Path: "decisions/b.json", Text: "it expired: <2026-11-01> is past", LeaveOut: true},
	}
	if err := f.Replace(all); err != nil {
		t.Fatal(err)
	}
	rows, err := f.Read()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	got := rows.Of("decisions/b.json", "d1")
	want := []Row{all[0], all[2]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if why, is := LeftOut(got); !is || why != all[2].Text {
		t.Error(why, is)
	}
	if got := rows.Of("decisions/b.json", "changed"); !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("of other bytes: %v", got)
	}
	if why, is := LeftOut(rows.Of("decisions/none.json", "")); is {
		t.Error(why)
	}
	before, _ := os.Stat(f.Path)
	if err := f.Replace(all); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(f.Path); !os.SameFile(before, after) {
		t.Error("what did not change was written")
	}
	if before.Mode().Perm() != 0o600 {
		t.Error(before.Mode())
	}
	if err := f.Replace(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Error("a file without rows")
	}
}

// TestEarlierForm: earlier versions wrote of each row which kind it is.
func TestEarlierForm(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "tree.json")}
	text := `{"version": 1, "rows": [{"path": "a", "digest": "d", "kind": "check", "text": "x"}]}`
	if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := Rows{{Path: "a", Digest: "d", Text: "x"}}
	if rows, err := f.Read(); err != nil || !reflect.DeepEqual(rows, want) {
		t.Error(rows, err)
	}
}

func TestBroken(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no JSON": "rows", "a later version": `{"version": 2, "rows": []}`,
		"another form": `{"version": 1, "rows": {"a": "x"}}`,
	} {
		f := File{filepath.Join(t.TempDir(), "tree.json")}
		if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if rows, err := f.Read(); err == nil || rows != nil {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
		if err := f.Replace([]Row{{Path: "a", Text: "x"}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if rows, err := f.Read(); err != nil || len(rows) != 1 {
			t.Errorf("%s: made anew: %v, %v", name, rows, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "tree.json")); err != nil {
		t.Fatal(err)
	}
	if rows, err := (File{filepath.Join(dir, "tree.json")}).Read(); err == nil {
		t.Error("a link was followed:", rows)
	}
	if rows, err := (File{}).Read(); rows != nil || err != nil {
		t.Error("without a state folder:", rows, err)
	}
	if err := (File{}).Replace([]Row{{Path: "a", Text: "x"}}); err != nil {
		t.Error(err)
	}
}

// TestTogether: of two sessions that start at once, one is the last.
func TestTogether(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "tree.json")}
	long := strings.Repeat("é", maxText)
	var both sync.WaitGroup
	for _, path := range []string{"a", "b"} {
		both.Go(func() {
			for range 20 {
				for _, text := range []string{"x", long} {
					if err := f.Replace([]Row{{Path: path, Text: text}}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	both.Wait()
	rows, err := f.Read()
	if err != nil || len(rows) != 1 || len(rows[0].Text) > maxText+len("…") {
		t.Errorf("%v, %v", rows, err)
	}
}

// TestChoices: a choice is for one version of a record, and takes the place of the one before.
func TestChoices(t *testing.T) {
	c := Choices{filepath.Join(t.TempDir(), "standing", "choices.json")}
	if all, err := c.Read(); all != nil || err != nil {
		t.Errorf("without a file: %v, %v", all, err)
	}
	one := func(path, digest string, to Choice) Chosen {
		return Chosen{Path: path, Digest: digest, Choice: to}
	}
	for _, to := range []Chosen{one("a.json", "1", Keep), one("b.json", "1", LeaveOut),
		one("a.json", "2", LeaveOut)} {
		if err := c.Set(to); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Read()
	if err != nil || len(all) != 2 || Of(all, "a.json", "2") != LeaveOut || Of(all, "a.json", "1") != "" {
		t.Errorf("%v, %v", all, err)
	}
	if err := c.Set(Chosen{Path: "a.json"}); err != nil {
		t.Fatal(err)
	}
	if all, err = c.Read(); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	if err := os.WriteFile(c.Path, []byte("no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Set(one("a.json", "1", Keep)); err == nil {
		t.Error("what can't be read is written over")
	}
	if err := (Choices{}).Set(one("a.json", "1", Keep)); err == nil {
		t.Error("without a state folder it is kept nowhere")
	}
}

// TestBoth: that two records both hold is for one version of each, in any order, beside what was chosen for
// each alone.
func TestBoth(t *testing.T) {
	c := Choices{filepath.Join(t.TempDir(), "standing", "choices.json")}
	for _, to := range []Chosen{{Path: "a.json", Digest: "1", Choice: Keep},
		Both("b.json", "1", "a.json", "1"), Both("a.json", "1", "c.json", "1"),
		Both("c.json", "2", "a.json", "1")} {
		if err := c.Set(to); err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.Read()
	if err != nil || len(all) != 3 || Of(all, "a.json", "1") != Keep {
		t.Errorf("%v, %v", all, err)
	}
	for want, both := range map[Chosen]bool{Both("a.json", "1", "b.json", "1"): true,
		Both("b.json", "1", "a.json", "1"): true, Both("a.json", "1", "c.json", "2"): true,
		Both("a.json", "1", "c.json", "1"): false, Both("a.json", "2", "b.json", "1"): false,
		Both("b.json", "1", "c.json", "2"): false} {
		if got := slices.Contains(all, want); got != both {
			t.Errorf("%+v: %v", want, got)
		}
	}
	if err := c.Set(Chosen{Path: "a.json"}); err != nil {
		t.Fatal(err)
	}
	if all, err = c.Read(); err != nil || len(all) != 2 || Of(all, "a.json", "1") != "" {
		t.Errorf("%v, %v", all, err)
	}
	if err := c.Forget("a.json"); err != nil {
		t.Fatal(err)
	}
	if all, err = c.Read(); err != nil || len(all) != 0 {
		t.Errorf("of a record that was forgotten is left %v, %v", all, err)
	}
	if err := (Choices{}).Forget("a.json"); err != nil {
		t.Error(err)
	}
}
