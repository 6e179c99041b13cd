package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/memdir/lessons"
)

// TestInstincts reads those that are active, and says which can't be read.
func TestInstincts(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	if got, err := s.Instincts(); err != nil || len(got) > 0 {
		t.Errorf("without any: %v, %v", got, err)
	}
	dir := filepath.Join(s.Config.Memdir.Dir, filepath.FromSlash(lessons.Instincts))
	for name, text := range map[string]string{
		"a.yaml":     "trigger: a release\naction: tag it\n",
		"b.yaml":     "trigger: b\naction: b\nstatus: off\n",
		"broken.yml": "trigger: c\n",
		"d.yaml":     "trigger: d\n",
		"e.yaml":     "trigger: \"" + strings.Repeat("e", maxInstinct) + "\"\n",
		".f.yaml":    "trigger: f\naction: f\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Instincts()
	if len(got) != 1 || got[0].Action != "tag it" {
		t.Errorf("%+v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "d.yaml: has no trigger or no action") ||
		!strings.Contains(err.Error(), "e.yaml") || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("%v", err)
	}
}
