package standing

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

func TestRows(t *testing.T) {
	ctx := context.Background()
	f := File{filepath.Join(t.TempDir(), "state", "standing", "tree.json")}
	if rows, err := f.Read(); rows != nil || err != nil {
		t.Errorf("without a file: %v, %v", rows, err)
	}
	if err := f.Replace(ctx, Check, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Error("a file without rows")
	}
	check := []Row{
		{Path: "decisions/b.json", Digest: "d1", Text: "its check fails: x.go is gone"},
		{Path: "decisions/a.json", Digest: "d2", Text: "its check fails: y.go is gone", LeaveOut: true},
	}
	branch := []Row{{Path: "decisions/b.json", Text: "made on feature/x", LeaveOut: true}}
	for kind, rows := range map[Kind][]Row{Check: check, Branch: branch} {
		if err := f.Replace(ctx, kind, rows); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := f.Read()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	got := rows.Of("decisions/b.json", "d1")
	want := []Row{{"decisions/b.json", "d1", Check, "its check fails: x.go is gone", false},
		{"decisions/b.json", "", Branch, "made on feature/x", true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if why, is := LeftOut(got); !is || why != "made on feature/x" {
		t.Error(why, is)
	}
	if got := rows.Of("decisions/b.json", "changed"); !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("of other bytes: %v", got)
	}
	if why, is := LeftOut(rows.Of("decisions/none.json", "")); is {
		t.Error(why)
	}
	before, _ := os.Stat(f.Path)
	if err := f.Replace(ctx, Branch, branch); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(f.Path); !os.SameFile(before, after) {
		t.Error("what did not change was written")
	}
	if before.Mode().Perm() != 0o600 {
		t.Error(before.Mode())
	}
	if err := f.Replace(ctx, Check, nil); err != nil {
		t.Fatal(err)
	}
	if rows, err := f.Read(); err != nil || len(rows) != 1 || rows[0].Kind != Branch {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestBroken(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no JSON": "rows", "a later version": `{"version": 2, "rows": []}`,
		"an unknown kind": `{"version": 1, "rows": [{"path": "a", "kind": "mood", "text": "x"}]}`,
		"no text":         `{"version": 1, "rows": [{"path": "a", "kind": "check"}]}`,
		"no path":         `{"version": 1, "rows": [{"kind": "check", "text": "x"}]}`,
	} {
		f := File{filepath.Join(t.TempDir(), "tree.json")}
		if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if rows, err := f.Read(); err == nil || rows != nil {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
		if err := f.Replace(context.Background(), Check, []Row{{Path: "a", Text: "x"}}); err != nil {
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
	if err := (File{}).Replace(context.Background(), Check, []Row{{Path: "a", Text: "x"}}); err != nil {
		t.Error(err)
	}
}

// TestTogether: two sessions that start at once lose no kind of each other.
func TestTogether(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "tree.json")}
	long := strings.Repeat("é", maxText)
	var both sync.WaitGroup
	for _, kind := range []Kind{Check, Branch} {
		both.Go(func() {
			for range 20 {
				for _, text := range []string{"x", long} {
					row := Row{Path: string(kind), Text: text}
					if err := f.Replace(context.Background(), kind, []Row{row}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	both.Wait()
	rows, err := f.Read()
	if err != nil || len(rows) != 2 || len(rows[0].Text) > maxText+len("…") {
		t.Errorf("%v, %v", rows, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version": 1, "rows": [{"path": "a", "kind": "check", "text": "x", "leave_out": true}]}`))
	f.Add([]byte(`{"version": 1, "rows": [{"path": "b"}, {}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := parse(b)
		if err != nil && rows != nil {
			t.Error("rows beside an error")
		}
		for _, r := range rows {
			if len(rows.Of(r.Path, r.Digest)) == 0 {
				t.Errorf("%q is not found", r.Path)
			}
		}
	})
}
