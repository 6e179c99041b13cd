package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/capture/stage"
)

func TestGoneProjects(t *testing.T) {
	project := home(t)
	now := time.Now()
	touch(t, open1(t, "s1"), func(*stage.State) {})
	other := filepath.Join(filepath.Dir(project), "other")
	os.MkdirAll(other, 0o700)
	s, err := In(other, "s2")
	if err != nil {
		t.Fatal(err)
	}
	touch(t, s, func(*stage.State) {})
	os.MkdirAll(filepath.Dir(s.cachePath("x")), 0o700)
	os.WriteFile(s.cachePath("x"), []byte("12345"), 0o600)
	look := func(at time.Time) []Gone {
		all, err := GoneProjects(s.Place.Place, at)
		if err != nil {
			t.Error(err)
		}
		return all
	}
	if all := look(now.Add(100 * day)); len(all) != 0 {
		t.Errorf("nothing is gone: %+v", all)
	}
	os.Remove(other)
	if all := look(now.Add(80 * day)); len(all) != 0 {
		t.Errorf("gone too early: %+v", all)
	}
	all := look(now.Add(100 * day))
	if len(all) != 1 || all[0].Root != other || len(all[0].Dirs) != 2 || all[0].Bytes < 5 {
		t.Fatalf("%+v", all)
	}
	os.Mkdir(other, 0o700)
	if err := all[0].Clear(); err == nil || absent(string(s.state())) {
		t.Errorf("cleared though it is there again: %v", err)
	}
	os.Remove(other)
	if err := all[0].Clear(); err != nil || !absent(string(s.state())) ||
		!absent(filepath.Dir(s.cachePath("x"))) ||
		absent(string(open1(t, "s1").state())) {
		t.Errorf("%v", err)
	}
}
