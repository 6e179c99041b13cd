package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sys/unix"
)

// A Folder is a folder that is held open. What is done in it leads nowhere else, whatever is put in its place
// meanwhile. Names are of what is right in it, and a link is never followed.
type Folder struct {
	path string // for errors
	fd   int

	mu   sync.Mutex
	subs map[string]*Folder
}

// Hold opens the folder at path. The last elements of it, as many as deep says, must not be links. If it is
// missing it is made, durably, with perm less the umask; with 0 it is not. Call Close when it is not used any
// more.
func Hold(path string, deep int, perm fs.FileMode) (*Folder, error) {
	if deep == 0 {
		if perm != 0 {
			if err := MakeDir(path, perm); err != nil {
				return nil, err
			}
		}
		return hold(unix.AT_FDCWD, path, path, 0)
	}
	parent, err := Hold(filepath.Dir(path), deep-1, perm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer parent.closeOne()
	name := filepath.Base(path)
	if perm != 0 {
		if _, err = parent.MakeSub(name, perm); err != nil {
			return nil, err
		}
	} else if _, err = parent.Sub(name); err != nil {
		return nil, err
	}
	return parent.subs[name], nil
}

func hold(at int, name, path string, follow int) (*Folder, error) {
	fd, err := again(func() (int, error) {
		return unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|follow, 0)
	})
	switch {
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return nil, fmt.Errorf("%s: is not a directory; hint: a link is not followed here", path)
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &Folder{path: path, fd: fd, subs: map[string]*Folder{}}, nil
}

// again repeats a call that a signal interrupted.
func again[T any](call func() (T, error)) (T, error) {
	for {
		v, err := call()
		if !errors.Is(err, unix.EINTR) {
			return v, err
		}
	}
}

// Close closes the folder and those in it that were opened.
func (d *Folder) Close() {
	for _, sub := range d.subs {
		sub.Close()
	}
	d.closeOne()
}

func (d *Folder) closeOne() { unix.Close(d.fd) }

// Exclusive is disk.Exclusive for a file of the folder.
func (d *Folder) Exclusive(ctx context.Context, name string) (*Lock, error) {
	if info, err := d.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if err := d.Touch(name, 0o600); err != nil {
			return nil, err
		}
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, d.failed("lock", name, ErrNotRegular)
	}
	l, err := lock(ctx, d.file(name), (*flock.Flock).TryLock, 0)
	if err != nil {
		return nil, err
	}
	// Locks are taken by path. If that leads elsewhere by now, it is not the lock of this folder.
	at, err := Hold(d.path, 0, 0)
	if err == nil {
		defer at.Close()
		there, err1 := at.Lstat(name)
		here, err2 := d.Lstat(name)
		if err = errors.Join(err1, err2); err == nil && !here.SameFile(there) {
			err = fmt.Errorf("lock %s: the folder was moved meanwhile", d.file(name))
		}
	}
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return l, nil
}

// Sub returns a folder in this one, which closes it. The error is fs.ErrNotExist if it is missing.
func (d *Folder) Sub(name string) (*Folder, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if sub := d.subs[name]; sub != nil {
		return sub, nil
	}
	sub, err := hold(d.fd, name, d.file(name), unix.O_NOFOLLOW)
	if err == nil {
		d.subs[name] = sub
	}
	return sub, err
}

// MakeSub is Sub for a folder that is made, durably, if it is missing, with perm less the umask.
func (d *Folder) MakeSub(name string, perm fs.FileMode) (*Folder, error) {
	sub, err := d.Sub(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return sub, err
	}
	if err := unix.Mkdirat(d.fd, name, uint32(perm)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, d.failed("mkdir", name, err)
	}
	if err := d.Sync(); err != nil {
		return nil, err
	}
	return d.Sub(name)
}

func (d *Folder) file(name string) string { return filepath.Join(d.path, name) }

func (d *Folder) failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: d.file(name), Err: err}
}

// Sync makes the names in the folder durable. File systems that cannot do that for folders say EINVAL or
// ENOTSUP, which is no error here.
func (d *Folder) Sync() error {
	_, err := again(func() (int, error) { return 0, unix.Fsync(d.fd) })
	if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return d.failed("sync", ".", err)
	}
	return nil
}

// List returns what is in the folder, by name.
func (d *Folder) List() ([]fs.DirEntry, error) {
	fd, err := again(func() (int, error) {
		return unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, d.failed("open", ".", err)
	}
	f := os.NewFile(uintptr(fd), d.path)
	defer f.Close()
	all, err := f.ReadDir(-1)
	slices.SortFunc(all, func(a, b fs.DirEntry) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	return all, err
}

// Info is what Lstat says of a file.
type Info struct {
	name string
	stat unix.Stat_t
}

func (i *Info) Name() string       { return i.name }
func (i *Info) Size() int64        { return i.stat.Size }
func (i *Info) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *Info) IsDir() bool        { return i.Mode().IsDir() }
func (i *Info) Sys() any           { return &i.stat }

// Mode returns the permissions and the type.
func (i *Info) Mode() fs.FileMode {
	mode := fs.FileMode(i.stat.Mode & 0o777)
	switch i.stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	default:
		mode |= fs.ModeIrregular
	}
	return mode
}

// SameFile reports whether a file is still the same one, with the same bytes as far as its time and size
// tell. A nil info stands for no file.
func (i *Info) SameFile(other *Info) bool {
	if i == nil || other == nil {
		return i == other
	}
	return i.stat.Dev == other.stat.Dev && i.stat.Ino == other.stat.Ino && i.stat.Size == other.stat.Size &&
		i.stat.Mtim == other.stat.Mtim
}

// Lstat returns the info of a file.
func (d *Folder) Lstat(name string) (*Info, error) {
	info := &Info{name: name}
	_, err := again(func() (int, error) {
		return 0, unix.Fstatat(d.fd, name, &info.stat, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil {
		return nil, d.failed("lstat", name, err)
	}
	return info, nil
}

// Read is disk.ReadInfo for a file in the folder.
func (d *Folder) Read(name string, limit int64) ([]byte, *Info, error) {
	fd, err := again(func() (int, error) {
		return unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EOPNOTSUPP) {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, nil, d.failed("read", name, err)
	}
	defer unix.Close(fd)
	info := &Info{name: name}
	if err := unix.Fstat(fd, &info.stat); err != nil {
		return nil, nil, d.failed("read", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, d.failed("read", name, ErrNotRegular)
	}
	size := info.Size()
	buf := make([]byte, 0, min(size, limit)+1) // as in readAll
	for size <= limit {
		n, err := again(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil {
			return nil, nil, d.failed("read", name, err)
		}
		buf = buf[:len(buf)+n]
		if n == 0 || int64(len(buf)) == size && len(buf) < cap(buf) { // there was no more
			return buf, info, nil
		}
		size = max(size, int64(len(buf)))
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
	return nil, nil, d.failed("read", name, fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, limit))
}

// Write is disk.Write for a file in the folder; until it has its name, it is named temp and a random number.
func (d *Folder) Write(name, temp string, data []byte, perm fs.FileMode) error {
	p, err := d.Prepare(name, temp, data, perm, time.Time{}, false)
	if err != nil {
		return err
	}
	if err := p.Commit(); err != nil {
		return errors.Join(err, p.Discard())
	}
	return d.Sync()
}

// Touch makes an empty file if there is none.
func (d *Folder) Touch(name string, perm fs.FileMode) error {
	fd, err := again(func() (int, error) {
		return unix.Openat(d.fd, name, unix.O_CREAT|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|
			unix.O_CLOEXEC, uint32(perm))
	})
	if err == nil {
		err = unix.Close(fd)
	}
	if err != nil {
		return d.failed("open", name, err)
	}
	return nil
}

// Remove takes a file away. One that is gone already is no error.
func (d *Folder) Remove(name string) error {
	if err := unix.Unlinkat(d.fd, name, 0); err != nil && !errors.Is(err, unix.ENOENT) {
		return d.failed("remove", name, err)
	}
	return nil
}

// RemoveSub takes an empty folder away.
func (d *Folder) RemoveSub(name string) error {
	if err := unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR); err != nil {
		return d.failed("remove", name, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if sub := d.subs[name]; sub != nil {
		sub.Close()
		delete(d.subs, name)
	}
	return nil
}

// Rename gives a file a new name, here or in another folder of the file system, durably. It replaces nothing:
// if there is such a name, the error is fs.ErrExist.
func (d *Folder) Rename(name string, to *Folder, next string) error {
	if _, err := to.Lstat(next); err == nil {
		return to.failed("rename", next, fs.ErrExist)
	}
	if err := unix.Renameat(d.fd, name, to.fd, next); err != nil {
		return to.failed("rename", next, err)
	}
	if err := to.Sync(); err != nil || to == d {
		return err
	}
	return d.Sync()
}

// create creates a file named temp and a random number.
func (d *Folder) create(temp string, perm fs.FileMode) (name string, fd int, err error) {
	for {
		name = temp + strconv.FormatUint(rand.Uint64(), 10)
		fd, err = again(func() (int, error) {
			return unix.Openat(d.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|
				unix.O_CLOEXEC, uint32(perm))
		})
		if !errors.Is(err, fs.ErrExist) {
			return name, fd, err
		}
	}
}
