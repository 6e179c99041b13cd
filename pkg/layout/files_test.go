package layout

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// methods calls every method of v that takes no argument and returns a path.
func methods(v any) map[string]string {
	all := map[string]string{}
	r := reflect.ValueOf(v)
	for i := range r.NumMethod() {
		if m := r.Type().Method(i); m.Type.NumIn() == 1 && m.Type.NumOut() == 1 &&
			m.Type.Out(0).Kind() == reflect.String {
			all[m.Name] = r.Method(i).Call(nil)[0].String()
		}
	}
	return all
}

// TestStatePaths: every path of a project lies in its own folder and is another one, and without a home there
// is
// none: a relative path would lie in the project.
func TestStatePaths(t *testing.T) {
	d := Dirs{Config: "/c", Data: "/d", State: "/s", Cache: "/k"}
	s := d.Of("/srv/app")
	seen := map[string]string{}
	for name, path := range methods(s) {
		if !strings.HasPrefix(path, "/s/app-") || seen[path] != "" {
			t.Errorf("%s is %s, as is %q", name, path, seen[path])
		}
		seen[path] = name
	}
	if len(seen) < 12 || s.Session("s1") != filepath.Join(s.Sessions(), "s1.json") || !s.Is("/srv/app") ||
		s.Is("/srv/b") {
		t.Errorf("%v", seen)
	}
	none := Dirs{}
	for name, path := range methods(none.Of("/srv/app")) {
		if path != "" {
			t.Errorf("%s without a home is %s", name, path)
		}
	}
	for name, path := range methods(none) {
		if path != "" {
			t.Errorf("%s without a home is %s", name, path)
		}
	}
	for _, path := range []string{none.Beside("/m"), none.Cached("x"), none.ProjectCached("/p", "x"),
		none.Of("/p").Session("s")} {
		if path != "" {
			t.Errorf("%s without a home", path)
		}
	}
}

func TestStates(t *testing.T) {
	dir := t.TempDir()
	d := Dirs{State: filepath.Join(dir, "none")}
	if all, err := d.States(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	d.State = dir
	if err := os.Mkdir(filepath.Join(dir, "app-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := d.States()
	if want := []State{State(filepath.Join(dir, "app-1"))}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v, %v", all, err)
	}
}

// TestDirsForAPlaceInTheProject: a variable that puts Keepsake's folders into the project moves nothing.
func TestDirsForAPlaceInTheProject(t *testing.T) {
	base := real(t, t.TempDir())
	p, home := Place{Dir: filepath.Join(base, "p"), Home: filepath.Join(base, "p")},
		filepath.Join(base, "home")
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(p.Dir, "state"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(p.Dir, "cache"))
	d := DirsFor(p, filepath.Join(home, ".claude", "projects", "-p", "s.jsonl"))
	if usual := UsualDirs(home); d.State != usual.State || d.Cache != usual.Cache {
		t.Errorf("%+v", d)
	}
}

// TestBin: what is installed is found from where the program that runs lies.
func TestBin(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Dir(real(t, exe))
	if Bin() != bin || Plugin() != filepath.Dir(bin) || Program() != filepath.Join(bin, "keepsake") ||
		Libexec("judge") != filepath.Join(bin, "libexec", "judge") {
		t.Errorf("%s, %s, %s, %s", Bin(), Plugin(), Program(), Libexec("judge"))
	}
}
