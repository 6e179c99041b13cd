package kept

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestOpen: an index is opened with what it was made of; what is damaged makes it old,
// or none.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.idx")
	broken := errors.New("not whole")
	open := func(base io.ReaderAt, size int64, delta []byte) (string, error) {
		b := make([]byte, size)
		if _, err := base.ReadAt(b, 0); err != nil || !bytes.HasPrefix(b, []byte("base")) {
			return "", broken
		}
		if delta != nil && !bytes.HasPrefix(delta, b[len("base"):]) {
			return "", broken // of another base
		}
		return string(b) + string(delta), nil
	}
	want := func(what, ix, made string, there bool) {
		t.Helper()
		got, was, file := Open(path, open)
		if got != ix || string(was) != made || (file != nil) != there {
			t.Errorf("%s: %q of %q, %v", what, got, was, file)
		}
		if file != nil {
			file.Close()
		}
	}
	save := func(made, base, delta string) {
		t.Helper()
		b := []byte(base)
		if base == "" {
			b = nil
		}
		if err := Save(path, []byte(made), b, []byte(delta)); err != nil {
			t.Fatal(err)
		}
	}
	want("nothing is kept", "", "", false)
	save("now", "base1", "1 changes")
	want("it is kept", "base11 changes", "now", true)
	save("later", "", "1 more changes")
	want("changed again", "base11 more changes", "later", true)
	save("last", "base2", "1 of another base")
	want("cut off between the two", "base2", "", true)
	save("last", "", "2")
	for _, file := range []string{path, Base(path)} {
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		good[0] ^= 1
		if err := os.WriteFile(file, good, 0o600); err != nil {
			t.Fatal(err)
		}
		if file == path {
			want("a damaged seal", "base2", "", true)
		} else {
			want("a damaged base", "", "", false)
		}
	}
	Forget(path)
	want("forgotten", "", "", false)
	if err := Drop(filepath.Join(filepath.Dir(path), "*.idx")); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, Base(path)} {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
