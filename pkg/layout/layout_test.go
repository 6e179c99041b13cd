package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func real(t *testing.T, p string) string {
	t.Helper()
	r, err := filepath.EvalSymlinks(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKey(t *testing.T) {
	a, b := Key("/home/x/My Project!"), Key("/home/y/My Project!")
	if a == b || !strings.HasPrefix(a, "my-project-") || len(a) != len("my-project-")+12 ||
		Key("/home/x/My Project!") != a {
		t.Errorf("%s, %s", a, b)
	}
	for _, odd := range []string{"/", "/日本語", "/" + strings.Repeat("a", 300), "/..", "/a\nb"} {
		k := Key(odd)
		if len(k) > 60 || strings.ContainsAny(k, "/\n.") || k == "" {
			t.Errorf("%q: %q", odd, k)
		}
	}
	if StageName("/p") != ".keepsake-staging-"+Key("/p")[len(Key("/p"))-12:] {
		t.Error(StageName("/p"))
	}
}

func TestSessionIsOnePlainName(t *testing.T) {
	if id := "b4cf1a5e-5a52-4c0b-9b0e-0123456789ab"; Session(id) != id {
		t.Error(Session(id))
	}
	seen := map[string]string{}
	for _, odd := range []string{"", "../../etc", "a/b", ".", "..", "-rf", "a\x00b", "ä",
		strings.Repeat("x", 65), ".lock"} {
		s := Session(odd)
		if len(s) != 33 || strings.ContainsAny(s, "/.\x00") || seen[s] != "" {
			t.Errorf("%q: %q", odd, s)
		}
		seen[s] = odd
	}
}

func TestStageBaseTiers(t *testing.T) {
	mk := func(mode os.FileMode) string {
		d := filepath.Join(t.TempDir(), "run")
		os.Mkdir(d, 0o700)
		os.Chmod(d, mode)
		return d
	}
	good := mk(0o700)
	linked := filepath.Join(t.TempDir(), "link")
	os.Symlink(good, linked)
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o700)
	// /run/user/UID would be taken next where it exists; then its tier is right too.
	cache := t.TempDir()
	for name, c := range map[string]struct{ dir, tier string }{
		"private":          {good, "XDG_RUNTIME_DIR"},
		"open to others":   {mk(0o777), ""},
		"group may look":   {mk(0o750), ""},
		"a link":           {linked, ""},
		"a file":           {file, ""},
		"relative":         {"run", ""},
		"missing":          {filepath.Join(cache, "none"), ""},
		"not set":          {"", ""},
		"mode is not 0700": {mk(0o500), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", c.dir)
			t.Setenv("XDG_CACHE_HOME", cache)
			dir, tier, err := Load().StageBase()
			if err != nil {
				t.Fatal(err)
			}
			if c.tier != "" && (tier != c.tier || dir != c.dir) {
				t.Errorf("%s of %s", dir, tier)
			}
			if c.tier == "" && tier == "XDG_RUNTIME_DIR" {
				t.Errorf("accepted %s", dir)
			}
			if strings.HasPrefix(dir, os.TempDir()) && !strings.HasPrefix(dir, cache) && dir != good {
				t.Errorf("the shared temp directory: %s", dir)
			}
		})
	}
	t.Run("the cache is made private", func(t *testing.T) {
		t.Setenv("XDG_RUNTIME_DIR", "")
		t.Setenv("XDG_CACHE_HOME", cache)
		os.MkdirAll(filepath.Join(cache, "keepsake", "staging"), 0o755)
		os.Chmod(filepath.Join(cache, "keepsake", "staging"), 0o755)
		dir, tier, err := Load().StageBase()
		if err != nil || tier != "cache" {
			return // this machine has a better tier
		}
		if fi, _ := os.Stat(dir); fi.Mode().Perm() != 0o700 {
			t.Errorf("mode %v", fi.Mode())
		}
	})
}

func TestLoadFollowsTheEnvironment(t *testing.T) {
	t.Setenv("HOME", "/h")
	t.Setenv("XDG_STATE_HOME", "/s")
	t.Setenv("XDG_DATA_HOME", "/d")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "cache")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	want := Dirs{Config: "/h/.config/keepsake", Data: "/d/keepsake", State: "/s/keepsake",
		Cache: "/h/.cache/keepsake", Runtime: "/run/user/7"}
	if d := Load(); d != want {
		t.Errorf("%+v, want %+v", d, want)
	}
	for _, home := range []string{"", "h"} { // below it nothing would be the person's
		t.Setenv("HOME", home)
		want.Config, want.Cache = "", ""
		if d := Load(); d != want {
			t.Errorf("HOME=%q: %+v, want %+v", home, d, want)
		}
	}
}

// TestRedirected: what a project's settings lead into the project counts for nothing, the place of excerpts
// included.
func TestRedirected(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(t.TempDir(), "p")
	inside := func(name string) string { return filepath.Join(project, name) }
	all := Dirs{Config: inside("config"), Data: inside("data"), State: inside("state"),
		Cache: inside("cache"), Runtime: inside("run")}
	own, refused := all.Trusted(Place{Dir: project, Home: project}, func() string { return home })
	if own != UsualDirs(home) || len(refused) != 5 {
		t.Errorf("%+v, refused %q", own, refused)
	}
	elsewhere := Dirs{State: filepath.Join(home, "state"), Runtime: "/run/user/7"}
	if own, refused := elsewhere.Trusted(Place{Dir: project, Home: project},
		func() string { return home }); own != elsewhere || refused != nil {
		t.Errorf("%+v, refused %q", own, refused)
	}
}
