package verify

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"strings"

	"keepsake/pkg/disk"
)

// onDisk is the tree of a folder. No link in it is followed.
type onDisk struct{ root *disk.Folder }

// errLink is the error for a path that leads through a link, or through what is no folder.
var errLink = errors.New("a link is not followed")

// folder returns the folder of a path, and the name in it. The error is fs.ErrNotExist where a folder is
// missing.
func (t *onDisk) folder(file string) (dir *disk.Folder, name string, err error) {
	if !fs.ValidPath(file) || file == "." { // ParseCheck refuses it too
		return nil, "", fs.ErrInvalid
	}
	dir = t.root
	for name = file; ; {
		first, rest, more := strings.Cut(name, "/")
		if !more {
			return dir, name, nil
		}
		next, err := dir.Sub(first)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, "", fs.ErrNotExist
		case err != nil:
			// A file in the place of a folder: what was below it is gone.
			if info, lerr := dir.Lstat(first); lerr == nil && info.Mode().IsRegular() {
				return nil, "", fs.ErrNotExist
			}
			return nil, "", errLink
		}
		dir, name = next, rest
	}
}

// stat returns the info of what is at a path, without following links.
func (t *onDisk) stat(file string) (*disk.Info, error) {
	dir, name, err := t.folder(file)
	if err != nil {
		return nil, err
	}
	return dir.Lstat(name)
}

// IsDir reports whether a path is that of a folder.
func (t *onDisk) IsDir(file string) (bool, error) {
	info, err := t.stat(file)
	return err == nil && info.IsDir(), err
}

// Read returns the text of a file.
func (t *onDisk) Read(file string) ([]byte, error) {
	dir, name, err := t.folder(file)
	if err != nil {
		return nil, err
	}
	b, _, err := dir.Read(name, maxFile)
	return b, err
}

// Files returns the names of the regular files right in a folder.
func (t *onDisk) Files(folder string) (names []string, err error) {
	_, names, err = t.files(folder)
	return names, err
}

func (t *onDisk) files(folder string) (dir *disk.Folder, names []string, err error) {
	dir, name, err := t.folder(folder)
	if err == nil {
		dir, err = dir.Sub(name)
	}
	if err != nil {
		return nil, nil, err
	}
	all, err := dir.List()
	if err != nil {
		return nil, nil, err
	}
	for _, e := range all {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	if err := TooMany(len(names)); err != nil {
		return nil, nil, err
	}
	return dir, names, nil
}

// TooMany returns an error if a folder has more files than are looked at.
func TooMany(files int) error {
	if files > maxFolder {
		return fmt.Errorf("it has more than %d files", maxFolder)
	}
	return nil
}

// folderState returns a text that is another one once a file right in a folder was changed.
func (t *onDisk) folderState(folder string) string {
	dir, names, err := t.files(folder)
	if err != nil {
		return ""
	}
	sum := fnv.New64a()
	for _, name := range names {
		info, err := dir.Lstat(name)
		if err != nil {
			return ""
		}
		fmt.Fprintf(sum, "%s %s\n", name, stateOf(info))
	}
	return fmt.Sprintf("%d files, %x", len(names), sum.Sum64())
}

func stateOf(info *disk.Info) string {
	return fmt.Sprintf("%d %d", info.ModTime().UnixNano(), info.Size())
}
