// Package mdwalk reads a folder of Markdown notes, within limits.
package mdwalk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/plan"
)

// Limits of a folder.
const (
	maxNotes = 5000
	// MaxNote bounds one note, in bytes.
	MaxNote = 512 << 10
)

// A Note is one file.
type Note struct {
	Name     string // below the folder, with slashes
	Bytes    []byte
	Modified time.Time
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Walk calls each for every .md file of a folder and of those below it, in the order of their names. It
// calls pass for what it leaves out, with the reason: files that can't be read, links, files over 512 KiB,
// and all behind the 5,000th note. It skips hidden files and folders, and those too deep for a plan to
// write. The error is about the folder itself.
func Walk(dir string, each func(Note), pass func(name, why string)) error {
	n := 0
	return walk(dir, func(path, name string, _ fs.DirEntry) error {
		if n >= maxNotes {
			pass(name, fmt.Sprintf("and what follows it: more than %d notes", maxNotes))
			return errEnough
		}
		b, info, err := disk.ReadInfo(path, MaxNote)
		if err != nil {
			pass(name, err.Error())
			return nil
		}
		n++
		each(Note{name, b, info.ModTime()})
		return nil
	}, pass)
}

// walk visits every path of a folder that is named like a note, whatever it is.
func walk(dir string, visit func(path, name string, d fs.DirEntry) error, pass func(name, why string)) error {
	dir = layout.Resolved(dir) // a walk doesn't follow its own root
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil:
			if path == dir {
				return err
			}
			pass(name, err.Error())
		case name == ".":
			if !d.IsDir() {
				return &fs.PathError{Op: "read", Path: path, Err: errors.New("is no folder")}
			}
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") || strings.Count(name, "/") >= plan.MaxDeep {
				return fs.SkipDir
			}
		case !strings.EqualFold(filepath.Ext(name), ".md") || strings.HasPrefix(d.Name(), "."):
		default:
			return visit(path, name, d)
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
