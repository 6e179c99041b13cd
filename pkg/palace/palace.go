// Package palace notices what changed in a MemPalace, or among Keepsake's own
// drawers, without a person's word.
//
// MemPalace stores drawers, facts and tunnels in SQLite databases and a JSON file.
// Keepsake never writes there. It remembers how many rows each had when it last
// looked, and the ids of the newest; what is there now and was not then, and that
// no approval names, appeared by a road that the gate does not see.
//
// A look costs a few stats where nothing changed. Where something did, the
// program bin/libexec/palace counts: a database engine has no place in a hook.
// Keepsake's own drawers are files, whose names are listed here.
package palace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"keepsake/pkg/paths"
)

// Kind says what a file of a palace holds.
type Kind string

// What is counted.
const (
	Drawers Kind = "drawer"
	Facts   Kind = "fact" // of the knowledge graph
	Tunnels Kind = "tunnel"
	Own     Kind = "own" // drawers of Keepsake itself
)

// A File is one file of a palace that is counted, or a folder of own drawers.
type File struct {
	Path string
	Kind Kind
}

// names are the files that MemPalace counts by, in the directories of its
// settings and in those of its data.
var names = []struct {
	name string
	kind Kind
}{
	{"chroma.sqlite3", Drawers}, {"sqlite_exact.sqlite3", Drawers}, {"knowledge_graph.sqlite3", Facts}, {"tunnels.json", Tunnels},
}

// Files lists the files that are there below dirs, which are paths.Palaces. A
// directory that is not there costs one stat. MemPalace puts its tunnels beside the
// directory of its data.
func Files(dirs []string) []File {
	var all []File
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		for _, sub := range []string{".", "palace", ".."} {
			for _, n := range names {
				if sub == ".." && n.kind != Tunnels {
					continue
				}
				path := filepath.Join(dir, sub, n.name)
				if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
					continue
				}
				if f := (File{paths.Resolved(path), n.kind}); !slices.Contains(all, f) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// stamp tells whether a file was changed since: size and time of the file and of
// the log that SQLite writes beside it.
func (f File) stamp() (string, error) {
	if f.Kind == Own {
		return ownStamp(f.Path), nil
	}
	s := ""
	for _, p := range []string{f.Path, f.Path + "-wal"} {
		info, err := os.Stat(p)
		switch {
		case err == nil:
			s += fmt.Sprintf("%d.%d ", info.Size(), info.ModTime().UnixNano())
		case !errors.Is(err, fs.ErrNotExist) || p == f.Path:
			return "", err
		}
	}
	return s, nil
}
