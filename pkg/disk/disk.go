// Package disk touches files in the few ways that are safe: it writes
// atomically and durably, locks with a limit to the waiting, makes private
// directories and reads regular files without following links or blocking.
//
// It knows nothing of what is in the files. Every error names the path. It is
// the one user of flock and renameio, and runs on Linux and macOS.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Errors that a caller acts on. They come wrapped in a *fs.PathError or a text
// that names the path.
var (
	ErrNotRegular = errors.New("is not a regular file")
	ErrTooLarge   = errors.New("is too large")
	ErrNotPrivate = errors.New("is not a private directory of this user")
	ErrLocked     = errors.New("is locked by another process")
)

// Read returns the bytes of a regular file of at most limit bytes. It does not
// follow a link in the last element of path and never blocks, whatever is
// there: a link, a pipe, a device or a directory is ErrNotRegular, a larger file
// ErrTooLarge, no file fs.ErrNotExist.
func Read(path string, limit int64) ([]byte, error) {
	b, _, err := ReadInfo(path, limit)
	return b, err
}

// ReadInfo is Read and returns the file's info from before it was read. If the info is different later, the
// bytes may be too.
func ReadInfo(path string, limit int64) ([]byte, fs.FileInfo, error) {
	return readAll(path, syscall.O_NOFOLLOW, limit)
}

// ReadLinked is Read for a file that may be a link, as somebody's settings lead into their dotfiles.
func ReadLinked(path string, limit int64) ([]byte, error) {
	b, _, err := readAll(path, 0, limit)
	return b, err
}

func readAll(path string, follow int, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := open(path, follow)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, nil, &fs.PathError{Op: "read", Path: path,
			Err: fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, limit)}
	}
	// One byte more than the size: a file that does not grow then ends in one read. One that grows past the
	// limit is caught below.
	buf := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, info, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if int64(len(buf)) > limit {
			return nil, nil, &fs.PathError{Op: "read", Path: path,
				Err: fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, limit)}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// Open opens a regular file for reading, with the errors of Read.
func Open(path string) (*os.File, fs.FileInfo, error) { return open(path, syscall.O_NOFOLLOW) }

func open(path string, follow int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|follow, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.EOPNOTSUPP) {
		return nil, nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// SyncDir makes the names in a directory durable. File systems that cannot do
// that for directories say EINVAL or ENOTSUP, which is no error here.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// MakeDir makes dir and its missing parents with perm less the umask, durably.
// What exists is left as it is; something that is no directory is an error.
func MakeDir(dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		}
		return nil
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrNotExist}
	}
	if err := MakeDir(parent, perm); err != nil {
		return err
	}
	if err := os.Mkdir(dir, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(parent)
}

// Rename gives a file a new name in the same file system, durably. It replaces nothing: if to exists, the
// error is fs.ErrExist.
func Rename(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if err := SyncDir(filepath.Dir(to)); err != nil || filepath.Dir(from) == filepath.Dir(to) {
		return err
	}
	return SyncDir(filepath.Dir(from))
}

// Remove takes a file away, durably. A file that is gone already is no error.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Private makes dir a directory of this user that nobody else can enter. It is created with mode 0700, as are
// its missing parents, and tightened if it is ours but open to others. If dir is a link or belongs to
// somebody else, the error is ErrNotPrivate and nothing is changed.
func Private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !OwnedByUs(info) {
		return &fs.PathError{Op: "open", Path: dir, Err: ErrNotPrivate}
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	// The descriptor follows no link, so nobody can swap the directory between the check and the change.
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	if info, err = d.Stat(); err != nil {
		return err
	}
	if !OwnedByUs(info) {
		return &fs.PathError{Op: "open", Path: dir, Err: ErrNotPrivate}
	}
	return d.Chmod(0o700)
}

// OwnedByUs reports whether a file belongs to the effective user.
func OwnedByUs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
