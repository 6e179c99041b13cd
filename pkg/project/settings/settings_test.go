package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
)

// TestEditAndOverridden sets a key in the person's file and in the project's, which wins.
func TestEditAndOverridden(t *testing.T) {
	base := t.TempDir()
	s := &session.Session{Place: &session.Place{
		Dirs:  layout.Dirs{State: filepath.Join(base, "state"), Config: filepath.Join(base, "config")},
		Place: layout.Place{Home: base, Memory: filepath.Join(base, "app", ".claude", "memory")},
	}}
	if err := os.Mkdir(filepath.Join(base, "app"), 0o755); err != nil {
		t.Fatal(err)
	}
	const key = "retrieval.max_inject"
	set := func(user bool, value string) error {
		_, changed, err := Edit(t.Context(), s, user, func(text []byte) (edited []byte, err error) {
			edited, _, err = config.Set(text, key, value)
			return edited, err
		})
		if err == nil && !changed {
			t.Errorf("%s: nothing was written", value)
		}
		return err
	}
	if err := errors.Join(set(false, "4"), set(true, "7")); err != nil {
		t.Fatal(err)
	}
	if counts, by := Overridden(s, key, "7"); counts != "4" || by != s.Place.Settings() {
		t.Errorf("%q, %q", counts, by)
	}
	if counts, by := Overridden(s, key, "4"); counts != "" || by != "" {
		t.Errorf("%q, %q", counts, by)
	}
	if err := set(true, "many"); !config.IsMistake(err) {
		t.Error(err)
	}
	found, err := Read(s, key)
	if err != nil || len(found) != 1 || found[0].Value != "4" ||
		File(s, found[0].Source) != s.Place.Settings() {
		t.Errorf("%+v, %v", found, err)
	}
	if all, err := Read(s, "retrieval"); err != nil || len(all) < 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := Read(s, "no.such.key"); !errors.Is(err, config.ErrUnknown) {
		t.Error(err)
	}
	info, err := os.Stat(s.Dirs.Settings())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the person's file: %v, %v", info, err)
	}
}
