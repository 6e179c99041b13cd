package layout

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPalacesOfItsSettings: what MemPalace's settings name is protected, by every
// reading of them that there could be.
func TestPalacesOfItsSettings(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // below the home, or absolute
	}{
		"plain":       {`{"palace_path": "/srv/minds"}`, []string{"/srv/minds"}},
		"in the home": {`{"palace_path": "~/minds"}`, []string{"minds"}},
		"said twice": {`{"palace_path": "/srv/a", "palace_path": "/srv/b"}`,
			[]string{"/srv/a", "/srv/b"}},
		"another key":     {`{"palace_path": "/srv/a", "PALACE_PATH": "/srv/b"}`, []string{"/srv/a"}},
		"as Python reads": {`{"palace_path": "/srv/a", "limit": NaN}`, []string{"/srv/a"}},
		"no text":         {`{"palace_path": 7}`, nil},
		"relative":        {`{"palace_path": "minds"}`, nil},
		"broken":          {`{`, nil},
		"empty":           {``, nil},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for _, v := range []string{"XDG_CONFIG_HOME", "MEMPALACE_CONFIG_DIR", "MEMPALACE_PALACE_PATH",
				"MEMPALACE_PALACE", "MEMPAL_PALACE_PATH"} {
				t.Setenv(v, "")
			}
			usual := Palaces([]string{home})
			dir := filepath.Join(home, ".mempalace")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			want := usual
			for _, w := range c.want {
				if !filepath.IsAbs(w) {
					w = filepath.Join(home, w)
				}
				want = append(want, w)
			}
			if got := Palaces([]string{home}); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
