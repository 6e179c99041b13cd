package save

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
)

// corrupt reports whether a file could be read but is no record. The store sets such a file aside when a
// new record needs its name. Other files stay where they are: those that couldn't be read (a link, a pipe,
// a folder, a file that is too large), those of a newer keepsake, and those with a merge conflict.
func corrupt(err error) bool {
	var path *fs.PathError
	return !errors.Is(err, memory.ErrNewer) && !errors.Is(err, memory.ErrMarkers) && !errors.As(err, &path)
}

// setAside returns the corrupt files that made room for records that a plan created: their old names and
// their new ones, below the store's root. Files that were set aside before the plan was made are left out.
func (w *Saver) setAside(p Plan) [][2]string {
	var out [][2]string
	for _, was := range p.Broken {
		dir, base := filepath.Split(filepath.Join(w.MemoryRoot(), filepath.FromSlash(was)))
		entries, _ := os.ReadDir(dir) // the record is written, whether or not its folder can be listed
		for _, entry := range entries {
			stamp, ok := strings.CutPrefix(entry.Name(), base+".invalid.")
			if at, err := strconv.ParseInt(stamp, 10, 64); ok && err == nil && at >= p.Made.Unix() {
				out = append(out, [2]string{was, strings.TrimSuffix(was, base) + entry.Name()})
			}
		}
	}
	return out
}

// noteSetAside reports the files that a save set aside, also in the ledger.
func (w *Saver) noteSetAside(p Plan) {
	for _, moved := range w.setAside(p) {
		w.Note("%s was no readable record; it is kept as %s", moved[0], moved[1])
		w.Fault("apply", moved[0]+" was no readable record and was set aside",
			fmt.Errorf("a new record has its name; it is kept as %s", moved[1]))
	}
}
