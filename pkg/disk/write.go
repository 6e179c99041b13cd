package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/renameio/v2"
)

// Write replaces the file at path with data, durably: a reader sees the old file or the new one, even after a
// power cut. A new file gets perm less the umask; an existing one keeps its mode, less what perm lacks. The
// directory must exist. On any error the old file is untouched.
func Write(path string, data []byte, perm fs.FileMode) error {
	opts := []renameio.Option{renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(perm)}
	if old, err := os.Lstat(path); err == nil && old.Mode().IsRegular() {
		opts = append(opts, renameio.WithStaticPermissions(old.Mode().Perm()&perm))
	}
	f, err := renameio.NewPendingFile(path, opts...)
	if err == nil {
		defer f.Cleanup() // does nothing after the rename
		if _, err = f.Write(data); err == nil {
			err = f.CloseAtomicallyReplace()
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, withoutTemp(err))
	}
	return SyncDir(filepath.Dir(path))
}

// createBeside creates a file in the folder of path, named temp and a random number.
func createBeside(path, temp string, perm fs.FileMode) (*os.File, error) {
	prefix := filepath.Join(filepath.Dir(path), temp)
	for {
		f, err := os.OpenFile(prefix+strconv.FormatUint(rand.Uint64(), 10), os.O_WRONLY|os.O_CREATE|os.O_EXCL,
			perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// withoutTemp drops the name of the temporary file from an error, as the caller names the real one.
func withoutTemp(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
