package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that a child of root becomes: root may write anywhere.
const nobody = 65534

func init() {
	children["saver"], children["saver of many"], children["nobody"] = saveOnce, saveMany, saveAsNobody
}

// saveOnce updates a record and makes one of another category, and prints the result.
func saveOnce(root string) {
	s := Open(root, Options{})
	was, err := s.Read("preferences/a.json")
	if err == nil {
		err = s.Apply(background,
			planOf(update(was, preference("a", was.TimesUpdated+1)), create(decision("d"))))
	}
	switch {
	case err == nil:
		fmt.Print("saved")
	case errors.Is(err, ErrUnfinished):
		fmt.Print("unfinished: ", err)
	default:
		fmt.Print("failed: ", err)
	}
}

// saveMany saves so many records that they are synced all at once, and prints the result.
func saveMany(root string) {
	p := planOf()
	for i := range manyFiles {
		p.Edits = append(p.Edits, create(preference(fmt.Sprint("many", i), 0)))
	}
	if err := Open(root, Options{}).Apply(background, p); err != nil {
		fmt.Print("failed: ", err)
		return
	}
	fmt.Print("saved")
}

// saveAsNobody saves as a user without special rights, and prints the result.
func saveAsNobody(root string) {
	if os.Geteuid() == 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody),
			syscall.Setuid(nobody)); err != nil {
			fmt.Print("skip ", err)
			return
		}
	}
	saveOnce(root)
}

// TestNoPermission saves where a folder may not be written. The error is clear, nothing is lost, and the next
// process with permission finishes what was logged.
func TestNoPermission(t *testing.T) {
	for _, closed := range []string{".", "preferences", historyName} {
		t.Run(closed, func(t *testing.T) {
			root := newRoot(t)
			s := Open(root, Options{})
			apply(t, s, create(preference("a", 0)))
			top := filepath.Dir(filepath.Dir(root))
			for _, dir := range []string{filepath.Dir(top), top} {
				if err := os.Chmod(dir, 0o755); err != nil { // the child is another user
					t.Fatal(err)
				}
			}
			if os.Geteuid() == 0 {
				err := filepath.WalkDir(filepath.Dir(root),
					func(path string, _ fs.DirEntry, err error) error {
						return errors.Join(err, os.Lchown(path, nobody, nobody))
					})
				if err != nil {
					t.Skipf("no file can be given away here: %v", err)
				}
			}
			if err := os.Chmod(s.file(closed), 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(s.file(closed), 0o755) })
			b, err := child(t, "nobody", root).Output()
			out := string(b)
			if strings.HasPrefix(out, "skip ") {
				t.Skip(out)
			}
			if err != nil || out == "saved" || !strings.Contains(out, root) ||
				!strings.Contains(out, "permission denied") {
				t.Errorf("%v: %s", err, out)
			}
			unfinished := strings.HasPrefix(out, "unfinished")
			if err := os.Chmod(s.file(closed), 0o755); err != nil {
				t.Fatal(err)
			}
			want := "preferences/a.json=0"
			if unfinished {
				want = "decisions/d.json=0 preferences/a.json=1"
			}
			if got := summary(load(t, s)); got != want || s.inUse() {
				t.Errorf("said %q; now %s, in use %v", out, got, s.inUse())
			}
		})
	}
}
