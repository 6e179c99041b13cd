// Package mempalace notices changes in a MemPalace, or among Keepsake's own drawers, that no person approved.
//
// MemPalace stores drawers, facts and tunnels in SQLite databases and a JSON file. Keepsake never writes
// there. It remembers how many rows each had at the last look, and the ids of the newest. A row that is new
// since then and that no approval names was written past the gate.
//
// A look costs a few stats if nothing changed. Otherwise the program bin/libexec/palace counts, since a
// database engine has no place in a hook. Keepsake's own drawers are files, whose names are listed here.
package mempalace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/layout"
)

// Kind is the kind of things in a file of a palace.
type Kind string

// The kinds.
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

// names are the files in which MemPalace's content is counted, in the directories of its settings and of its
// data.
var names = []struct {
	name string
	kind Kind
}{
	{"chroma.sqlite3", Drawers}, {"sqlite_exact.sqlite3", Drawers}, {"knowledge_graph.sqlite3", Facts},
	{"tunnels.json", Tunnels},
}

// Files returns the files that exist below dirs, which come from layout.Palaces. A missing directory
// costs one stat. MemPalace puts its tunnels beside the directory of its data.
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
				if f := (File{layout.Resolved(path), n.kind}); !slices.Contains(all, f) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// stamp returns a text that changes when a file does: the size and time of the file and of the log that
// SQLite writes beside it.
func (f File) stamp() (string, error) {
	if f.Kind == Own {
		return ownStamp(f.Path), nil
	}
	var s strings.Builder
	for _, p := range []string{f.Path, f.Path + "-wal"} {
		info, err := os.Stat(p)
		switch {
		case err == nil:
			fmt.Fprintf(&s, "%d.%d ", info.Size(), info.ModTime().UnixNano())
		case !errors.Is(err, fs.ErrNotExist) || p == f.Path:
			return "", err
		}
	}
	return s.String(), nil
}
