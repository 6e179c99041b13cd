package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Below returns the folder below root at a path with slashes, and reports whether it exists. Whoever made the
// files in root could lead a link anywhere, so none is followed: a link, or anything else that is not a
// folder, is an error.
func Below(root, folder string) (dir string, there bool, err error) {
	dir = root
	for name := range strings.SplitSeq(folder, "/") {
		dir = filepath.Join(dir, name)
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return filepath.Join(root, filepath.FromSlash(folder)), false, nil
		case err != nil:
			return "", false, err
		case !info.IsDir():
			return "", false,
				fmt.Errorf("%s is no folder but %s; hint: Keepsake's files go below %s, and it follows no "+
					"link there: move it aside", dir, Kind(info.Mode()), folder)
		}
	}
	return dir, true, nil
}

// There returns an error if root is no folder, as when a project was moved or removed while a session of it
// went on. Nothing is made again at the old place.
func There(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is gone; hint: if it was moved, start Claude Code where it is now", root)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder but %s", root, Kind(info.Mode()))
	}
	return nil
}

// MakeBelow makes the folder that Below returns with perm less the umask, if root is there.
func MakeBelow(root, folder string, perm fs.FileMode) (string, error) {
	dir, there, err := Below(root, folder)
	if err != nil || there {
		return dir, err
	}
	if err := There(root); err != nil {
		return "", err
	}
	return dir, MakeDir(dir, perm)
}

// Kind returns what a mode is, with its article: "a link", "a pipe".
func Kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m.IsDir():
		return "a folder"
	case m.IsRegular():
		return "a file"
	}
	return "a device or a socket"
}
