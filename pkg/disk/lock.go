package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Lock is a lock on a file that this process holds. It ends with the process, so no lock is ever stale; where
// a stand-in is the lock, whoever comes next takes a stale one away.
type Lock struct {
	f     *flock.Flock
	stand string // path of the stand-in where the file system has no locks
}

// lockPoll is how long a waiting process sleeps before it tries the lock again.
const lockPoll = 5 * time.Millisecond

// Exclusive locks the file at path against everybody else. A missing file is created with mode 0600.
// Exclusive tries at least once, waits until ctx ends, and then returns ErrLocked.
func Exclusive(ctx context.Context, path string) (*Lock, error) {
	return lock(ctx, path, (*flock.Flock).TryLock, os.O_CREATE)
}

// Shared is Exclusive for readers, who do not keep each other out.
func Shared(ctx context.Context, path string) (*Lock, error) {
	return lock(ctx, path, (*flock.Flock).TryRLock, os.O_CREATE)
}

func lock(ctx context.Context, path string, try func(*flock.Flock) (bool, error), create int) (*Lock, error) {
	// flock opens whatever is there, and a link or a pipe could lead elsewhere or block.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: ErrNotRegular}
	}
	l := &Lock{f: newFlock(path, create)}
	for {
		ok, err := flockOrNone(l.f, try)
		if noFlock(err) {
			l.stand = path + standSuffix
			ok, err = stand(l.stand)
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, withoutTemp(err))
		}
		if ok {
			return l, nil
		}
		select {
		case <-ctx.Done():
			return nil, &fs.PathError{Op: "lock", Path: path, Err: ErrLocked}
		case <-time.After(lockPoll):
		}
	}
}

// Unlock lets the lock go. The file stays: removing it would let two processes
// lock two files of one name.
func (l *Lock) Unlock() error {
	err := l.f.Unlock()
	if l.stand != "" {
		err = errors.Join(err, ignoreGone(os.Remove(l.stand)))
	}
	return err
}

// Flocks reports whether the file system of a lock's path has locks. It makes the file if it is missing.
func Flocks(path string) (bool, error) {
	f := newFlock(path, os.O_CREATE)
	_, err := flockOrNone(f, (*flock.Flock).TryRLock)
	if noFlock(err) {
		return false, nil
	}
	return true, errors.Join(err, f.Unlock())
}

func newFlock(path string, create int) *flock.Flock {
	return flock.New(path, flock.SetFlag(create|os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK),
		flock.SetPermissions(0o600))
}

// flockOrNone is try; a test puts a file system without locks in its place.
var flockOrNone = func(f *flock.Flock, try func(*flock.Flock) (bool, error)) (bool, error) { return try(f) }

// noFlock reports whether an error is that of a file system without locks: some that are shared by a network
// or with a virtual machine.
func noFlock(err error) bool {
	return errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP) ||
		errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.EINVAL)
}
