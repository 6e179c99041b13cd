package mdwalk

import (
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"keepsake/pkg/disk"
)

// A Stat is what List returns about one file.
type Stat struct {
	Name     string    // below the folder, with slashes
	Size     int64     // bytes
	Modified time.Time // which a file keeps when a rule mends it
	Changed  time.Time // when it was written whatever it says
	State    string    // differs after any change; see disk.State
}

// List returns the files that Walk reads, in the same order, and opens none. It leaves out silently what
// Walk passes over. more reports whether there are more than 5,000.
func List(dir string) (all []Stat, more bool, err error) {
	err = walk(dir, func(_, name string, d fs.DirEntry) error {
		if len(all) >= maxNotes {
			more = true
			return errEnough
		}
		if !d.Type().IsRegular() {
			return nil
		}
		// A file that is gone by now is left out.
		if info, err := d.Info(); err == nil && info.Size() <= MaxNote {
			all = append(all, Stat{name, info.Size(), info.ModTime(), disk.Changed(info), disk.State(info)})
		}
		return nil
	}, func(string, string) {})
	return all, more, err
}

// Head reads at most limit bytes of a file's beginning. cut reports whether there are more.
func Head(path string, limit int) (begin []byte, modified time.Time, cut bool, err error) {
	f, info, err := disk.Open(path)
	if err != nil {
		return nil, modified, false, err
	}
	defer f.Close()
	begin, err = io.ReadAll(io.LimitReader(f, int64(limit)))
	return begin, info.ModTime(), info.Size() > int64(len(begin)), err
}

// Read reads one file whole, within the limit of Walk.
func Read(dir, name string) ([]byte, error) {
	return disk.Read(filepath.Join(dir, filepath.FromSlash(name)), MaxNote)
}
