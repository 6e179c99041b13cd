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

// Leftover reports whether name is that of a file which was being written beside its place: a dot, the name
// of the file to come, and a random number.
func Leftover(name string) bool {
	bare := strings.TrimRight(name, "0123456789")
	return len(name)-len(bare) >= minDigits && len(bare) > 1 && bare[0] == '.'
}

// Sweep removes the leftovers of killed processes from one of Keepsake's own folders and those below it:
// those not touched since a time. What can't be read or removed stays, and harms nothing.
func Sweep(root string, since time.Time) {
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !Leftover(e.Name()) {
			return nil
		}
		if info, err := e.Info(); err == nil && Touched(info).Before(since) {
			_ = os.Remove(path)
		}
		return nil
	})
}
