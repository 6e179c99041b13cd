package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// minDigits is how many digits the number of a leftover has at least: of ten to twenty that are drawn, all
// but one in ten thousand have as many.
const minDigits = 6

// Leftover reports whether name is that of a file which was being written beside its place, a dot, a name and
// a random number, and returns the name of the file to come.
func Leftover(name string) (of string, is bool) {
	bare := strings.TrimRight(name, "0123456789")
	if len(name)-len(bare) < minDigits || len(bare) < 2 || bare[0] != '.' {
		return "", false
	}
	return bare[1:], true
}

// Sweep removes the leftovers of killed processes from one of Keepsake's own folders and those below it:
// those not touched since a time. What can't be read or removed stays, and harms nothing.
func Sweep(root string, since time.Time) {
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if _, is := Leftover(e.Name()); !is {
			return nil
		}
		if info, err := e.Info(); err == nil && Touched(info).Before(since) {
			_ = os.Remove(path)
		}
		return nil
	})
}
