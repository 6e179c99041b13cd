package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace replaces the file at path with data, whole or not at all, but does not wait for the disk: after a
// power cut the old file, the new one or an empty one may be there. It is for files that a hook writes on
// every turn and can lose; memories are written with Write.
func Replace(path string, data []byte, perm fs.FileMode) error {
	f, err := createBeside(path, "."+filepath.Base(path), perm)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, withoutTemp(err))
	}
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(perm)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, withoutTemp(err))
	}
	return nil
}
