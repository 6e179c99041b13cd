package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/session"
)

// corrupt tells a file that could be read and is no record: the store sets it
// aside when a new record needs its name. What could not even be read (a link, a
// pipe, a folder, a file that is too large), what a newer keepsake wrote and what
// is being merged is somebody's, and stays where it is.
func corrupt(err error) bool {
	var path *fs.PathError
	return !errors.Is(err, memory.ErrNewer) && !errors.Is(err, memory.ErrMarkers) && !errors.As(err, &path)
}

// setAside are the corrupt files that made room for the records that a plan
// created: the names they had and those they have now, below the store's root.
// What was set aside before the plan was made is no news.
func setAside(s *session.Session, p planFile) [][2]string {
	var out [][2]string
	for _, was := range p.Broken {
		dir, base := filepath.Split(filepath.Join(s.MemoryRoot(), filepath.FromSlash(was)))
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

// tellSetAside says what a save set aside, on the terminal and in the ledger.
func tellSetAside(c *call, s *session.Session, p planFile) {
	for _, moved := range setAside(s, p) {
		c.note("%s was no readable record; it is kept as %s", moved[0], moved[1])
		s.Fault("apply", moved[0]+" was no readable record and was set aside", fmt.Errorf("a new record has its name; it is kept as %s", moved[1]))
	}
}
