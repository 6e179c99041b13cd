package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestState: a file of the same size that keeps its time is another one after it was written.
func TestState(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	old := time.Now().AddDate(0, -9, 0).Truncate(time.Second)
	state := func(text string) string {
		d, err := Hold(filepath.Dir(path), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		p, err := d.Prepare("file", ".file", []byte(text), 0o600, old, false)
		if err == nil {
			err = p.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil || !info.ModTime().Equal(old) {
			t.Fatalf("written on %v, want %v: %v", info.ModTime(), old, err)
		}
		if !Changed(info).After(old) {
			t.Error("it doesn't say that it was changed")
		}
		return State(info)
	}
	if a, b := state("one"), state("two"); a == b {
		t.Errorf("both are %s", a)
	}
}
