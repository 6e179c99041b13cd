package standing

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/memory/ancestry"
)

func TestBranches(t *testing.T) {
	f := BranchFile{filepath.Join(t.TempDir(), "standing", "branches.json")}
	if b, err := f.Read(); err != nil || len(b.Works)+len(b.Views) > 0 {
		t.Errorf("without a file: %v, %v", b, err)
	}
	if err := f.Update(func(*Branches) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Error("a file of nothing")
	}
	since := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	of := memory.Branch{Name: "feat/x", Head: strings.Repeat("1", 40)}
	put := func(b *Branches) {
		b.Works["decisions/a.json"] = ancestry.Work{Branch: of, First: "2", Gone: since}
		b.Works["decisions/b.json"] = ancestry.Work{Branch: of, Asked: true}
		b.Views["/shop"] = View{View: ancestry.View{On: "main", Default: []string{"3"}}, Seen: "s",
			Facts: map[string]ancestry.Facts{"decisions/a.json": {Here: ancestry.No, Branch: ancestry.Yes}}}
	}
	if err := f.Update(put); err != nil {
		t.Fatal(err)
	}
	got, err := f.Read()
	want := Branches{Version: 1, Works: map[string]ancestry.Work{}, Views: map[string]View{}}
	put(&want)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v, %v", got, want, err)
	}
	if gone := got.Gone(); len(gone) != 1 || !gone["decisions/a.json"].Equal(since) {
		t.Error(gone)
	}
	before, _ := os.Stat(f.Path)
	if err := f.Update(put); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(f.Path); !os.SameFile(before, after) || before.Mode().Perm() != 0o600 {
		t.Error("what did not change was written, or others may read it")
	}

	for name, text := range map[string]string{"empty": "", "later": `{"version": 2}`, "no JSON": "works"} {
		if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, err := f.Read(); err == nil || len(b.Works) > 0 {
			t.Errorf("%s: %v, %v", name, b, err)
		}
		if err := f.Update(put); err == nil {
			t.Errorf("%s: written over", name)
		}
	}
	if err := (BranchFile{}).Update(put); err != nil {
		t.Error("without a state folder:", err)
	}
}
