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
