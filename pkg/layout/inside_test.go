package layout

import (
	"os"
	"path/filepath"
	"testing"
)

// TestInside: what lies in a project is told by the way that links lead, also to what is not there yet.
func TestInside(t *testing.T) {
	base := t.TempDir()
	project, other := filepath.Join(base, "project"), filepath.Join(base, "other")
	for _, dir := range []string{project + "/sub", other} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		other + "/in": project, project + "/out": other, base + "/home": project + "/not/yet",
		project + "/away": "../other/not/yet",
		base + "/round":   base + "/round",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		project: true, project + "/sub": true, project + "/new/file": true, other: false, base: false,
		project + "x": false, other + "/in": true, other + "/in/new/file": true, project + "/out": false,
		project + "/out/new/file": false, base + "/home": true, base + "/home/.claude": true,
		project + "/away": false, project + "/away/file": false, project + "/sub/../../other": false,
		base + "/round/file": false, "": false,
	} {
		if got := Inside(path, "", project); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if Inside(project) || Inside(project, "") {
		t.Error("inside of nothing")
	}
}

func TestRelative(t *testing.T) {
	for _, tt := range []struct {
		dir, path, rel string
		is             bool
	}{
		{"/p", "/p", ".", true},
		{"/p", "/p/a/../b.go", "b.go", true},
		{"/p", "/p/..a", "..a", true},
		{"/p", "/pq", "../pq", false},
		{"/p", "/", "..", false},
		{"/p", "a.go", "", false},
	} {
		if rel, is := Relative(tt.dir, tt.path); rel != tt.rel || is != tt.is {
			t.Errorf("%s from %s: %q, %v", tt.path, tt.dir, rel, is)
		}
	}
}

// TestBelongs: whoever may write to a folder decides where its links lead, and what leads into it is in it
// too.
func TestBelongs(t *testing.T) {
	base := real(t, t.TempDir())
	project, out := filepath.Join(base, "p"), filepath.Join(base, "out")
	for _, dir := range []string{filepath.Join(project, "bin"), out} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		filepath.Join(project, "tool"): filepath.Join(out, "tool"),
		filepath.Join(out, "into"):     filepath.Join(project, "bin"),
		filepath.Join(base, "alias"):   project,
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		"p/bin/qmd": true, "p/tool": true, "out/into/qmd": true, "alias/not/there": true,
		"out/tool": false, "out": false, "pp": false,
	} {
		if got := Belongs(filepath.Join(base, path), "", project); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if Belongs(filepath.Join(project, "x"), "") {
		t.Error("no folder has something in it")
	}
	if got, want := ParentResolved(filepath.Join(base, "alias", "tool")),
		filepath.Join(project, "tool"); got != want {
		t.Errorf("the folder without links, the link as it is: %s", got)
	}
}
