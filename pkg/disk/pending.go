package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// Pending is a file that is written but does not have its name yet. It is closed, so a plan of thousands of
// files needs few descriptors; renameio would keep each open until the rename, and then wait for the disk
// again.
type Pending struct {
	Info *Info // of the file as written, with its time and size
	dir  *Folder
	name string
	temp string // "" once the file has its name or is gone
}

// Prepare writes data beside the file of a name, so that a full disk shows before anything is replaced. The
// temporary name is temp and a random number, and the file says that it was written at the time modified, now
// for the zero time. It is durable then, unless later says that Sync or SyncFolders is called. Call either
// Commit, Swap or Add, which give the file its name, or Discard, which removes it.
func (d *Folder) Prepare(name, temp string, data []byte, perm fs.FileMode, modified time.Time, later bool) (
	*Pending, error) {
	old, err := d.Lstat(name)
	keep := err == nil && old.Mode().IsRegular()
	p := &Pending{dir: d, name: name}
	var fd int
	if p.temp, fd, err = d.create(temp, perm); err != nil {
		return nil, d.failed("write", name, err)
	}
	for data := data; len(data) > 0 && err == nil; {
		var n int
		n, err = again(func() (int, error) { return unix.Write(fd, data) })
		data = data[max(n, 0):]
	}
	if err == nil && !modified.IsZero() {
		err = d.setTime(p.temp, modified)
	}
	if err == nil {
		p.Info = &Info{name: name}
		err = unix.Fstat(fd, &p.Info.stat)
	}
	if err == nil && keep {
		if mode := old.Mode().Perm() & perm; p.Info.Mode().Perm() != mode {
			err = unix.Fchmod(fd, uint32(mode))
		}
	}
	if err == nil && !later {
		_, err = again(func() (int, error) { return 0, unix.Fsync(fd) })
	}
	if cerr := unix.Close(fd); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, errors.Join(d.failed("write", name, err), p.Discard())
	}
	return p, nil
}

// setTime has a file say that it was last written at a time.
func (d *Folder) setTime(name string, modified time.Time) error {
	at, err := unix.TimeToTimespec(modified)
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(d.fd, name, []unix.Timespec{{Nsec: omitTime}, at}, unix.AT_SYMLINK_NOFOLLOW)
}

// Sync makes durable what Prepare left for later.
func (p *Pending) Sync() error {
	fd, err := again(func() (int, error) {
		return unix.Openat(p.dir.fd, p.temp, unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err == nil {
		_, err = again(func() (int, error) { return 0, unix.Fsync(fd) })
		err = errors.Join(err, unix.Close(fd))
	}
	if err != nil {
		return p.dir.failed("write", p.name, err)
	}
	return nil
}

// Commit gives the file its name, whatever is there. The name is durable after Sync of the folder, which one
// call does for many files.
func (p *Pending) Commit() error {
	if err := unix.Renameat(p.dir.fd, p.temp, p.dir.fd, p.name); err != nil {
		return p.dir.failed("write", p.name, err)
	}
	p.temp = ""
	return nil
}

// ErrChanged is the error of Replace for a file that is not the one that was to be replaced.
var ErrChanged = errors.New("was changed meanwhile")

// Replace is Commit in the place of the file that was there, nil for none. If another file is there now, it
// stays, and the error is ErrChanged. The file that is replaced is still there as old, to be removed with
// Folder.Remove; "" stands for none. Where the system can't do this in one step, another hand can write
// unnoticed between two.
func (p *Pending) Replace(was *Info) (old string, err error) {
	if now, _ := p.dir.Lstat(p.name); !now.SameFile(was) {
		return "", fmt.Errorf("%s: %w", p.dir.file(p.name), ErrChanged)
	}
	lookedAt()
	if was == nil {
		err = addName(p.dir.fd, p.temp, p.name)
		if errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s: %w", p.dir.file(p.name), ErrChanged)
		}
	} else {
		err = swapNames(p.dir.fd, p.temp, p.name)
	}
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP),
		errors.Is(err, unix.EOPNOTSUPP):
		return "", p.Commit()
	case errors.Is(err, unix.ENOENT) && was != nil:
		return "", fmt.Errorf("%s: %w", p.dir.file(p.name), ErrChanged)
	case err != nil:
		return "", p.dir.failed("write", p.name, err)
	case was == nil:
		p.temp = ""
		return "", nil
	}
	if there, _ := p.dir.Lstat(p.temp); !there.SameFile(was) {
		if err := swapNames(p.dir.fd, p.temp, p.name); err != nil {
			p.temp = "" // it is somebody else's now
			return "", p.dir.failed("write", p.name, err)
		}
		return "", fmt.Errorf("%s: %w", p.dir.file(p.name), ErrChanged)
	}
	old, p.temp = p.temp, ""
	return old, nil
}

// lookedAt is called between the last look at a file and its replacement. A test writes there.
var lookedAt = func() {}

// Discard removes what Prepare wrote. Once the file has its name, it does nothing.
func (p *Pending) Discard() error {
	if p.temp == "" {
		return nil
	}
	temp := p.temp
	p.temp = ""
	return p.dir.Remove(temp)
}
