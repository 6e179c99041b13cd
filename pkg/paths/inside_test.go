package paths

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
