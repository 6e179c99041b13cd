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
	maxNote  = 512 << 10 // bytes of one
)

// A Note is one file.
type Note struct {
	Name     string // below the folder, with slashes
	Bytes    []byte
	Modified time.Time
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Walk hands on every file of a folder and of those below it that ends in .md, in
// the order of their names, and says with pass what it leaves out and why: what
// can't be read, links, what is larger than 512 KiB, and what follows the 5,000th
// note. Hidden files and folders, and what lies deeper than a plan can write, aren't
// looked at. The error says that the folder itself can't be read.
func Walk(dir string, each func(Note), pass func(name, why string)) error {
	n := 0
	return walk(dir, func(path, name string, _ fs.DirEntry) error {
		if n >= maxNotes {
			pass(name, fmt.Sprintf("and what follows it: more than %d notes", maxNotes))
			return errEnough
		}
		b, info, err := disk.ReadInfo(path, maxNote)
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
