package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

type jsonForm struct {
	Version int   `json:"version"`
	Of      []int `json:"of"`
}

// TestJSONFolder has many change one file, and loses nothing.
func TestJSONFolder(t *testing.T) {
	f := JSONFolder{Dir: filepath.Join(t.TempDir(), "project", "inbox"), Lock: "x.lock", Version: 3}
	var read jsonForm
	if err := f.Load("x.json", &read); err != nil || read.Of != nil {
		t.Errorf("no folder: %v, %v", read, err)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := f.Change(func() error {
				var now jsonForm
				if err := f.Load("x.json", &now); err != nil {
					return err
				}
				return f.Save("x.json", jsonForm{3, append(now.Of, i)})
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := f.Load("x.json", &read); err != nil || len(read.Of) != 20 {
		t.Errorf("read %v, %v", read, err)
	}
	full := errors.New("full")
	if err := f.Change(func() error { return full }); !errors.Is(err, full) {
		t.Errorf("a change that fails: %v", err)
	}
	for path, want := range map[string]os.FileMode{f.Dir: 0o700, filepath.Dir(f.Dir): 0o700,
		filepath.Join(f.Dir, "x.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	// A newer version may have another form, which must not look broken.
	for text, want := range map[string]string{"{": "x.json: broken", "": "x.json: broken",
		`{"version":3,"of":{}}`: "x.json: broken", `{"version":4,"of":{}}`: "x.json: version 4: written by a " +
			"newer version"} {
		if err := os.WriteFile(filepath.Join(f.Dir, "x.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := f.Load("x.json", &read)
		if err == nil || !strings.Contains(err.Error(), want) ||
			errors.Is(err, ErrNewer) != strings.Contains(want, "newer") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if err := (JSONFolder{}).Change(func() error { return nil }); err == nil {
		t.Error("a folder without a name is changed")
	}
}
