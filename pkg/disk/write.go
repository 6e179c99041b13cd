package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

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

// Pending is a file that is written but does not have its name yet. It is closed, so a plan of thousands of
// files needs few descriptors; renameio would keep each open until the rename, and then wait for the disk
// again.
type Pending struct {
	Info fs.FileInfo // of the file as written, under its temporary name

	path string
	temp string // "" once the file is renamed or gone
}

// Prepare writes data beside path, so that a full disk shows before anything is replaced. The temporary name
// is temp and a random number, and the file says that it was written at the time modified, now for the zero
// time. It is durable then, unless later says that Sync or SyncFolders is called. Call either Commit, which
// renames the file to path, or Discard, which removes it.
func Prepare(path, temp string, data []byte, perm fs.FileMode, modified time.Time, later bool) (*Pending,
	error) {
	old, err := os.Lstat(path)
	keep := err == nil && old.Mode().IsRegular()
	f, err := createBeside(path, temp, perm)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, withoutTemp(err))
	}
	if _, err = f.Write(data); err == nil && keep {
		err = f.Chmod(old.Mode().Perm() & perm)
	}
	if err == nil && !modified.IsZero() {
		err = os.Chtimes(f.Name(), time.Time{}, modified)
	}
	if err == nil && !later {
		err = f.Sync()
	}
	p := &Pending{path: path, temp: f.Name()}
	if err == nil {
		p.Info, err = f.Stat()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, withoutTemp(err)), p.Discard())
	}
	return p, nil
}

// Sync makes durable what Prepare left for later.
func (p *Pending) Sync() error {
	f, err := os.OpenFile(p.temp, os.O_WRONLY, 0)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", p.path, withoutTemp(err))
	}
	return nil
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

// Commit gives the file its name. The name is durable after SyncDir of the folder, which one call does for
// many files.
func (p *Pending) Commit() error {
	if err := os.Rename(p.temp, p.path); err != nil {
		return fmt.Errorf("write %s: %w", p.path, withoutTemp(err))
	}
	p.temp = ""
	return nil
}

// Discard removes what Prepare wrote. After Commit it does nothing.
func (p *Pending) Discard() error {
	if p.temp == "" {
		return nil
	}
	err := os.Remove(p.temp)
	p.temp = ""
	return err
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
